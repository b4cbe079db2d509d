// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore, streamStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { byText, host, press, reload, says, see, stageSection, text, tick } from '~/section/testing';
import { ended, load, open, wireHazard } from './testing';

stageSection('o1');

let sent: string[];
let answer: (path: string) => Response | Promise<Response>;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  answer = () => replayed('getHazard.not_found');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    if (init.method && init.method !== 'GET') sent.push(`${init.method} ${path}`);
    return answer(path);
  });
});

const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const buttons = () => [...host.querySelectorAll('button')].map(one => one.textContent);

describe('the list of hazards', () => {
  // spec: 2.route.12 1.scope.01
  it('says how old each is, who reported and who confirmed it, and how long it stands', async () => {
    load(
      wireHazard('Old', 130, 20, { type: 'ice', confirmed_at: at(-60_000), confirmed_by: 'Dana Reyes' }),
      wireHazard('New', 5, 55, { description: 'Mattress', type: 'debris' }),
    );
    await open('/dashboard/hazards', 'Hazards 2 / 2');
    const [first = '', second = ''] = rows();
    expect(first).toContain('Debris, Expires in 55 min New Street · fleetMattress 5 min');
    expect(second).toContain('Ice, Expires in 20 min Confirmed by Dana ReyesOld Street · fleet 2 h');
  });

  it('lets one go the second that it expires, though nobody says so and somebody reads the list', async () => {
    streamStore.patch({ phase: 'reconnecting' });
    load(wireHazard('Long', 5, 55), wireHazard('Short', 50, 1));
    await open('/dashboard/hazards', 'Hazards 2 / 2');
    host.querySelector('[role=treegrid]')?.dispatchEvent(new MouseEvent('pointermove', { bubbles: true }));
    vi.mocked(serverClock.now).mockReturnValue(T0 + 60_000);
    await says('Hazards 1 / 1');
    await see(() => expect(rows().join()).not.toContain('Short Street'));
    await press('[role=radio]', 'Ended, 24 hrs');
    await says('Short Street');
    expect(rows()[0]).toContain('Expired');
  });

  it('keeps what has ended for a day, the latest end first, with why', async () => {
    load(
      wireHazard(
        'Cleared',
        300,
        -100,
        ended(120, 'cleared', { kind: 'user', id: '', name: 'Dana Reyes', speed: null }),
      ),
      wireHazard(
        'Through',
        30,
        30,
        ended(10, 'withdrawn', { kind: 'thing', id: 't', name: 'Engine 4', speed: 21.4579 }),
      ),
      wireHazard('Source', 30, 30, ended(20, 'source', { kind: 'key', id: 'k', name: 'State feed', speed: null })),
      wireHazard('Long ago', 3000, -2000, ended(1441, 'expired')),
    );
    await open('/dashboard/hazards?show=ended', 'Hazards 3 / ');
    expect(
      rows().map(row => /(Withdrawn|Ended|Cleared)[^,]*?(?= (Through|Source|Cleared) Street)/.exec(row)?.[0]),
    ).toEqual(['Withdrawn: Engine 4 drove through at 48 mph', 'Ended by State feed', 'Cleared by Dana Reyes']);
  });

  // spec: 5.hazard.01
  it('shows at least one type: with none chosen it says so and keeps what it shows', async () => {
    load(wireHazard('A', 5, 55, { type: 'ice' }), wireHazard('B', 5, 55, { type: 'fog' }));
    const router = await open('/dashboard/hazards', 'Hazards 2 / 2');
    await press('button', 'Hazard Types');
    await tick('All types');
    await says('Must select at least 1 type');
    expect(rows()).toHaveLength(2);
    await tick('Fog 1');
    await says('Hazards 1 / 2');
    expect(text()).not.toContain('Must select at least 1 type');
    await see(() => expect(router.state.location.search).toEqual({ type: 'fog' }));
    await tick('Fog 1');
    await says('Must select at least 1 type');
    expect(rows()[0]).toContain('Fog');
    await tick('All types');
    await says('Hazards 2 / 2');
  });

  it('says why it cannot be had, and that there are none', async () => {
    streamStore.patch({ phase: 'failed', asOf: 0, failure: new TypeError('offline') });
    await open('/dashboard/hazards', 'Unknown failure');
    streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
    await says('No results found.');
    await says('Hazards from devices, feeds, and imported files appear here.');
  });

  it('offers the import to those who may change the organization', async () => {
    await open('/dashboard/hazards', 'No results found.', ['hazard:read']);
    expect(document.querySelector('[aria-label=More]')).toBeNull();
    reload();
    await open('/dashboard/hazards', 'No results found.', ['hazard:read', 'organization:update']);
    await press('[aria-label=More]', '');
    await press('[role=menuitem]', 'Import…');
    await says('Choose a file');
  });

  it('offers the way back from changes to those who may not import', async () => {
    await open('/dashboard/hazards', 'No results found.', ['hazard:read', 'zone:manage']);
    await press('[aria-label=More]', '');
    await see(() =>
      expect([...document.querySelectorAll('[role=menuitem]')].map(item => item.textContent)).toEqual([
        'Undo a change…',
      ]),
    );
  });
});

