import type { Feature } from 'geojson';
import type { Schemas } from '~/api';
import { circleRing } from '../geometry';

/** A shape of a row as the map draws it: a circle is a ring on the ground. */
export function drawnShape({ geometry, properties }: Schemas['Feature']): Feature['geometry'] {
  const radiusM = properties.radius_dist ?? 0;
  if (geometry.type !== 'Point' || radiusM <= 0) return geometry as Feature['geometry'];
  const [lng = 0, lat = 0] = geometry.coordinates;
  return { type: 'Polygon', coordinates: [circleRing({ lat, lng }, radiusM)] };
}
