// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { answered, recorded, refused, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { at, T0 } from '~/live/testing';
import { host, press, reload, says, see, stageSection, text } from '~/section/testing';
import { board, fed, HOUR, load, open, times, wireClosure } from './testing';

stageSection('o1');

let sent: string[];
let answer: () => Response;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  answer = () => replayed('getClosure.not_found');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    if (method !== 'GET') sent.push(`${method} ${new URL(url, 'http://x').pathname.replace('/api', '')}`);
    return answer();
  });
});

const links = () => [...host.querySelectorAll('a, button')].map(e => e.getAttribute('aria-label') ?? e.textContent);
const value = (label: string) =>
  [...host.querySelectorAll('dt')].find(dt => dt.textContent === label)?.nextElementSibling?.textContent;

it('says since and until when it stands, who saw it, and where it is', async () => {
  load(
    wireClosure('c1', {
      ...times(-0.7, 7),
      ...board('TMA 4', 1),
      description: 'Paving',
      end_is_estimated: true,
      verified_at: at(-300_000),
      verified_by: { kind: 'thing', id: 'TMA 4-id', name: 'TMA 4' },
      external_id: 'DE-95-001',
    }),
  );
  await open('/dashboard/closures/c1', 'Paving');
  await says('since 10:00 AM, until about 5:42 PM, estimated');
  await says('Last verified by TMA 4, 5 min ago');
  await says('Automated · I-95 Northbound');
  expect(host.querySelector('a[href="/dashboard/things/TMA%204-id"]')?.textContent).toBe('TMA 4');
  expect(value('From')).toBe('Exit 5');
  expect(value('To')).toBe('Exit 7');
  expect(value('Feed ID')).toBe('DE-95-001');
  const lanes = [...host.querySelectorAll('ol[aria-label="Lanes, from the left"] li')].map(li => li.textContent);
  expect(lanes).toEqual(['1open', '2closed', '3closed']);
  expect(text()).toContain('1 of 3 lanes open');
  // Boards begin and end it.
  expect(host.querySelector('input[type=checkbox]')).toBeNull();
  vi.mocked(serverClock.now).mockReturnValue(T0 + 7 * HOUR);
  await says('Ended at its end time');
  expect(text()).not.toContain('since 10:00 AM');
});

it('says whether it is in the feeds, why not, and who knows of it', async () => {
  const published = { ...times(-1, 7), is_wzdx_compliant: true };
  load(
    wireClosure('c1', published),
    wireClosure('c2', {
      ...published,
      publish_problems: [{ rule: 'road_name_missing', field: 'road_name', message: 'Say which road it is on' }],
    }),
    wireClosure('c3', times(-1, 7)),
  );
  // Messages do not tell who reads: it is asked of the server.
  answer = () => replayed('getClosure.fetched');
  const [reader] = recorded('getClosure.fetched').data.consumers;
  vi.mocked(serverClock.now).mockReturnValue(Date.parse(reader?.known_at ?? '') + 60_000);
  load(wireClosure('c1', { ...published, end_time: at(100 * 24 * HOUR), updated_at: at(1) }));
  await open('/dashboard/closures/c1', 'In the feeds as active');
  await see(() => expect(value(reader?.name ?? '')).toMatch(/^Known since .*\d:\d\d [AP]M$/));
  reload();
  vi.mocked(serverClock.now).mockReturnValue(T0);
  answer = () => replayed('getClosure.not_fetched');
  await open('/dashboard/closures/c1', 'In the feeds as active');
  await see(() => expect(value(reader?.name ?? '')).toBe('Not fetched since the last change'));
  reload();
  await open('/dashboard/closures/c2', 'Withheld from the feeds');
  await says('Say which road it is on');
  reload();
  await open('/dashboard/closures/c3', 'Not verified yet.');
  expect(text()).not.toContain('Publishing');
});

it('says that somebody is asked whether it still stands, and takes the answer', async () => {
  const asked = { ...times(-5, 7), asked_at: at(-10 * 60_000) };
  load(wireClosure('c1', { ...asked, description: 'Paving' }));
  await open('/dashboard/closures/c1', 'Is it still there? Asked 10 min ago.');
  // Half an hour for the answer, and an hour more.
  await says('Without an answer, it ends at 12:02 PM.');
  answer = () => answered('confirmClosure.ok', { id: 'c1', updated_at: at(1000) });
  await press('button', 'Still there');
  await see(() => expect(liveStore.of('closure').get('c1')?.asked_at).toBe(0));
  expect(sent).toEqual(['POST /organization/closure/c1/confirm']);
  reload();
  load(
    wireClosure('c2', { ...asked, ...board('TMA 4', 0) }),
    wireClosure('c3', asked),
    wireClosure('c4', times(-1, 7)),
  );
  await open('/dashboard/closures/c2', 'Is it still there?');
  expect(links()).not.toContain('Still there');
  reload();
  await open('/dashboard/closures/c3', 'Is it still there?', ['closure:read']);
  expect(links()).not.toContain('Still there');
  reload();
  await open('/dashboard/closures/c4', 'Not verified yet.');
  expect(links()).toContain("Confirm it's still there");
  expect(links()).not.toContain('Finished');
});

// spec: 8.dialog.02 6.closure.04 7.closure.05
it('asks before it deletes; what is gone already counts as deleted', async () => {
  load(wireClosure('c1', { description: 'Paving' }));
  await open('/dashboard/closures/c1', 'Paving', ['closure:update']);
  expect(links()).not.toContain('Delete Closure');
  reload();
  await open('/dashboard/closures/c1', 'Delete Closure', ['closure:delete', 'closure:read']);
  await press('button', 'Delete Closure');
  await says('Are you sure you want to delete Closure?');
  answer = () => refused('createClosure.forbidden', { message: 'You may not delete this.' });
  await press('button', 'Confirm');
  await says('You may not delete this.');
  answer = () => replayed('deleteClosure.not_found');
  await press('button', 'Confirm');
  await see(() => expect(liveStore.of('closure').get('c1')).toBeUndefined());
  expect(sent).toEqual(Array(2).fill('DELETE /organization/closure/c1'));
});

// spec: 2.closures.04
it('leaves alone what a feed manages', async () => {
  load(wireClosure('c1', { ...fed, ...times(-1, 7), description: 'Bridge' }));
  await open('/dashboard/closures/c1', 'Managed by WZDx feed');
  expect(links().filter(label => /Delete|Edit|Choose/.test(label ?? ''))).toEqual([]);
  expect(host.querySelector('input[type=checkbox]')).toBeNull();
});

it('says which feed brings it, with a link for who has the screen of incoming feeds', async () => {
  const verified_by = { kind: 'feed', id: 'f1', name: 'State DOT' };
  load(wireClosure('c1', { ...fed, ...times(-1, 7), verified_by }));
  await open('/dashboard/closures/c1', 'From State DOT · Managed by WZDx feed', ['closure:read', 'user:read']);
  const link = [...host.querySelectorAll('a')].find(one => one.textContent === 'State DOT');
  expect(link?.getAttribute('href')).toBe('/dashboard/accounts/feed/f1');
  await open('/dashboard/closures/c1', 'From State DOT', ['closure:read']);
  await see(() => expect(links()).not.toContain('State DOT'));
});

it('is the way to what is not there', async () => {
  await open('/dashboard/closures/nowhere', 'Closure not found');
  await press('button', 'Back to Closures');
  await says('No results found.');
});
