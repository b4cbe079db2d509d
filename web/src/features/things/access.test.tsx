// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, replayed } from '~/api/recorded';
import { rowAt } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { load, openThings, press, see, stageThings } from './testing';

let puts: [url: string, body: unknown][];

stageThings('o1');
beforeEach(() => {
  puts = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method !== 'PUT') return replayed('nothing.not_found');
    puts.push([url, JSON.parse(String(init.body))]);
    return answered('setThingAssociations.ok');
  });
});

// spec: 4.relation.01 7.thing.06
it('sends what an organization is to the asset from now on: manager, accessor, or no more', async () => {
  const lists = {
    organization_managers: [{ id: 'm', name: 'County' }],
    organization_accessors: [
      { id: 'a', name: 'State' },
      { id: 'k', name: 'Town' },
    ],
  };
  const profile = profileOf(profileWith(lists, {}, { permissions: ['thing:read', 'thing:update'] }));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  const was = (id: string, name: string) => ({
    organization_uuid: id,
    organization_name: name,
    relationship_type: 'manager' as const,
  });
  load(
    rowAt('t', 0, {
      nickname: 'Engine 4',
      organization: { id: 'o1', name: 'Own', type: 'fire' },
      organization_relationships: [was('x', 'Port'), was('k', 'Town'), was('s', 'Airport')],
    }),
  );
  await openThings('/dashboard/things/t/edit/associations', 'Owned by Own');
  const choose = (line: number, choice: string) => {
    const select = document.querySelectorAll('form select')[line] as HTMLSelectElement;
    select.value = choice;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  // Airport, County, Port, State, Town
  await see(() => expect(document.querySelectorAll('form select')).toHaveLength(5));
  choose(0, 'delete');
  choose(1, 'manager');
  choose(2, 'accessor');
  await press('button', 'Save');
  await see(() => expect(puts).toHaveLength(1));
  const [url, body] = puts[0] ?? [];
  expect(url).toBe('/api/things/t/associations');
  const said = (body as Schemas['AssociationsWrite']).organization_relationships;
  expect(said.sort((a, b) => a.organization_uuid.localeCompare(b.organization_uuid))).toEqual([
    { organization_uuid: 'm', relationship_type: 'manager' },
    { organization_uuid: 's', relationship_type: 'delete' },
    { organization_uuid: 'x', relationship_type: 'accessor' },
  ]);
});
