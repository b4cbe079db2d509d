import limits from '@catalog/limits.json';
import { addressLines, isEmptyAddress } from '~/model/address';
import { type Area, areaTypeText } from '~/model/area';
import { lengthMeters, squareMeters } from '~/model/areaShape';

const { metersPerMile } = limits.area;
const SQUARE_METERS = metersPerMile.value ** 2;

/** Where it is, else what is said of it. */
export function placeText({ address, desc }: Area): string {
  return isEmptyAddress(address) ? desc : addressLines(address).slice(0, -1).join(', ');
}

/** "Station ^ · inactive": its type, and what it is not. */
export const kindText = (area: Area): string =>
  [areaTypeText(area), !area.isActive && 'inactive'].filter(Boolean).join(' · ');

const fixed = (value: number) => (value >= 0.1 ? value.toFixed(2) : value.toPrecision(2));

/** How large it is: what a circle's radius, a line's length, else its surface. */
export function sizeFact(area: Area): readonly [label: string, value: string] {
  if (!area.geometry) return ['Radius', `${Math.round(area.radius)} m`];
  if (area.geometry.type === 'LineString') return ['Length', `${Math.round(lengthMeters(area))} m`];
  return ['Size', `${fixed(squareMeters(area) / SQUARE_METERS)} sq mile`];
}
