// The section of events drawn in a page of its own, for tests.
import type { WireLocation, WireOrganization } from '~/api';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import { wireLocation, wireLocationThing } from '~/model/testing';
import { openSection } from '~/section/testing';
import { EVERY_MAP_VIEW, session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { events } from './section';

const ago = (minutes: number) => new Date(T0 - minutes * 60_000).toISOString();

/** An active event that began so many minutes before T0, with one asset there. */
export const activeAt = (id: string, minutes: number, over: Partial<WireLocation> = {}): WireLocation =>
  wireLocation({
    id,
    street: `${id} Street`,
    start_time: ago(minutes),
    things_active: [wireLocationThing({ id: `${id}-1`, nickname: `Engine ${id}`, start_time: ago(minutes) })],
    ...over,
  });

/** One that lasted ten minutes and ended so many minutes before T0. */
export const endedAt = (id: string, minutes: number, over: Partial<WireLocation> = {}): WireLocation =>
  activeAt(id, minutes + 10, {
    is_active: false,
    end_time: ago(minutes),
    things_active: [],
    things_inactive: [
      wireLocationThing({
        id: `${id}-1`,
        nickname: `Medic ${id}`,
        start_time: ago(minutes + 10),
        end_time: ago(minutes),
        runtime: 600,
      }),
    ],
    ...over,
  });

/** What the live picture holds of events, as it came at T0; `whole`: its longer list has been read. */
export function load(rows: readonly WireLocation[], whole = true): void {
  const known = liveStore.of('location');
  known.merge(rows, T0, T0);
  if (whole) known.whole();
  known.tell();
}

/** A user of this organization, whose assets are all responders unless it says otherwise. */
export function signIn(organization: Partial<WireOrganization> = {}): void {
  const permissions = ['thing:read', 'incident:read', 'incident:update'];
  const profile = profileOf(profileWith({ responders_type: 'all', ...organization }, {}, { permissions }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
}

/** The section as such a user sees it. */
export function open(path: string, until: string, organization: Partial<WireOrganization> = {}) {
  signIn(organization);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  return openSection(events, path, until);
}
