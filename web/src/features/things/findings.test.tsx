// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { firstOf, recorded, replayed, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { load, openThings, says, see, stageThings, text } from './testing';

stageThings('o1');
beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('nothing.not_found'));
  const permissions = ['thing:read', 'incident:read', 'user:read'];
  const wire = wireProfile({ permissions, dashboard_access: ['things', 'events', 'accounts'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  load(rowAt('a', 0, { nickname: 'Engine 12' }), rowAt('b', 0, { nickname: 'Medic 7' }));
});

const one = firstOf(recorded('listFindings.ok').data);
const found = (...rows: Partial<Schemas['Finding']>[]) => {
  const wire = rows.map((over, i) =>
    vary(one, {
      ...{ id: `f${i}`, rule: 'not_alerting_at_incident', thing_id: 'a', thing_name: 'Engine 12', ended_at: null },
      ...{ trial: false, began_at: new Date(T0 + i).toISOString(), mailed: [], held: false },
      about: { type: 'incident', id: 'i1', name: 'Market St' },
      ...over,
    }),
  );
  liveStore.of('finding').merge(wire, 0, T0);
  liveStore.of('finding').tell();
};
const rowOf = (name: string) =>
  [...document.querySelectorAll('[role=row]')].find(row => row.textContent?.includes(name))?.textContent;

describe('in the list', () => {
  it('is a tag of the asset that it is about, and goes with its end', async () => {
    await openThings('/dashboard/things', 'Engine 12');
    found({});
    await see(() => expect(rowOf('Engine 12')).toContain('Watchdog: Lights off on scene'));
    expect(rowOf('Medic 7')).not.toContain('Watchdog');
    found({ ended_at: new Date(T0 + 60_000).toISOString() });
    await see(() => expect(rowOf('Engine 12')).not.toContain('Watchdog'));
  });

  it('names what people are told of before what is on trial', async () => {
    await openThings('/dashboard/things', 'Engine 12');
    found({ rule: 'old_configuration', trial: true });
    await see(() => expect(rowOf('Engine 12')).toContain('Watchdog on trial: Older configuration'));
    found({ rule: 'old_configuration', trial: true }, {}, { rule: 'provider_silent', about: null });
    await see(() => expect(rowOf('Engine 12')).toContain('Watchdog: Provider silent +1'));
  });
});

describe('in the detail', () => {
  it('is a notice that leads to what it is about and to the list', async () => {
    await openThings('/dashboard/things/a', 'Engine 12');
    expect(text()).not.toContain('Watchdog');
    found({}, { rule: 'alerting_at_station', trial: true, about: null });
    await says('Is at an incident and its lights are off, since');
    expect(text()).toContain('Would have told');
    const links = () => [...document.querySelectorAll('a')].map(a => a.getAttribute('href'));
    expect(links()).toEqual(expect.arrayContaining(['/dashboard/accounts/watchdog?asset=a', '/dashboard/events/i1']));
  });

  it('leads nowhere that the user may not go', async () => {
    const wire = wireProfile({ permissions: ['thing:read'], dashboard_access: ['things'] });
    session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
    await openThings('/dashboard/things/a', 'Engine 12');
    found({});
    await says('Incident: Market St');
    expect([...document.querySelectorAll('a')].map(a => a.textContent)).not.toContain('All findings');
    expect([...document.querySelectorAll('a')].map(a => a.textContent)).not.toContain('Incident: Market St');
  });
});
