import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { type Schemas, texts, type WireLocation } from '~/api';
import { nearMeters } from '~/map/geometry';
import type { LatLng } from '~/map/types';
import { type Location, locationOfWire } from '~/model/location';
import { numeric, placeRules, required } from '~/model/rules';
import { placeDraft } from '~/section/place';

/** How far from where the event began its marker may be moved. */
export const WITHIN_M = limits.map.locationEditWithinM.value;
/** Coordinates are cut to 7 decimals, some centimeters. */
const ROUNDING_M = 0.05;

/** The rules of an event's edit (requirements 5.location); a heading that was there must stay one. */
export function editSchema(origin: LatLng, hasHeading: boolean) {
  const heading = numeric(0, 360, texts.validation.heading);
  return z
    .object({
      ...placeRules,
      roadway_heading: hasHeading ? z.string().check(z.trim(), required, heading) : z.string().check(z.trim(), heading),
    })
    .check(context => {
      const { lat, lng } = context.value;
      const away = nearMeters(origin.lat, origin.lng, Number(lat), Number(lng));
      if (away > WITHIN_M + ROUNDING_M)
        context.issues.push({ code: 'custom', message: texts.validation.markerReach, path: ['lat'], input: lat });
    });
}

export type EditForm = z.infer<ReturnType<typeof editSchema>>;

/** What the form begins with. */
export const formOf = ({ roadway_heading, ...place }: Location): EditForm => ({
  ...placeDraft(place),
  roadway_heading: roadway_heading === null ? '' : String(roadway_heading),
});

/** The heading that a draft says, if it says one. */
export function headingOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && value >= 0 && value <= 360 ? value : null;
}

/** The body of PUT /locations/{id}: what has been changed, a place as a whole. */
export function writeOf(base: Location, changes: Partial<EditForm>, form: EditForm): Schemas['LocationWrite'] {
  const isMoved = changes.lat !== undefined || changes.lng !== undefined;
  return {
    organization_id: base.organization_id,
    ...(isMoved && { lat: Number(form.lat), lng: Number(form.lng) }),
    ...(changes.roadway_heading && { roadway_heading: Number(changes.roadway_heading) }),
  };
}

/** The event as it stands now, of a refused save; undefined when the refusal shows something else. */
export const locationNow = (current: object): Location | undefined =>
  'things_active' in current ? locationOfWire(current as WireLocation) : undefined;
