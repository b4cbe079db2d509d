import { describe, expect, it } from 'vitest';
import { AssetColumns } from '~/model/batch';
import { Status } from '~/model/status';
import { makeThing } from '~/model/testing';
import type { Thing } from '~/model/thing';
import { anchorAt, offsetOf } from '~/section/drawnRows';
import { holdOrder } from '~/section/hold';
import { listRows } from './rows';
import { Trail } from './trail';

const things = new Map<string, Thing>(
  ['a', 'b', 'c', 'd'].map(id => [
    id,
    makeThing({
      id,
      inService: id !== 'c',
      organization: { id: id === 'd' ? 'city' : 'me', name: id === 'd' ? 'City' : 'Fire', type: '' },
    }),
  ]),
);
const get = (id: string) => things.get(id);
const ids = ['a', 'b', 'c', 'd'];

describe('rows', () => {
  // spec: 9.ui.02, 4.status.09
  it('are 65 px high, 90 px out of service', () => {
    const rows = listRows({ ids, get, subscribed: null, folded: new Set() });
    expect(rows.keys).toBe(ids);
    expect(Array.from(rows.heights)).toEqual([65, 65, 90, 65]);
  });

  // spec: 2.things.04
  it('are grouped under heads that fold', () => {
    const input = { ids, get, subscribed: { id: 'me', name: 'Fire' } };
    const rows = listRows({ ...input, folded: new Set() });
    expect(rows.keys).toEqual(['group:owned:me', 'a', 'b', 'c', 'group:managed:city', 'd']);
    expect(rows.groups.get('group:owned:me')?.label).toBe('Fire (ONLY)');
    expect(offsetOf(rows, 'c')).toBe(32 + 65 + 65);
    // A thumb needs 44 px.
    expect(offsetOf(listRows({ ...input, folded: new Set(), isPhone: true }), 'c')).toBe(44 + 65 + 65);
    const folded = listRows({ ...input, folded: new Set(['group:owned:me']) });
    expect(folded.keys).toEqual(['group:owned:me', 'group:managed:city', 'd']);
  });

  it('say where the heads are, and how many of each are on scene and on the way, as the head of the list: none out of service', () => {
    const subscribed = { id: 'me', name: 'Fire' };
    const lit = (id: string) => {
      const thing = things.get(id) as Thing;
      return id === 'b' || id === 'd' ? { ...thing, status: Status.LOCATION } : thing;
    };
    const { heads, groups } = listRows({ ids, get: lit, subscribed, folded: new Set(['group:managed:city']) });
    expect(heads).toEqual([0, 4]);
    expect([...groups.values()].map(group => [group.onScene, group.active])).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  it('grow with the letters', () => {
    const rows = listRows({ ids, get, subscribed: { id: 'me', name: 'Fire' }, folded: new Set(), scale: 2 });
    expect(Array.from(rows.heights)).toEqual([64, 130, 130, 180, 64, 130]);
  });

  it('know what stands at the top edge', () => {
    const rows = listRows({ ids, get, subscribed: { id: 'me', name: 'Fire' }, folded: new Set() });
    expect(anchorAt(rows, 10)).toBeUndefined(); // a head: groups move as they like
    expect(anchorAt(rows, 32 + 65 + 20)).toEqual({ key: 'b', into: 20, head: 'group:owned:me' });
    expect(offsetOf(rows, 'nobody')).toBeUndefined();
  });
});

describe('a list that is read', () => {
  const exists = (id: string) => id !== 'gone';

  it('keeps its rows in their places; new ones wait', () => {
    expect(holdOrder(['a', 'b', 'c'], ['c', 'a', 'b', 'new'], exists)).toEqual({
      ids: ['a', 'b', 'c'],
      waiting: ['new'],
      differs: true,
    });
  });

  it('keeps rows that the filter would no longer show and drops what is gone', () => {
    expect(holdOrder(['a', 'gone', 'b'], ['b'], exists)).toEqual({ ids: ['a', 'b'], waiting: [], differs: true });
  });

  it('differs in nothing while nothing changes', () => {
    const held = ['a', 'b'];
    const order = holdOrder(held, ['a', 'b'], exists);
    expect(order.differs).toBe(false);
    expect(order.ids).toBe(held);
  });
});

describe('the trail', () => {
  const asset = (id: string, at: number, lat: number) => ({
    row: 0,
    id,
    lat,
    lng: 2,
    course: null,
    speed: 0,
    status: 'ACTIVE' as const,
    type: 'fire' as const,
    inService: true,
    at,
    staleAt: 0,
    shown: true,
    label: '',
  });

  it('collects newer fixes of the selected asset only', () => {
    const trail = new Trail();
    trail.start('a', { lat: 1, lng: 2, at: 10, hasPosition: true });
    expect(trail.follow({ upserted: AssetColumns.of([asset('b', 20, 5)]), removed: [] })).toBeUndefined();
    expect(trail.follow({ upserted: AssetColumns.of([asset('a', 10, 5)]), removed: [] })).toBeUndefined();
    expect(trail.follow({ upserted: AssetColumns.of([asset('a', 20, 1.5)]), removed: [] })).toEqual([
      { lat: 1, lng: 2 },
      { lat: 1.5, lng: 2 },
    ]);
    trail.start(null, undefined);
    expect(trail.follow({ upserted: AssetColumns.of([asset('a', 30, 2)]), removed: [] })).toBeUndefined();
  });

  it('keeps the last 60', () => {
    const trail = new Trail();
    trail.start('a', undefined);
    for (let i = 1; i < 100; i++) trail.follow({ upserted: AssetColumns.of([asset('a', i, i)]), removed: [] });
    const points = trail.follow({ upserted: AssetColumns.of([asset('a', 100, 100)]), removed: [] });
    expect(points).toHaveLength(60);
    expect(points?.at(-1)?.lat).toBe(100);
  });
});
