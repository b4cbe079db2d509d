import { useRouter } from '@tanstack/react-router';
import { areas } from '~/features/areas/section';
import { closures } from '~/features/closures/section';
import { events } from '~/features/events/section';
import { hazards } from '~/features/hazards/section';
import { things } from '~/features/things/section';
import { trips } from '~/features/trips/section';
import { zones } from '~/features/zones/section';
import type { SectionRow } from '~/section/section';
import { accounts, newAccounts } from './accounts/section';
import { data } from './data/section';

/**
 * The sections of the dashboard; a new one is its folder and a line here. Navigation, guards, addresses and the map
 * follow from it. They show in the catalog's order; one of the catalog that has no line here is not built yet.
 */
export const sections: readonly SectionRow[] = [
  things,
  events,
  areas,
  closures,
  zones,
  trips,
  hazards,
  data,
  accounts,
  newAccounts,
];

/** The table that the app's router was made with. */
export function useSections(): readonly SectionRow[] {
  return useRouter().options.context.sections;
}
