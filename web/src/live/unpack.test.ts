import { describe, expect, it } from 'vitest';
import type { WireSnapshot } from '~/api';
import { defaultFilter } from '~/model/filter';
import { thingOfRow } from '~/model/snapshot';
import { snapshotOf } from '~/model/testing';
import { LiveStore } from './store';
import { at, rowAt, seeded, shuffled, T0 } from './testing';
import { PART_ROWS, partsOf, readSnapshot, unpackHere } from './unpack';

const STATUSES = ['active_location', 'active', 'standby', 'pending', 'offline'] as const;
const rows = shuffled(
  Array.from({ length: 3 * PART_ROWS }, (_, i) =>
    rowAt(`t${i}`, i, { nickname: `Unit ${i}`, status: STATUSES[i % STATUSES.length] ?? 'offline', location: null }),
  ),
  seeded(4),
);

describe('the parts of a snapshot', () => {
  it('come in the order of the list, a short one first, and hold every row once', () => {
    const parts = [...partsOf(snapshotOf(rows, at(0)))];
    expect(parts[0]?.id.length).toBeLessThan(PART_ROWS);
    expect(Math.max(...parts.map(part => part.id.length))).toBe(PART_ROWS);
    const store = new LiveStore(defaultFilter(true));
    store.reset('org-1');
    store.applyRows(rows, T0, T0, true);
    expect(parts.flatMap(part => part.id)).toEqual(store.visibleIds());
  });

  it('keep the order of changes, in which columns end', () => {
    const changes: WireSnapshot = { ...snapshotOf(rows, at(0)), nickname: ['New', 'Newer'] };
    const parts = [...partsOf(changes)];
    expect(parts.flatMap(part => part.id)).toEqual(changes.id);
    expect(parts.map(part => part.nickname.length)).toEqual([2, ...parts.slice(1).map(() => 0)]);
  });

  it('read like the whole', async () => {
    const snapshot = snapshotOf(rows, at(0));
    const { head, parts } = unpackHere(snapshot);
    const read = new Map<string, unknown>();
    for await (const part of parts()) {
      for (const [i, id] of part.id.entries()) read.set(id, thingOfRow(part, i, head.texts, undefined));
    }
    expect(read.size).toBe(rows.length);
    for (const i of [0, 77, rows.length - 1])
      expect(read.get(snapshot.id[i] ?? '')).toEqual(thingOfRow(snapshot, i, head.texts, undefined));
  });

  it('are none of an answer that lacks a column', () => {
    const { at: _at, ...others } = snapshotOf(rows, at(0));
    expect(() => readSnapshot(JSON.stringify({ data: others }))).toThrow('snapshot: at is not a list');
    expect(readSnapshot(JSON.stringify({ data: snapshotOf(rows, at(0)) })).count).toBe(rows.length);
  });
});
