import type { LatLng } from '../types';

interface Px {
  readonly x: number;
  readonly y: number;
}

/** A line or ring to snap to. */
export type Path = readonly LatLng[];

/**
 * The place that a pointer means when it comes near other shapes: their nearest vertex within `reachPx`, else the nearest
 * place on their edges. null where nothing is near.
 */
export function snapTo(
  at: Px,
  paths: readonly Path[],
  reachPx: number,
  project: (place: LatLng) => Px,
  unproject: (px: Px) => LatLng,
): LatLng | null {
  let vertex: { place: LatLng; px: number } | null = null;
  let edge: { px: number; at: Px } | null = null;
  for (const path of paths) {
    let before: Px | null = null;
    for (const place of path) {
      const now = project(place);
      const px = Math.hypot(now.x - at.x, now.y - at.y);
      if (px <= reachPx && (!vertex || px < vertex.px)) vertex = { place, px };
      const foot = before && footOf(at, before, now);
      if (foot) {
        const away = Math.hypot(foot.x - at.x, foot.y - at.y);
        if (away <= reachPx && (!edge || away < edge.px)) edge = { px: away, at: foot };
      }
      before = now;
    }
  }
  if (vertex) return vertex.place;
  return edge && unproject(edge.at);
}

/** The place of an edge that is nearest to a point. */
function footOf(at: Px, from: Px, to: Px): Px {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : ((at.x - from.x) * dx + (at.y - from.y) * dy) / square;
  const within = Math.max(0, Math.min(1, share));
  return { x: from.x + within * dx, y: from.y + within * dy };
}
