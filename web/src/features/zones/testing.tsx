// The section of zones drawn in a page of its own, for tests.
import type { Schemas } from '~/api';
import { firstOf, recorded, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { openSection } from '~/section/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { zones } from './section';

/** A zone of the organization that is looked at, on standby; `over` replaces fields. */
export const wireZone = (id: string, over: Partial<Schemas['Zone']> = {}): Schemas['Zone'] =>
  vary(firstOf(recorded('listZones.ok').data), {
    id,
    organization_id: 'o1',
    description: id,
    external_id: '',
    ...over,
  });

/** What makes a zone active: an asset inside since a minute before T0. */
export const active = (thing: string, ms = 0): Partial<Schemas['Zone']> => ({
  is_active: true,
  active_things: [{ id: `${thing}-id`, haas_id: `ha7-${thing}`, nickname: thing, since: at(-60_000) }],
  updated_at: at(ms),
});

/** The last asset has left: it stays active until so many milliseconds after T0. */
export const left = (ms: number): Partial<Schemas['Zone']> => ({
  is_active: true,
  active_things: [],
  active_until: at(ms),
  updated_at: at(0),
});

export function load(...rows: readonly Schemas['Zone'][]): void {
  const known = liveStore.of('zone');
  known.merge(rows, 0, T0);
  known.tell();
}

/** The section as a user with these rights sees it. */
export function open(path: string, until: string, permissions: readonly string[] = ['thing:read', 'zone:manage']) {
  const profile = profileOf(profileWith({ timezone: 'UTC' }, {}, { permissions: [...permissions] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(zones, path, until);
}
