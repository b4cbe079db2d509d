// @vitest-environment jsdom
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { malformed, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import type { MapControl, PlaceHandle } from '~/map/types';
import { byText, host, press, says, see, stageSection, text, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { ToastRegion } from '~/ui';
import { usualText, writeOf } from './form';
import { load, open, wireHazard } from './testing';

stageSection('o1');

const MARKET = { lat: 39.7402, lng: -75.5516 };
const RIGHTS = ['hazard:read', 'closure:create', 'closure:update'];

let sent: { method: string; path: string; body: Record<string, unknown>; match: string | null }[];
let handle: PlaceHandle | null;
let answer: () => Response;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  answer = () => replayed('createHazard.ok');
  handle = null;
  mapHolder.set({
    subscribe: () => () => undefined,
    on: () => () => undefined,
    getState: () => ({ zoom: 16 }),
    view: () => ({ middle: MARKET, zoom: 16 }),
    select: () => undefined,
    goTo: () => undefined,
    setHandle: (next: PlaceHandle | null) => {
      handle = next;
    },
  } as unknown as MapControl);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    const body = init.body ? JSON.parse(String(init.body)) : {};
    if (method !== 'GET') sent.push({ method, path, body, match: new Headers(init.headers).get('If-Match') });
    return method === 'GET' ? replayed('getHazard.not_found') : answer();
  });
});

const field = (label: string) => byText('label', label).parentElement?.querySelector('input') as HTMLInputElement;

describe('a hazard by hand', () => {
  it('begins where the address says, moves with its marker, and is sent once with an id of its own', async () => {
    await open('/dashboard/hazards/new?at=39.75,-75.56', 'Add Hazard', RIGHTS);
    await see(() => expect(handle?.place).toEqual({ lat: 39.75, lng: -75.56 }));
    expect(handle?.withinM).toBeNull();
    handle?.onMove({ lat: 39.76, lng: -75.57 });
    await see(() => expect(field('Latitude').value).toBe('39.76'));
    type(field('Latitude'), '');
    await says('Required');
    expect(handle?.place.lat).toBe(39.76); // what is typed is no place yet
    type(field('Latitude'), '39.76');
    await press('button', 'Choose a type');
    await press('[role=option]', 'Debris');
    await says('As usual, 2 h');
    type(field('Description'), ' Ladder ');
    await press('button[type=submit]', 'Add');
    await see(() => expect(sent).toHaveLength(1));
    const { uuid, ...said } = sent[0]?.body ?? {};
    expect(said).toEqual({ type: 'debris', lat: 39.76, lng: -75.57, description: 'Ladder', organization_id: 'o1' });
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('begins in the middle of what is seen, also where the map comes after the form', async () => {
    const map = mapHolder.get();
    mapHolder.set(null);
    await open('/dashboard/hazards/new', 'Add Hazard', RIGHTS);
    expect(field('Latitude').value).toBe('');
    mapHolder.set(map);
    await see(() => expect(field('Latitude').value).toBe(String(MARKET.lat)));
    expect(handle?.place).toEqual(MARKET);
    await press('button', 'Cancel'); // nothing was typed: nothing is asked
    await see(() => expect(document.querySelector('button[type=submit]')).toBeNull());
  });

  it('says at its field what the server refuses', async () => {
    answer = () => malformed({ error: 'validation_failed', fields: { expires_at: 'Must be within 7 days' } }, 422);
    await open('/dashboard/hazards/new', 'Add Hazard', RIGHTS);
    await press('button[type=submit]', 'Add');
    await says('Required');
    expect(sent).toEqual([]);
  });

  it('is edited by who may, and one of a sender by nobody', async () => {
    const byHand = wireHazard('Hand', 5, 55, { reported_by: 'Dana Reyes', version: 3 });
    load(byHand, wireHazard('Sent', 5, 55, { reported_by: null }));
    await open('/dashboard/hazards/Sent', 'Sent Street', RIGHTS);
    expect(host.querySelector('[aria-label="Edit hazard"]')).toBeNull();
  });

  it('is edited with the version that was seen, what was changed alone', async () => {
    load(wireHazard('Hand', 5, 55, { reported_by: 'Dana Reyes', version: 3 }));
    answer = () => replayed('updateHazard.ok');
    await open('/dashboard/hazards/Hand', 'Dana Reyes', RIGHTS);
    await see(() => expect(host.querySelector('[aria-label="Edit hazard"]')).not.toBeNull());
    host.querySelector<HTMLElement>('[aria-label="Edit hazard"]')?.click();
    await says('Edit Hazard');
    await see(() => expect(field('Description')).toBeTruthy());
    type(field('Description'), 'Gone soon');
    await press('button[type=submit]', 'Save');
    await see(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      method: 'PUT',
      path: '/organization/hazards/Hand',
      body: { description: 'Gone soon' },
    });
    expect(sent[0]?.match).toContain('3');
  });

  it('lasts from the moment that it is sent', () => {
    expect(writeOf({ expires_at: '4' }, T0)).toEqual({ expires_at: new Date(T0 + 4 * 3_600_000).toISOString() });
    expect(writeOf({ expires_at: '' }, T0)).toEqual({});
    expect([usualText('ice'), usualText('road_damage')]).toEqual(['12 h', '7 days']);
  });
});

describe('a hazard where the user is', () => {
  const stand = async (geolocation: Partial<Geolocation>) => {
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: geolocation });
    createRoot(document.body.appendChild(document.createElement('div'))).render(<ToastRegion />);
    await open('/dashboard/hazards', 'Hazards', RIGHTS);
    await press('button', 'Report Here');
  };

  it('takes two taps, and is taken back by a third', async () => {
    await stand({
      getCurrentPosition: good =>
        good({ coords: { latitude: MARKET.lat, longitude: MARKET.lng, accuracy: 5 } } as GeolocationPosition),
    });
    await press('[role=dialog] button', 'Disabled vehicle');
    await says('Report disabled vehicle here?');
    await press('[role=dialog] button', 'Report');
    await says('Disabled vehicle reported');
    expect(sent[0]?.body).toMatchObject({ type: 'disabled_vehicle', ...MARKET });
    answer = () => replayed('deleteHazard.ok');
    await press('button', 'Undo');
    await see(() => expect(sent[1]).toMatchObject({ method: 'DELETE' }));
    expect(sent[1]?.path).toBe(`/organization/hazards/${sent[0]?.body.uuid}`);
    await says('Hazard taken back');
  });

  it('reports nothing without a place, and says why', async () => {
    await stand({ getCurrentPosition: (_, bad) => bad?.({ code: 1 } as GeolocationPositionError) });
    await press('[role=dialog] button', 'Debris');
    await says('location');
    const report = [...document.querySelectorAll<HTMLButtonElement>('[role=dialog] button')].find(
      one => one.textContent === 'Report',
    );
    expect(report?.disabled).toBe(true);
    expect(text()).not.toContain('Waiting for your location');
  });
});
