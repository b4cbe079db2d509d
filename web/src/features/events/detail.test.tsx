// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, recorded, refused, replayed, vary } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import type { MapControl, PlaceHandle } from '~/map/types';
import { wireLocationThing } from '~/model/testing';
import { byText, host, press, says, see, stageSection, text, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { session } from '~/session';
import { activeAt, endedAt, load, open } from './testing';
import { eventsView } from './view';

stageSection('o1');
beforeEach(() => {
  vi.stubGlobal('fetch', async () => replayed('getLocation.not_found'));
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
});

const value = (label: string) =>
  [...host.querySelectorAll('dt')].find(dt => dt.textContent === label)?.nextElementSibling?.textContent;

describe('the detail of an event', () => {
  // spec: 1.feat.09
  it('says who is there and who has left, when and how long, where it is and the ways there', async () => {
    load([
      activeAt('New', 30, {
        lat: 39.7447,
        lng: -75.5484,
        external_id: 'CAD-7',
        roadway_heading: 215,
        alert_message: 'Crash ahead',
        things_inactive: [
          wireLocationThing({
            id: 'gone',
            nickname: 'Medic 2',
            start_time: '2026-11-21T10:20:00.000Z',
            end_time: '2026-11-21T10:30:30.000Z',
            runtime: 630,
          }),
        ],
      }),
    ]);
    await open('/dashboard/events/New', 'New Street', { timezone: 'UTC' });
    expect(value('Duration')).toBe('00:30:00');
    expect(value('Assets')).toBe('1');
    expect([
      value('Street'),
      value('Coordinates'),
      value('Roadway Heading'),
      value('Alert Message'),
      value('System ID'),
    ]).toEqual(['New Street', '39.7447, -75.5484', 'SW · 215°', 'Crash ahead', 'CAD-7']);
    const units = [...host.querySelectorAll('li')].map(one => one.textContent);
    expect(units).toEqual(['Engine New00:30:00since 10:12 AM', 'Medic 200:10:3010:20 AM – 10:30 AM']);
    const ways = [...host.querySelectorAll<HTMLAnchorElement>('a[target="_blank"]')];
    expect(ways.map(way => [way.textContent, new URL(way.href).host])).toEqual([
      ['Google Maps', 'www.google.com'],
      ['Waze', 'waze.com'],
      ['Apple Maps', 'maps.apple.com'],
    ]);
    expect(host.querySelector('a[href="/dashboard/things/New-1"]')?.textContent).toBe('Engine New');
    expect(text()).toContain('Here now: 1 Asset');
    await see(() => expect(eventsView.get().opened?.id).toBe('New'));
  });

  // spec: D.alert.03
  it('says how many drivers were alerted, and keeps nobody apart from not measured', async () => {
    load([activeAt('New', 30, { drivers_alerted: null })]);
    await open('/dashboard/events/New', 'New Street');
    expect(value('Drivers Alerted')).toBe('Not measured');
    load([activeAt('New', 30, { drivers_alerted: 0, version: 2 })]);
    await see(() => expect(value('Drivers Alerted')).toBe('0'));
    load([activeAt('New', 30, { drivers_alerted: 1200, version: 3 })]);
    await see(() => expect(value('Drivers Alerted')).toBe('1,200'));
    load([activeAt('New', 30, { drivers_alerted: null, is_geo_marker: true, version: 4 })]);
    await see(() => expect(value('Drivers Alerted')).toBeUndefined());
  });

  it('that nobody holds any more is read on its own', async () => {
    const older = '01900000-0000-7000-8000-00000000000e';
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(new URL(url, 'http://x').pathname);
      return answered('getLocation.ended', { id: older, street: 'Old Road' });
    });
    await open(`/dashboard/events/${older}`, 'Old Road');
    expect(asked).toEqual([`/api/locations/${older}`]);
    expect(host.querySelector('article')?.textContent).toMatch(/Recent.*Engine 408:00:00/);
    await see(() => expect(eventsView.get().opened?.id).toBe(older));
    expect(liveStore.of('location').get(older)).toBeUndefined();
  });

  it('that is active and not held here is read again until it has ended', async () => {
    const id = '01900000-0000-7000-8000-00000000000e';
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answers = [answered('getLocation.ok', { id }), answered('getLocation.ended', { id })];
    vi.stubGlobal('fetch', async () => answers.shift());
    await open(`/dashboard/events/${id}`, 'Here now');
    await vi.advanceTimersByTimeAsync(15_000);
    await see(() => expect(text()).not.toContain('Here now'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answers).toEqual([]);
    vi.useRealTimers();
  });

  it('says that one out of reach is missing, and leads back', async () => {
    const router = await open('/dashboard/events/foreign', 'Location not found');
    await press('button', 'Back to Incidents');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/events'));
  });

  // spec: 2.route.05 6.location.01
  it.each([
    ['active', activeAt('it', 5), true],
    ['ended', endedAt('it', 5), false],
    ['reported without assets', activeAt('it', 5, { is_geo_marker: true }), false],
  ])('leads to its edit only while it is active and ours: %s', async (_, row, leads) => {
    load([row]);
    await open('/dashboard/events/it', 'it Street');
    expect(host.querySelector('a[href="/dashboard/events/it/edit"]') !== null).toBe(leads);
  });
});

