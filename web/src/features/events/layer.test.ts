import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveStore } from '~/live/store';
import { createStreamStore } from '~/live/stream';
import { at, rowAt, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import { locationLayer } from '~/map/layers/location';
import type { MapLocation } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { locationOfWire } from '~/model/location';
import { wordsOf } from '~/model/organization';
import { Status } from '~/model/status';
import { wireLocation, wireLocationThing } from '~/model/testing';
import { bindMap } from '~/section/map';
import { switchMap } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { eventCard } from './cards';
import { eventsOn, findEvents } from './layer';
import { eventsView, patchView } from './view';

let end = () => {};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.useFakeTimers({ now: T0 });
  session.state.set({ phase: 'signedIn', profile: profileOf(profileWith({}, {}, {})), organizationId: 'o1' });
});
afterEach(() => {
  end();
  patchView({ screens: 0, opened: null, time: 'day', search: '' });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const scene = (id: string) =>
  wireLocation({
    id,
    things_active: [1, 2].map(n => wireLocationThing({ id: `${id}-${n}`, start_time: at(0) })),
  });
const ended = (id: string, minutes: number) =>
  wireLocation({ id, is_active: false, start_time: at(-minutes * 60_000 - 1000), end_time: at(-minutes * 60_000) });

/** The map with events as it was shown last, and a store behind it. */
function begin() {
  const store = new LiveStore(defaultFilter(true));
  store.reset('org-1');
  const map = new MapController({ theme: 'dark', now: () => T0 });
  let rows: readonly MapLocation[] = [];
  vi.spyOn(map, 'setRows').mockImplementation((layer, next) => {
    if (layer.kind === locationLayer.kind) rows = next as never;
  });
  const bound = bindMap(map, { go: vi.fn(), stream: createStreamStore(), home: () => null });
  bound.show([eventsOn(store)]);
  end = bound.end;
  const tell = (...wires: Parameters<typeof wireLocation>[0][]) => {
    store.of('location').merge(wires as never, T0, T0);
    store.of('location').tell();
  };
  return { store, tell, shown: () => rows.map(row => row.id).sort(), rows: () => rows };
}

describe('events on the map', () => {
  it('of other sections: no ring around one whose assets are all hidden, until one of them shows again', () => {
    const { store, tell, shown } = begin();
    store.applyRows(
      ['one-1', 'one-2', 'two-1', 'two-2'].map(id =>
        rowAt(id, 0, { nickname: `Unit ${id}`, status: 'active_location' }),
      ),
      T0,
      T0,
      true,
    );
    // The assets of the third are not known here: nobody can say that they are hidden.
    tell(scene('one'), scene('two'), scene('elsewhere'), ended('over', 5));
    expect(shown()).toEqual(['elsewhere', 'one', 'two']);
    store.setFilter({ ...store.getFilter(), search: 'two-1' });
    expect(shown()).toEqual(['elsewhere', 'two']);
    store.setFilter({ ...store.getFilter(), search: '', statuses: new Set([Status.STANDBY]) });
    expect(shown()).toEqual(['elsewhere']);
    store.applyRows([rowAt('one-2', 1, { nickname: 'Unit one-2', status: 'standby' })], T0 + 1000, T0 + 1000, false);
    expect(shown()).toEqual(['elsewhere', 'one']);
    store.setFilter(defaultFilter(true));
    // spec: 2.things.03
    switchMap({ showLocations: false });
    expect(shown()).toEqual([]);
    switchMap({ showLocations: true });
    expect(shown()).toEqual(['elsewhere', 'one', 'two']);
  });

  it('of their own section: what the list shows, and the one that is open, however old', () => {
    const { tell, shown, rows } = begin();
    tell(scene('one'), ended('late', 5), ended('old', 3 * 1440));
    switchMap({ showLocations: false });
    patchView({ screens: 1 });
    expect(shown()).toEqual(['late', 'one']);
    expect(rows().map(row => [row.id, row.active, row.units])).toEqual([
      ['one', true, 2],
      ['late', false, 0],
    ]);
    patchView({ time: 'active' });
    expect(shown()).toEqual(['one']);
    patchView({ time: 'all', search: 'nothing' });
    expect(shown()).toEqual([]);
    patchView({ opened: locationOfWire(ended('older', 20 * 1440)) });
    expect(shown()).toEqual(['older']);
    expect(eventsView.get().opened?.id).toBe('older');
    patchView({ screens: 0 });
    expect(shown()).toEqual([]);
    switchMap({ showLocations: true });
    expect(shown()).toEqual(['one']);
  });

  it('lose what grows too old for the list', () => {
    const { tell, shown } = begin();
    tell(ended('late', 1439));
    patchView({ screens: 1 });
    expect(shown()).toEqual(['late']);
    vi.advanceTimersByTime(120_000);
    expect(shown()).toEqual([]);
  });
});

// spec: 2.map.12
it('the card of an event says how long, who is there and who has left', () => {
  const words = wordsOf({
    id: '',
    name: '',
    timezone: 'UTC',
    countryCode: 'US',
    respondersType: 'all',
    eventWording: 'default',
  });
  const here = wireLocationThing({ id: 'a', nickname: 'Engine 4', start_time: at(-664_000) });
  const left = { ...here, id: 'b', nickname: 'Unit 14', start_time: at(-900_000), end_time: at(-240_000) };
  const row = { street: 'W 9th St', start_time: at(-664_000), things_active: [here], things_inactive: [left] };
  expect(eventCard(locationOfWire(wireLocation(row)), words, T0)).toEqual({
    title: 'W 9th St',
    aside: '00:11:04',
    directions: true,
    lines: [
      { label: 'Engine 4', value: '00:11:04' },
      { label: 'Unit 14', value: 'left 10:38 AM', past: true },
    ],
  });
});

it('the card of an event names an asset once however often it came and went, and scrolls when many are there', () => {
  const words = wordsOf({
    id: '',
    name: '',
    timezone: 'UTC',
    countryCode: 'US',
    respondersType: 'all',
    eventWording: 'default',
  });
  const stay = (id: string, from: number, to: number | null) =>
    wireLocationThing({
      id,
      nickname: id,
      start_time: at(from * 60_000),
      end_time: to === null ? null : at(to * 60_000),
    });
  const card = (active: ReturnType<typeof stay>[], inactive: ReturnType<typeof stay>[]) =>
    eventCard(locationOfWire(wireLocation({ things_active: active, things_inactive: inactive })), words, T0);
  const twice = [stay('Unit 14', -30, -20), stay('Unit 14', -9, -4), stay('Engine 4', -30, -25)];
  expect(card([stay('Engine 4', -2, null)], twice).lines).toEqual([
    { label: 'Engine 4', value: '00:02:00' },
    { label: 'Unit 14', value: 'left 10:38 AM', past: true },
  ]);
  const many = Array.from({ length: 12 }, (_, n) => stay(`Unit ${n}`, -9, null));
  expect(card(many, []).isList).toBe(true);
  expect(card(many.slice(0, 4), []).isList).toBeUndefined();
});

it('active events are found by street or id elsewhere, and ended ones are not', () => {
  const { store, tell } = begin();
  tell(
    { ...scene('one'), street: 'Kirkwood Highway', external_id: 'CAD-12' },
    { ...ended('over', 5), street: 'Kirkwood Highway' },
  );
  expect(findEvents('kirkw', store)).toMatchObject([
    {
      id: 'one',
      label: 'Kirkwood Highway',
      hint: expect.stringMatching(/^(Event|Incident) since /),
      path: '/dashboard/events/one',
    },
  ]);
  expect(findEvents('cad-12', store).map(({ id }) => id)).toEqual(['one']);
  expect(findEvents('market', store)).toEqual([]);
});
