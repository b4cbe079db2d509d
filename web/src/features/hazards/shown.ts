import { nextEnd } from '~/model/ending';
import type { Hazard } from '~/model/hazard';
import { ENDED_MS, type HazardFilter, shownHazards } from '~/model/hazardFilter';
import type { Instant } from '~/model/instant';
import type { Listing } from '~/section/listing';
import { hazardsSection } from './view';

const expiry = ({ is_active, expires_at }: Hazard): Instant => (is_active ? expires_at : 0);
/** When it leaves the list of what has ended. */
const leaving = (hazard: Hazard): Instant => (hazard.ended_at || hazard.expires_at) + ENDED_MS;

/** The hazards that the section shows. One that expires leaves at once, also while nobody is there to say so. */
export const SHOWN: Listing<'hazard', HazardFilter> = {
  type: 'hazard',
  section: hazardsSection,
  ids: (rows, view, now) => shownHazards(rows, view, now).map(({ id }) => id),
  turn: (rows, now) => `${nextEnd(rows, expiry, now)} ${nextEnd(rows, leaving, now)}`,
};