describe('the edit of an event', () => {
  const field = (name: string) => host.querySelector(`input[name="${name}"]`) as HTMLInputElement;
  const row = recorded('getLocation.ok').data;
  const began = { origin_lat: 39.7447, origin_lng: -75.5484 };
  const here = { ...row, id: 'it', lat: 39.7447, lng: -75.5484, ...began, roadway_heading: 10 };
  let sent: { url: string; body: unknown; match: string | null }[];
  let answer: () => Response;
  let handle: PlaceHandle | null;

  beforeEach(() => {
    sent = [];
    handle = null;
    answer = () => answered('updateLocation.ok', { ...here, roadway_heading: 90, version: 9 });
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      if (init?.method !== 'PUT') return replayed('getLocation.not_found');
      const match = new Headers(init.headers).get('If-Match');
      sent.push({ url, body: JSON.parse(String(init.body)), match });
      return answer();
    });
    mapHolder.set({
      ...({} as MapControl),
      select: () => undefined,
      fitBounds: () => undefined,
      setHandle: next => {
        handle = next;
      },
      subscribe: () => () => undefined,
      getState: () => ({ following: false }) as never,
    } as MapControl);
    load([here]);
  });
  const edit = () => open('/dashboard/events/it/edit', 'Roadway Heading');
  const save = () => press('button', 'Save');

  it('says how to move it when somebody asks', async () => {
    await edit();
    await press('button', 'View Instructions');
    await see(() => expect(document.querySelector('[role=dialog]')?.textContent).toContain("Don't show again"));
  });

  // spec: 2.events.04 7.location.04 9.map.05
  it('gives the map a marker to move within 100 m, and sends what has changed with its version', async () => {
    const router = await edit();
    await see(() =>
      expect(handle).toMatchObject({ withinM: 100, origin: { lat: 39.7447, lng: -75.5484 }, heading: 10 }),
    );
    handle?.onMove({ lat: 39.7449, lng: -75.5483 });
    await see(() => expect([field('lat').value, field('lng').value]).toEqual(['39.7449', '-75.5483']));
    await see(() => expect(handle?.place).toEqual({ lat: 39.7449, lng: -75.5483 }));
    const dial = host.querySelector('[role="slider"]') as HTMLElement;
    for (const [key, degrees] of [
      ['End', '360'],
      ['Home', '0'],
      ['PageUp', '45'],
      ['PageUp', '90'],
    ] as const) {
      dial.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await see(() => expect(field('roadway_heading').value).toBe(degrees));
    }
    expect(dial.getAttribute('aria-valuetext')).toBe('E, 90 degrees');
    await save();
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/events/it'));
    expect(sent).toEqual([
      {
        url: '/api/locations/it',
        body: { organization_id: here.organization_id, lat: 39.7449, lng: -75.5483, roadway_heading: 90 },
        match: `"${here.version}"`,
      },
    ]);
    await see(() => expect([liveStore.of('location').get('it')?.roadway_heading, handle]).toEqual([90, null]));
  });

  // spec: 9.map.05
  it('draws the circle about where the event began, wherever its marker stands now', async () => {
    load([{ ...here, lat: 39.7454 }]); // 78 m to the north
    await edit();
    await see(() => expect(handle?.origin).toEqual({ lat: 39.7447, lng: -75.5484 }));
    expect(handle?.place).toEqual({ lat: 39.7454, lng: -75.5484 });
    type(field('lat'), '39.7461'); // 78 m from the marker, but 156 m from there
    await save();
    await says('Move the marker no more than 100 meters from where it began.');
    type(field('lat'), '39.7439'); // 167 m from the marker, but 89 m from there
    await save();
    await see(() => expect(sent.map(s => s.body)).toMatchObject([{ lat: 39.7439 }]));
  });

  // spec: 5.location.01 5.location.02
  it.each([
    ['roadway_heading', '361', 'Must be a number from 0 to 360'],
    ['roadway_heading', 'x', 'Must be a number from 0 to 360'],
    ['roadway_heading', '', 'Required'],
    ['lat', '91', 'Must be a number from -90 to 90'],
    ['lng', '-181', 'Must be a number from -180 to 180'],
    ['lat', '', 'Required'],
    ['lat', '39.7460', 'Move the marker no more than 100 meters from where it began.'],
  ])('refuses %s %j by name', async (name, typed, words) => {
    await edit();
    type(field(name), typed);
    await save();
    await says(words);
    expect(sent).toEqual([]);
  });

  // spec: 8.location.02 8.location.03 8.location.04 8.location.05
  it.each([
    ['updateLocation.location_not_active', 'Location no longer active'],
    ['updateLocation.location_no_access', 'User does not have access to Location'],
    ['updateLocation.location_not_found', 'Location not found'],
  ] as const)('stays on the page with the words of %s', async (name, words) => {
    answer = () => refused(name);
    const router = await edit();
    type(field('roadway_heading'), '45');
    await save();
    await says(words);
    expect(router.state.location.pathname).toBe('/dashboard/events/it/edit');
    expect(field('roadway_heading').value).toBe('45');
    answer = () => refused(name, { error: 'other', message: 'Something else' });
    await save();
    await says('Unable to update Location');
  });

  it('puts what the server says of a field there', async () => {
    answer = () => refused('updateLocation.validation_failed.marker');
    await edit();
    type(field('lat'), '39.7449');
    await save();
    await says('Move the marker no more than 100 meters from where it began.');
    expect(text()).not.toContain('Unable to update Location');
  });

  it('shows what somebody else saved meanwhile beside the draft', async () => {
    answer = () => refused('updateLocation.conflict', { changed_by: 'Sam Upton' });
    await edit();
    type(field('roadway_heading'), '45');
    await save();
    await says('Sam Upton changed this');
    expect(byText('tr', 'Roadway Heading').textContent).toBe('Roadway Heading21545');
    answer = () => answered('updateLocation.ok', vary(here, { version: 12 }));
    await press('button', 'Save my version');
    await see(() => expect(sent.at(-1)?.match).toBe('"2"'));
  });

  // spec: 2.route.04 2.route.05
  it('is not there for one that has ended, nor for who may not', async () => {
    load([endedAt('it', 5, { version: 99 })]);
    await open('/dashboard/events/it/edit', "This incident can't be edited.");
    expect(handle).toBeNull();
    const { profile, ...rest } = session.state.get() as never as { profile: { permissions: Set<string> } };
    session.state.set({ ...rest, profile: { ...profile, permissions: new Set(['incident:read']) } } as never);
    await says('Sorry, you are not currently authorized to access this page.');
  });
});
