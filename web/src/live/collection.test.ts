import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas, WireLocation, WireMessage } from '~/api';
import { recorded, streamed, vary } from '~/api/recorded';
import { createClock } from '~/lib/clock';
import { defaultFilter } from '~/model/filter';
import { broken, wireLocation } from '~/model/testing';
import { Collection } from './collection';
import { LiveEngine } from './engine';
import { NOUNS, noun } from './nouns';
import { LiveStore } from './store';
import { createStreamStore } from './stream';
import { at, batchOf, confirmAt, FakeSocket, T0 } from './testing';

const NOW = T0 + 60_000;

const location = (id: string, over: Partial<WireLocation> = {}) => wireLocation({ id, start_time: at(0), ...over });

describe('locations', () => {
  const collection = () => new Collection(NOUNS.location);
  const message = (row: WireLocation): WireMessage => ({ type: 'location', location: row });

  it('keeps the newer version and drops deleted ones', () => {
    const locations = collection();
    const told = vi.fn();
    locations.subscribe(told);
    const say = (row: WireLocation) => {
      locations.hear([message(row)], NOW);
      locations.tell();
    };
    say(location('l', { version: 3, street: 'W 9th St' }));
    say(location('l', { version: 2, street: 'old' }));
    expect(told).toHaveBeenCalledTimes(1);
    expect(locations.get('l')?.street).toBe('W 9th St');
    say(location('l', { is_deleted: true }));
    expect(locations.list()).toEqual([]);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('lets no older answer bring back what went, and the stream only what is not older', () => {
    const locations = collection();
    const ids = () => locations.list().map(one => one.id);
    locations.hear([message(location('l', { version: 3 })), message(location('l', { is_deleted: true }))], NOW);
    locations.merge([location('l', { version: 3 })], NOW - 1, NOW);
    expect(ids()).toEqual([]);
    locations.hear([message(location('l', { version: 2 }))], NOW);
    expect(ids()).toEqual([]);
    // It may come into sight again as it was.
    locations.hear([message(location('l', { version: 3 }))], NOW);
    expect(ids()).toEqual(['l']);
    locations.hear([message(location('l', { is_deleted: true }))], NOW);
    locations.merge([location('l', { version: 3 })], NOW + 1, NOW + 1);
    expect(ids()).toEqual(['l']);
  });

  it('stand in order, however they come, go and come again', () => {
    const locations = collection();
    const ids = () => locations.list().map(one => one.id);
    const put = (...rows: WireLocation[]) => locations.hear(rows.map(message), NOW);
    put(location('b', { start_time: at(2) }), location('d', { start_time: at(0) }));
    put(location('a', { start_time: at(3) }), location('c', { start_time: at(1) }));
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
    put(location('a', { version: 2, start_time: at(-1) }));
    expect(ids()).toEqual(['b', 'c', 'd', 'a']);
    put(location('c', { version: 2, is_deleted: true }), location('c', { version: 3, start_time: at(4) }));
    expect(ids()).toEqual(['c', 'b', 'd', 'a']);
    locations.clear();
    put(location('d'));
    expect(ids()).toEqual(['d']);
  });

  // spec: 7.cache.04, 9.limits.09
  it('keeps at most 500, active and newest first', () => {
    const locations = collection();
    const rows = Array.from({ length: 600 }, (_, i) =>
      location(`l${i}`, { is_active: i % 2 === 0, start_time: at(i) }),
    );
    locations.merge(rows, T0, T0);
    expect(locations.list()).toHaveLength(500);
    expect(locations.list().filter(l => l.is_active)).toHaveLength(300);
    expect(locations.get('l1')).toBeUndefined();
    expect(locations.get('l599')).toBeDefined();
  });

  it('ends active ones that a list of all active ones no longer has', () => {
    const locations = collection();
    locations.merge([location('a'), location('b')], T0 + 1, T0);
    locations.lack(['a'], T0 + 5000);
    expect(locations.get('a')).toMatchObject({ is_active: false, end_time: T0 + 5000 });
    expect(locations.get('b')?.is_active).toBe(true);
  });

  it('costs itself alone when a message cannot be read', () => {
    const locations = collection();
    const odd = broken<WireLocation>({ id: 'odd', things_active: 7 });
    locations.hear([message(odd), message(location('good'))], NOW);
    expect(locations.list().map(one => one.id)).toEqual(['good']);
  });
});

/** A noun that no section shows live: one declaration, and answers that a server gave for it. */
const memberNoun = noun({
  type: 'member',
  path: '/organization/users',
  requires: 'VIEW_USERS',
  keep: 3,
  of: wire => ({ id: wire.id, email: wire.email, version: wire.version }),
  versionOf: row => row.version,
  compare: (a, b) => (a.email < b.email ? -1 : 1),
});

type Member = Schemas['Member'];
type Answer = { data: readonly object[]; meta: Schemas['Meta'] };

/** A page that keeps members beside assets, and a server that answers what it has answered once. */
function rig(sees: readonly string[] = ['member']) {
  const members = new Collection(memberNoun);
  const store = new LiveStore(defaultFilter(true), [new Collection(NOUNS.location), members as unknown as Collection]);
  const calls: { path: string; query: Record<string, unknown> }[] = [];
  const http = { members: recorded('listMembers.ok').data as Member[], changed: [] as object[], asOf: 5, pages: 500 };
  const meta = (total: number) => vary(recorded('listThings.ok').meta, { total, as_of: at(http.asOf) });
  const get = async (path: string, query: Record<string, unknown>, signal: AbortSignal): Promise<Answer> => {
    calls.push({ path, query });
    await Promise.resolve();
    signal.throwIfAborted();
    if (path !== '/organization/users') return { data: [], meta: meta(0) };
    const rows: readonly object[] = query.last_updated_timestamp ? http.changed : http.members;
    const from = (Number(query.page) - 1) * http.pages;
    return { data: rows.slice(from, from + http.pages), meta: meta(rows.length) };
  };
  const sockets: FakeSocket[] = [];
  const engine = new LiveEngine({
    store,
    stream: createStreamStore(),
    get: get as never,
    snapshot: () => Promise.reject(new Error('not asked for')),
    clock: createClock(() => Date.now()),
    localNow: () => Date.now(),
    random: () => 0.5,
    url: 'ws://host/cable',
    openSocket: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      return socket;
    },
    token: () => 'token',
    onRefused: vi.fn(),
    isLookedAt: () => false,
    onAccess: vi.fn(),
  });
  const open = async (organizationId = 'org-1') => {
    engine.open({ organizationId, isLarge: false, sees, awareness: false });
    await vi.advanceTimersByTimeAsync(0);
    sockets.at(-1)?.say(streamed('welcome'));
    sockets.at(-1)?.say(confirmAt(1));
    await vi.advanceTimersByTimeAsync(0);
  };
  let offset = 2;
  const say = async (member: object) => {
    const message = broken<WireMessage>({ type: 'member', member });
    sockets.at(-1)?.say(batchOf('e1', [{ offset: offset++, message }]));
    await vi.advanceTimersByTimeAsync(1000);
  };
  const asked = () => calls.filter(({ path }) => path === '/organization/users').map(({ query }) => query);
  const emails = () => members.list().map(({ email }) => email.split('@')[0]);
  return { members, http, engine, sockets, open, say, asked, emails };
}

describe('a noun that is declared', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: T0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const [first] = recorded('listMembers.ok').data as Member[] as [Member];
  const edited = recorded('updateUser.ok').data;

  it('is read with the assets, then heard, the older state losing', async () => {
    const r = rig();
    r.http.members = [first];
    await r.open();
    expect(r.asked()[0]).toEqual({ 'org_ids[]': ['org-1'], page: 1, per_page: 500, last_updated_timestamp: undefined });
    expect(r.emails()).toEqual(['administrator']);
    const told = vi.fn();
    r.members.subscribe(told);
    await r.say(edited);
    expect(r.emails()).toEqual(['administrator', 'viewer']);
    expect(told).toHaveBeenCalledTimes(1);
    await r.say({ ...edited, email: 'older@demo.example', version: edited.version - 1 });
    expect(r.members.get(edited.id)?.email).toBe(edited.email);
    expect(told).toHaveBeenCalledTimes(1);
    await r.say({ id: edited.id, is_deleted: true });
    expect(r.emails()).toEqual(['administrator']);
    r.engine.close();
  });

  it('catches up with what changed and went after a gap', async () => {
    const r = rig();
    r.http.members = [first];
    await r.open();
    r.http.changed = [edited, { id: first.id, is_deleted: true }];
    r.http.asOf = 9000;
    r.sockets.at(-1)?.say(streamed('reject_history'));
    await vi.advanceTimersByTimeAsync(0);
    expect(r.asked().at(-1)?.last_updated_timestamp).toBe(at(5));
    expect(r.emails()).toEqual(['viewer']);
    r.engine.close();
  });

  it('is read page by page and kept up to its limit', async () => {
    const r = rig();
    r.http.pages = 2;
    r.http.members = ['d', 'c', 'b', 'a'].map(id => ({ ...first, id, email: `${id}@demo.example` }));
    await r.open();
    expect(r.asked().map(({ page }) => page)).toEqual([1, 2, 1, 1]); // twice what changed: after the pages, and once live
    expect(r.emails()).toEqual(['a', 'b', 'c']);
    r.engine.close();
  });

  it('begins anew with another organization, and is not asked for where it may not be seen', async () => {
    const r = rig();
    r.http.members = [first];
    await r.open();
    r.http.members = [edited];
    await r.open('org-2');
    expect(r.emails()).toEqual(['viewer']);
    r.engine.close();
    const blind = rig([]);
    await blind.open();
    expect(blind.asked()).toEqual([]);
    blind.engine.close();
  });
});
