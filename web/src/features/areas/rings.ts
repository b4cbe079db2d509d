import type { LineString, MultiPolygon, Polygon, Position } from 'geojson';

/** Where an outline stands in a shape: the part, and in it the outline (0) or a hole. */
export interface RingAt {
  readonly part: number;
  readonly ring: number;
}

export type Closed = Polygon | MultiPolygon;
export type AreaGeometry = Closed | LineString;

const partsOf = (shape: Closed): Position[][][] => (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates);

/** A shape of one part is a polygon. */
const shapeOf = (parts: Position[][][]): Closed | null => {
  const [first] = parts;
  if (!first) return null;
  return parts.length === 1 ? { type: 'Polygon', coordinates: first } : { type: 'MultiPolygon', coordinates: parts };
};

/** Every outline and hole of a shape, in its order. */
export const ringsIn = (shape: Closed): RingAt[] =>
  partsOf(shape).flatMap((rings, part) => rings.map((_, ring) => ({ part, ring })));

/** The points of a ring, closed as they stand. */
export const ringAt = (shape: Closed, { part, ring }: RingAt): Position[] => partsOf(shape)[part]?.[ring] ?? [];

/** The shape with another ring in one's place: all of its other rings stay as they are. */
export function withRing(shape: Closed, { part, ring }: RingAt, points: Position[]): Closed {
  const parts = partsOf(shape).map((rings, at) => (at === part ? rings.with(ring, points) : rings));
  return shapeOf(parts) ?? shape;
}

/** Without a hole, or without a part and its holes; null when nothing is left. */
export function withoutRing(shape: Closed, { part, ring }: RingAt): Closed | null {
  const parts = partsOf(shape);
  const left =
    ring > 0 ? parts.map((rings, at) => (at === part ? rings.toSpliced(ring, 1) : rings)) : parts.toSpliced(part, 1);
  return shapeOf(left);
}

/** "Part 2, hole 1"; of one part: "Outline", "Hole 1". */
export function ringLabel(shape: Closed, { part, ring }: RingAt): string {
  const isOne = partsOf(shape).length === 1;
  if (isOne) return ring === 0 ? 'Outline' : `Hole ${ring}`;
  return ring === 0 ? `Part ${part + 1}` : `Part ${part + 1}, hole ${ring}`;
}

/** A ring as it is stored: it ends where it begins. */
export const closedRing = (points: readonly Position[]): Position[] => [...points, ...points.slice(0, 1)];
