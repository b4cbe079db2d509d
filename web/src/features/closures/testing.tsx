// The section of closures drawn in a page of its own, for tests.
import type { Schemas } from '~/api';
import { firstOf, recorded, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { openSection } from '~/section/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { closures } from './section';

type Wire = Schemas['Closure'];
export const HOUR = 3_600_000;

/** An inactive closure that people made, of the organization that is looked at; `over` replaces fields. */
export const wireClosure = (id: string, over: Partial<Wire> = {}): Wire =>
  vary(firstOf(recorded('listClosures.ok').data), {
    id,
    organization_id: 'o1',
    description: id,
    external_id: '',
    is_wzdx_compliant: false,
    is_active: false,
    status: 'standby',
    start_time: null,
    end_time: null,
    last_start_time: null,
    ended_at: null,
    end_reason: '',
    end_is_estimated: false,
    verified_at: null,
    verified_by: null,
    asked_at: null,
    recurrence: null,
    publish_problems: [],
    consumers: [],
    updated_at: at(0),
    ...over,
  });

/** Times from and to so many hours after T0. */
export const times = (from: number, to: number): Partial<Wire> => ({
  start_time: at(from * HOUR),
  end_time: at(to * HOUR),
  ...(from <= 0 && { is_active: true, status: 'active', last_start_time: at(from * HOUR) }),
});

/** What drives an automated closure, heard so many hours before T0; not at all for none. */
export const board = (name: string, heardH?: number): Partial<Wire> => ({
  closure_type: 'automated',
  thing: {
    id: `${name}-id`,
    haas_id: `ha7-${name}`,
    nickname: name,
    heartbeat_datetime: heardH === undefined ? null : at(-heardH * HOUR),
    registry_number: 'REG-7',
    vin_number: 'VIN1FT',
    license_plate_number: 'PLATE9',
  },
});

/** A closure that a feed brings. */
export const fed: Partial<Wire> = { closure_type: 'feed', is_dashboard_managed: false };

export function load(...rows: readonly Wire[]): void {
  const known = liveStore.of('closure');
  known.merge(rows, 0, T0);
  known.tell();
}

/** The section as a user with these rights sees it. */
export function open(path: string, until: string, permissions: readonly string[] = ['thing:read', 'closure:manage']) {
  const profile = profileOf(profileWith({ timezone: 'UTC' }, {}, { permissions: [...permissions] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(closures, path, until);
}