describe('the detail of a hazard', () => {
  it('is confirmed and cleared by anybody on shift, pending meanwhile, and a clearing is undone', async () => {
    load(wireHazard('Road', 5, 20));
    await open('/dashboard/hazards/Road', 'Road Street');
    await says('Expires in 20 min');
    let come: (answer: Response) => void = () => undefined;
    answer = () => new Promise(resolve => (come = resolve));
    await press('button', 'Confirm');
    await see(() => expect(host.querySelector('[data-pending]')).not.toBeNull());
    const mine = { ...wireHazard('Road', 5, 80), version: 2, confirmed_at: at(0), confirmed_by: 'Dana Moore' };
    come(answered('confirmHazard.ok', mine));
    await says('Confirmed by Dana Moore');
    await says('Expires in 1 h');
    await see(() => expect(host.querySelector('[data-pending]')).toBeNull());
    answer = () =>
      answered('clearHazard.ok', {
        ...mine,
        version: 3,
        ...ended(0, 'cleared', { kind: 'user', id: 'u1', name: 'Dana Moore', speed: null }),
      });
    await press('button', 'Clear');
    await says('Cleared by Dana Moore');
    await see(() => expect(byText('button', 'Undo clear').hasAttribute('disabled')).toBe(false));
    answer = () => answered('confirmHazard.undone', { ...mine, version: 4, is_active: true });
    await press('button', 'Undo clear');
    await says('Active');
    await see(() => expect(buttons()).toEqual(expect.arrayContaining(['Confirm', 'Clear'])));
    expect(sent).toEqual(['confirm', 'clear', 'confirm'].map(verb => `POST /organization/hazards/Road/${verb}`));
  });

  it('says what the server refuses, and stays as it is', async () => {
    load(wireHazard('Road', 600, 20, ended(1439, 'expired')));
    await open('/dashboard/hazards/Road', 'Expired');
    answer = () => replayed('confirmHazard.hazard_over');
    await press('button', "Confirm it's still there");
    await says('This hazard ended more than 24 hours ago.');
    await says('Expired');
  });

  it('expires before the eye, with nothing left to press after a day', async () => {
    load(wireHazard('Road', 5, 1));
    await open('/dashboard/hazards/Road', 'Expires in 1 min');
    vi.mocked(serverClock.now).mockReturnValue(T0 + 60_000);
    await says('Expired');
    expect(text()).not.toContain('Expires in');
    await see(() => expect(buttons()).not.toContain('Clear'));
    vi.mocked(serverClock.now).mockReturnValue(T0 + 86_460_000);
    await see(() => expect(buttons()).not.toContain("Confirm it's still there"));
  });

  it('is only read by those who are let in to see it', async () => {
    load(wireHazard('Road', 5, 20, { organization_id: 'o9' }));
    await open('/dashboard/hazards/Road', 'Road Street');
    expect(buttons()).not.toContain('Confirm');
  });

  it('says the speed as the organization has it', async () => {
    const by = { kind: 'thing', id: 't', name: 'Engine 4', speed: 21.4579 } as const;
    load(wireHazard('Road', 30, 30, ended(10, 'withdrawn', by)));
    await open('/dashboard/hazards/Road', 'Withdrawn: Engine 4 drove through at 77 km/h', ['hazard:read'], 'DE');
  });

  it('that nobody holds any more is read on its own', async () => {
    answer = () => answered('getHazard.old', { id: 'gone', description: 'Long gone' });
    await open('/dashboard/hazards/gone', 'Long gone');
    expect(liveStore.of('hazard').get('gone')).toBeUndefined();
  });
});
