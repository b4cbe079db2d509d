// The section of hazards drawn in a page of its own, for tests.
import type { Schemas } from '~/api';
import { firstOf, recorded, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { openSection } from '~/section/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { hazards } from './section';

type Wire = Schemas['Hazard'];

/** A hazard that began so many minutes before T0 and expires so many minutes after; `over` replaces fields. */
export const wireHazard = (id: string, began: number, expires: number, over: Partial<Wire> = {}): Wire =>
  vary(firstOf(recorded('listHazards.ok').data), {
    id,
    organization_id: 'o1',
    street: `${id} Street`,
    description: '',
    start_time: at(-began * 60_000),
    expires_at: at(expires * 60_000),
    ...over,
  });

/** It ended so many minutes before T0. */
export const ended = (minutes: number, reason: Wire['end_reason'], by: Wire['ended_by'] = null): Partial<Wire> => ({
  is_active: false,
  ended_at: at(-minutes * 60_000),
  end_reason: reason,
  ended_by: by,
});

export function load(...rows: readonly Wire[]): void {
  const known = liveStore.of('hazard');
  known.merge(rows, 0, T0);
  known.tell();
}

/** The section as a user with these rights sees it, in an organization that may say more. */
export function open(path: string, until: string, permissions: readonly string[] = ['hazard:read'], country = 'US') {
  const organization = { timezone: 'UTC', country_code: country };
  const profile = profileOf(profileWith(organization, {}, { permissions: [...permissions] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(hazards, path, until);
}
