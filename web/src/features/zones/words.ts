import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { lengthMeters, squareMeters } from '~/model/areaShape';
import { type Feature, shapeOf } from '~/model/features';
import { countOf, DATE_PATTERNS, dateText } from '~/model/format';
import type { Instant } from '~/model/instant';
import type { Words } from '~/model/organization';
import type { Zone } from '~/model/zone';
import { isZoneActive, type ZoneStatus } from '~/model/zoneFilter';
import type { Choice } from '~/section/ChoiceFilter';

/** The types of zones, as forms and filters offer them. */
export const ZONE_TYPES: readonly Choice[] = enums.zoneTypes.map(({ name, displayName }) => ({
  id: name,
  label: displayName,
}));

export const typeText = ({ alerting_zone_type_name: type }: Pick<Zone, 'alerting_zone_type_name'>): string =>
  ZONE_TYPES.find(({ id }) => id === type)?.label ?? type;

export const statusText = (status: ZoneStatus): string => (status === 'active' ? 'Active' : 'Standby');

/** "Engine 4, Ladder 2": who stands in an active zone; "until 10:45 AM" when all have left; '' on standby. */
export function whyText(zone: Zone, words: Words, now: Instant): string {
  if (!isZoneActive(zone, now)) return '';
  if (zone.active_things.length > 0) return zone.active_things.map(thing => thing.displayName).join(', ');
  return zone.active_until > 0 ? `until ${dateText(zone.active_until, words.timeZone, DATE_PATTERNS.time)}` : '';
}

/** "1 Asset inside" */
export const insideText = (count: number): string => `${countOf(count, 'Asset')} inside`;

const SQUARE_MILE_M2 = limits.area.metersPerMile.value ** 2;

/** How large a shape is: "0.12 sq mile" or, of a line, "340 m"; a circle's radius says it. */
export function sizeText(feature: Feature): string {
  const shape = shapeOf(feature);
  if (!shape.area_geom) return '';
  if (feature.geometry.type === 'LineString') return `${Math.round(lengthMeters(shape))} m`;
  const miles = squareMeters(shape) / SQUARE_MILE_M2;
  return `${miles >= 0.1 ? miles.toFixed(2) : miles.toPrecision(2)} sq mile`;
}

/** How long something lasts: "5 min", "90 s", "1 h". */
export function lengthText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
