import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import type { LatLng } from '~/map/types';
import { type Hazard, hazardOfWire } from '~/model/hazard';
import type { Instant } from '~/model/instant';
import { placeRules, required } from '~/model/rules';
import { placeDraft, placeToWire } from '~/section/place';

export const DESCRIPTION_MAX = limits.text.description.value;
const HOUR = 3_600_000;

/** The rules of a hazard that is reported by hand, by the names of the wire. `expires_at`: hours from now; '' = as before, or as usual. */
export const hazardSchema = z.object({
  type: z.string().check(required),
  ...placeRules,
  description: z.string().check(z.trim(), z.maxLength(DESCRIPTION_MAX, `${DESCRIPTION_MAX} Max Characters`)),
  expires_at: z.string(),
});

export type HazardDraft = z.infer<typeof hazardSchema>;

const HOURS = [1, 2, 4, 12, 24, 72, 168] as const;
const hoursText = (hours: number): string =>
  hours < 24 ? `${hours} h` : `${hours / 24} ${hours === 24 ? 'day' : 'days'}`;

/** How long one of a type lasts of which nobody says until when: "2 h". */
export const usualText = (type: string): string =>
  hoursText(enums.hazardTypes.find(({ name }) => name === type)?.hours ?? 1);

/** How long it lasts from now on. */
export const LASTS = HOURS.map(hours => ({ id: String(hours), label: hoursText(hours) }));

/** What a new hazard begins with. */
export const newHazard = (place: LatLng | null): HazardDraft => ({
  type: '',
  ...placeDraft(place),
  description: '',
  expires_at: '',
});

/** What the edit of a hazard begins with, beside what its row calls alike. */
export const formOf = (place: Hazard): Partial<HazardDraft> => ({ ...placeDraft(place), expires_at: '' });

/** The body of POST and PUT: what was changed. */
export const writeOf = ({ expires_at, ...said }: Partial<HazardDraft>, now: Instant): Schemas['HazardWrite'] => ({
  ...placeToWire(said),
  ...(expires_at && { expires_at: new Date(now + Number(expires_at) * HOUR).toISOString() }),
});

/** The hazard as it stands now, of a refused save; undefined when the refusal shows something else. */
export const hazardNow = (current: object): Hazard | undefined =>
  'is_active' in current && 'expires_at' in current ? hazardOfWire(current as Schemas['Hazard']) : undefined;
