// @vitest-environment jsdom
// What others do to a zone while somebody reads or edits it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, firstOf, recorded, replayed, vary } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { byText, host, press, says, see, stageSection, text, type } from '~/section/testing';
import { EVERY_MAP_VIEW, setPreference } from '~/session';
import { load, open, wireZone } from './testing';

stageSection('o1');

const ZONE = recorded('getZone.ok').data.id;
const DETAIL = `/dashboard/zones/${ZONE}`;
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  answers = {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    return answers[`${init.method ?? 'GET'} ${path}`]?.() ?? replayed('getZone.not_found');
  });
});

const gone = () => load({ ...wireZone(ZONE), is_deleted: true } as Schemas['Zone']);
const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const isGone = "It may have been deleted, or your organization doesn't have access to it.";
const undoable = (over: Partial<Schemas['Undoable']>) =>
  answered('listUndo.edited', [
    vary(firstOf(recorded('listUndo.edited').data), {
      noun: 'zone',
      id: ZONE,
      by: 'Dana Reyes',
      at: at(-120_000),
      ...over,
    }),
  ]);

describe('a zone that is read', () => {
  it('says that it is gone, and is there again when that is undone', async () => {
    load(wireZone(ZONE, { description: 'Market', version: 3 }));
    await open(DETAIL, 'Market');
    gone();
    await says(isGone);
    load(wireZone(ZONE, { description: 'Market', version: 5 }));
    await see(() => expect(text()).not.toContain(isGone));
    await says('Market');
  });

  it('is gone although it was read on its own, and no list has it', async () => {
    answers[`GET /organization/alerting_zones/${ZONE}`] = () => answered('getZone.ok', { description: 'Market' });
    await open(DETAIL, 'Market');
    answers = {};
    gone();
    await says(isGone);
    expect(text()).not.toContain('Market');
  });
});

describe('a zone that the filter hides once it is changed', () => {
  it('goes from the list, is counted there as hidden, and stays open where it is read', async () => {
    load(wireZone(ZONE, { description: 'Market', version: 3 }), wireZone('other', { description: 'Market Works' }));
    const router = await open('/dashboard/zones?q=market', 'Zones 2 / 2');
    load(wireZone(ZONE, { description: 'School', version: 4 }));
    await says('Zones 1 / 2');
    expect(rows()).toHaveLength(1);
    await router.navigate({ to: DETAIL } as never);
    await says('School');
  });
});

describe('a zone that is edited', () => {
  const field = (label: string) =>
    document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;
  const edit = async () => {
    load(wireZone(ZONE, { description: 'Market', version: 3 }));
    await open(`${DETAIL}/edit`, 'Alert Message');
    type(field('Alert Message'), 'Mine');
  };

  it('says that others changed it, who and when, keeps what was typed, and takes theirs when asked to', async () => {
    answers['GET /organization/undo'] = () => undoable({});
    await edit();
    load(wireZone(ZONE, { description: 'Market Square', version: 4 }));
    await says('Dana Reyes changed this 2 min ago. Your entries are kept.');
    expect([field('Description').value, field('Alert Message').value]).toEqual(['Market', 'Mine']);
    await press('button', 'Use saved version');
    await see(() => expect(field('Description').value).toBe('Market Square'));
    expect(field('Alert Message').value).toBe('School zone');
    expect(text()).not.toContain('Your entries are kept.');
  });

  it('says that it has changed, where nobody tells who did it', async () => {
    answers['GET /organization/undo'] = () => replayed('nothing.not_found');
    await edit();
    load(wireZone(ZONE, { description: 'Market Square', version: 4 }));
    await says('This zone has changed since you opened it. Your entries are kept.');
  });

  it('does not speak of what the form does not show', async () => {
    await edit();
    load(wireZone(ZONE, { description: 'Market', version: 4, is_active: true, updated_at: at(1) }));
    load(wireZone('other'));
    await see(() => expect(liveStore.of('zone').list()).toHaveLength(2));
    expect(text()).not.toContain('Your entries');
  });

  it('says that it was deleted, who and when, and keeps what was typed', async () => {
    answers['GET /organization/undo'] = () => undoable({ verb: 'delete' });
    await edit();
    gone();
    await says("Dana Reyes deleted this 2 min ago. Your entries can't be saved.");
    expect(field('Alert Message').value).toBe('Mine');
  });

  it('takes nobody for who deleted it that changed it before', async () => {
    answers['GET /organization/undo'] = () => undoable({});
    await edit();
    gone();
    await says("This zone was deleted, or your organization can't see it anymore. Your entries can't be saved.");
    expect(text()).not.toContain('Dana Reyes');
  });

  it('does not speak of what is saved here, though the stream is faster than the answer', async () => {
    let come: ((answer: Response) => void) | undefined;
    answers[`PUT /organization/alerting_zones/${ZONE}`] = () =>
      new Promise(resolve => {
        come = resolve;
      });
    const heard: string[] = [];
    new MutationObserver(() => text().includes('Your entries') && heard.push(text())).observe(host, {
      childList: true,
      subtree: true,
    });
    await edit();
    await press('button[type=submit]', 'Save');
    await see(() => expect(come).toBeDefined());
    load(wireZone(ZONE, { description: 'Market', alert_message: 'Mine', version: 4 }));
    come?.(answered('updateZone.ok', { id: ZONE, description: 'Market', alert_message: 'Mine', version: 4 }));
    await see(() => expect(host.querySelector('form')).toBeNull());
    expect(heard).toEqual([]);
  });
});
