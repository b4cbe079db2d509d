// @vitest-environment jsdom
// What others do to a zone while somebody reads it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { answered, recorded, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { host, says, see, stageSection, text } from '~/section/testing';
import { load, open, wireZone } from './testing';

stageSection('o1');

const ZONE = recorded('getZone.ok').data.id;
const DETAIL = `/dashboard/zones/${ZONE}`;
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  answers = {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '');
    return answers[`${init.method ?? 'GET'} ${path}`]?.() ?? replayed('getZone.not_found');
  });
});

const gone = () => load({ ...wireZone(ZONE), is_deleted: true } as Schemas['Zone']);
const rows = () => [...host.querySelectorAll('[role=row]')].map(row => row.textContent ?? '');
const isGone = "It may have been deleted, or your organization doesn't have access to it.";
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
