import type { Feature, Position } from 'geojson';
import type { LatLng } from '../types';
import type { Drawing, DrawState } from './drawing';
import { type DrawKind, placeOf, positionOf } from './shape';
import type { Path } from './snap';
import type { Part } from './style';

const point = (part: Part, position: Position, more: object): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: position },
  properties: { part, ...more },
});

const line = (part: Part, coordinates: Position[]): Feature => ({
  type: 'Feature',
  geometry: { type: 'LineString', coordinates },
  properties: { part },
});

/** What is drawn of a drawing: terra-draw's features as parts of a shape, with what it does not know. */
export function features(seen: readonly Feature[], kind: DrawKind, state: DrawState): Feature[] {
  const { draft, live, selected, problem, guide } = state;
  const refused = problem !== null;
  const guided = guide.length > 1;
  const along = guided ? [line('guide', guide.map(positionOf))] : [];
  const drawn = seen.flatMap((feature): Feature[] => {
    const part = partOf(feature, kind);
    const chosen = part === 'vertex' && feature.properties?.index === selected;
    return part ? [{ ...feature, properties: { part, refused, chosen, guided } }] : [];
  });
  if (draft.isClosed && kind !== 'circle') return [...along, ...drawn];
  // Points of a shape that is still open; terra-draw marks only where it may be closed.
  const points = kind === 'circle' ? (live ?? draft).points : draft.points;
  const part: Part = kind === 'circle' ? 'center' : 'vertex';
  return [
    ...along,
    ...drawn,
    ...points.map((at, i) => point(part, positionOf(at), { refused, chosen: i === selected })),
  ];
}

function partOf({ geometry, properties }: Feature, kind: DrawKind): Part | null {
  if (geometry.type !== 'Point') return 'shape';
  if (properties?.midPoint) return 'midpoint';
  if (!properties?.selectionPoint) return properties?.snappingPoint ? 'midpoint' : null;
  // A circle is held anywhere on its edge; one place of it says so.
  if (kind === 'circle') return properties.index === 0 ? 'handle' : null;
  return 'vertex';
}

/** What a point may come to rest on: the other shapes, and of a line its own beginning. */
export function pathsOf({ kind, options, state }: Drawing, near: LatLng): Path[] {
  const { snapTo = [] } = options;
  const others = (typeof snapTo === 'function' ? snapTo(near) : snapTo).map((geometry): Path => {
    if (geometry.type === 'Point') return [placeOf(geometry.coordinates)];
    return (geometry.type === 'Polygon' ? (geometry.coordinates[0] ?? []) : geometry.coordinates).map(placeOf);
  });
  const { points, isClosed } = state.get().draft;
  return kind === 'line' && !isClosed && points.length > 2 ? [...others, points.slice(0, 1)] : others;
}
