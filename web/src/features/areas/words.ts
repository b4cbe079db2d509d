import limits from '@catalog/limits.json';
import { addressLines, isEmptyAddress } from '~/model/address';
import { type Area, areaTypeText } from '~/model/area';
import { lengthMeters, type Shape, squareMeters } from '~/model/areaShape';

const { metersPerMile } = limits.area;
const SQUARE_METERS = metersPerMile.value ** 2;

/** Where it is, else what is said of it. */
export function placeText({ address, desc }: Area): string {
  return isEmptyAddress(address) ? desc : addressLines(address).slice(0, -1).join(', ');
}

/** "Station ^ · inactive": its type, and what it is not. */
export const kindText = (area: Area): string =>
  [areaTypeText(area), !area.is_active && 'inactive'].filter(Boolean).join(' · ');

const fixed = (value: number) => (value >= 0.1 ? value.toFixed(2) : value.toPrecision(2));

/** How large it is: a circle's radius, a line's length, else its surface. */
export function sizeFact(area: Shape): readonly [label: string, value: string] {
  if (!area.area_geom) return ['Radius', `${Math.round(area.radius_dist)} m`];
  if (area.area_geom.type === 'LineString') return ['Length', `${Math.round(lengthMeters(area))} m`];
  return ['Size', sizeText(squareMeters(area))];
}

/** "0.12 sq mile" */
const sizeText = (m2: number): string => `${fixed(m2 / SQUARE_METERS)} sq mile`;
