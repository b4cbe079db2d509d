// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { firstOf, recorded, replayed, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import { host, openSection, press, reload, says, see, stageSection, text, tick, type } from '~/section/testing';
import { beginViews } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { areas } from './section';

stageSection('o1');

const station = firstOf(recorded('listAreas.ok').data);
const poi = recorded('listAreaTypes.ok').data.find(kind => kind.db_name === 'poi') ?? station.ez_type;

beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('nothing.not_found'));
  const rows = [
    vary(station, { id: 'a1', organization_id: 'o1', name: 'Harbor Station' }),
    vary(station, { id: 'a2', organization_id: 'o1', name: 'Corner Depot', ez_type: poi }),
    vary(station, {
      id: 'a3',
      organization_id: 'o1',
      name: 'Elm Yard',
      ez_type: poi,
      is_active: false,
    }),
  ];
  const known = liveStore.of('area');
  known.merge(rows, 0, T0);
  known.tell();
});

const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');

function open(path: string, until: string) {
  const profile = profileOf(profileWith({ timezone: 'UTC' }, {}, { permissions: ['exclusion:read'] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  return openSection(areas, path, until);
}

// spec: 2.areas.01 2.areas.03
it('is filtered by type, which stands in the address and holds over a reload; says what hides all, and shows it again', async () => {
  const router = await open('/dashboard/areas', 'Areas 3 / 3');
  expect(rows().find(row => row.includes('Elm Yard'))).toContain('inactive');
  expect(rows().find(row => row.includes('Harbor Station'))).toContain('Station ^');
  await press('button', 'Area Types');
  await tick('Station ^');
  await says('Areas 2 / 3');
  expect(rows().join()).not.toContain('Harbor Station');
  const said = () => (router.state.location.search as { type?: string }).type;
  await see(() => expect(said()).toContain('poi'));
  expect(said()).not.toContain('station');

  const { href } = router.state.location;
  reload();
  beginViews();
  await open(href, 'Areas 2 / 3');
  type(host.querySelector('input[type=search]') as HTMLInputElement, 'harbor');
  await says('No results found.');
  expect(text()).toContain('Try another part of the name.');
  await press('button', 'Show all types');
  await says('Areas 1 / 3');
  expect(rows()[0]).toContain('Harbor Station');
});
