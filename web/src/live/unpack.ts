import type { WireSnapshot } from '~/api';
import { headOfSnapshot, SNAPSHOT_COLUMNS, type SnapshotHead, type SnapshotRows, wholeRows } from '~/model/snapshot';
import { compareThings } from '~/model/sort';
import { primaryName } from '~/model/thing';

/** The first part stands on the screen at once; each of the others is one task of the page, well below a blink. */
const FIRST_ROWS = 200;
export const PART_ROWS = 1000;

/** An answer of the snapshot: what it says of itself, and its rows a part at a time. */
export interface Unpacked {
  head: SnapshotHead;
  parts: () => AsyncIterable<SnapshotRows>;
}

/** An answer that does not say what a snapshot has to say is none: its columns have to be there. */
export function readSnapshot(text: string): WireSnapshot {
  const answer = JSON.parse(text) as WireSnapshot | { data: WireSnapshot };
  return checkedSnapshot('data' in answer ? answer.data : answer);
}

/** Throws when a column is missing or not a list: rows without a place would be drawn as no rows at all. */
export function checkedSnapshot(snapshot: WireSnapshot): WireSnapshot {
  for (const name of SNAPSHOT_COLUMNS) {
    if (!Array.isArray(snapshot[name])) throw new TypeError(`snapshot: ${name} is not a list`);
  }
  return snapshot;
}

/**
 * The rows of a snapshot in parts. A whole one comes in the order of the list, so that what is shown first stays where
 * it is while the rest arrives; one of changes keeps its own order, in which columns end.
 */
export function* partsOf(snapshot: WireSnapshot): Generator<SnapshotRows> {
  const isWhole = wholeRows(snapshot) >= snapshot.count;
  const order = isWhole ? listOrder(snapshot) : undefined;
  let from = 0;
  for (let rows = FIRST_ROWS; from < snapshot.count; rows = PART_ROWS) {
    yield rowsOf(snapshot, from, Math.min(snapshot.count, from + rows), order);
    from += rows;
  }
}

type Column = readonly (string | number)[];

function rowsOf(snapshot: WireSnapshot, from: number, to: number, order: Uint32Array | undefined): SnapshotRows {
  const part = {} as Record<string, Column>;
  for (const name of SNAPSHOT_COLUMNS) {
    const column: Column = snapshot[name];
    part[name] = order
      ? Array.from(order.subarray(from, to), i => column[i] as string | number)
      : column.slice(from, to);
  }
  return part as unknown as SnapshotRows;
}

/** The places of the rows in the order of the list. */
function listOrder(s: WireSnapshot): Uint32Array {
  const facts = s.id.map((id, i) => ({
    i,
    id,
    status: s.status[i] as Parameters<typeof compareThings>[0]['status'],
    nameKey: primaryName(s.nickname[i] as string, s.haas_id[i] as string).toLowerCase(),
    heartbeatAt: s.heartbeat_at[i] as number,
  }));
  return Uint32Array.from(facts.sort(compareThings), f => f.i);
}

/** A snapshot that has been read already, in this thread. */
export function unpackHere(snapshot: WireSnapshot): Unpacked {
  checkedSnapshot(snapshot);
  return {
    head: headOfSnapshot(snapshot),
    parts: async function* () {
      yield* partsOf(snapshot);
    },
  };
}
