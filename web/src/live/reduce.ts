import type { Schemas, WireMessage, WireThing } from '~/api';
import { instantOf } from '~/model/instant';
import { type SnapshotHead, type SnapshotRows, thingOfRow, wholeRows } from '~/model/snapshot';
import { composeThing, isAccurateEnough, liveOfWire, type Thing, type ThingLive, thingOfWire } from '~/model/thing';
import { type Changes, noChanges, type Picture } from './picture';

/**
 * The newer of two states of an asset, part by part: the position by its own instant, the rest by the newest instant
 * a report carries. An older report changes nothing, an equal one is taken again; so the order of arrival is
 * irrelevant. Returns `thing` itself when nothing changed.
 */
export function mergeLive(thing: Thing, live: ThingLive, acceptPosition: boolean): Thing {
  const newerState = live.stampAt >= thing.stampAt;
  const newerPosition =
    acceptPosition &&
    live.hasPosition &&
    (!thing.hasPosition || live.at > thing.at || (live.at === thing.at && newerState));
  if (!newerState && !newerPosition) return thing;
  const state: ThingLive = newerState ? live : thing;
  const position: ThingLive = newerPosition ? live : thing;
  return composeThing(
    thing.id,
    thing,
    state,
    position,
    newerState && live.at === position.at ? live.staleAt : position.staleAt,
  );
}

/** The newer profile wins by version; a row of the compact snapshot never replaces a complete one. */
export function mergeThing(before: Thing, row: Thing): Thing {
  const takeProfile = row.version >= before.version && (row.isComplete || !before.isComplete);
  return mergeLive(takeProfile ? composeThing(row.id, row, before) : before, row, true);
}

function putRow(picture: Picture, row: Thing, changes: Changes): void {
  const before = picture.things.get(row.id);
  let next = before ? mergeThing(before, row) : row;
  const waiting = picture.orphans.get(row.id);
  if (waiting) {
    picture.orphans.delete(row.id);
    for (const live of waiting) next = mergeLive(next, live, isAccurateEnough(live));
  }
  picture.put(next, before, changes);
}

/**
 * Merges rows of a list answer; rows with `is_deleted` go. `asOf` is the answer's own instant: what the stream took
 * away after it stays away. `now` is server time (0 for `asOf` unknown).
 */
export function mergeRows(picture: Picture, rows: readonly WireThing[], asOf: number, now: number): Changes {
  const changes = noChanges();
  for (const row of rows) {
    if (row.is_deleted) picture.remove(row.id, asOf || now, changes);
    else if (!isGoneSince(picture, row.id, asOf)) putRow(picture, thingOfWire(row, now), changes);
  }
  return changes;
}

/** What stands here is newer than the snapshot: it was read, or told by the stream, after it. */
function isNewer(known: Thing, row: Thing, asOf: number): boolean {
  return known.stampAt > asOf && row.stampAt < known.stampAt;
}

/**
 * Merges rows of the compact snapshot, which says how everything stood at `asOf`. `lacking` tells that a row is not
 * known here and does not say all: only the whole snapshot can.
 */
export function mergeSnapshot(
  picture: Picture,
  rows: SnapshotRows,
  { texts, asOf }: SnapshotHead,
): { changes: Changes; lacking: boolean } {
  const changes = noChanges();
  const whole = wholeRows(rows);
  let lacking = false;
  for (let i = 0; i < rows.id.length; i++) {
    const id = rows.id[i] as string;
    if (isGoneSince(picture, id, asOf)) continue;
    const known = picture.things.get(id);
    if (!known && i >= whole) {
      lacking = true;
      continue;
    }
    const row = thingOfRow(rows, i, texts, known);
    if (!known) putRow(picture, row, changes);
    else if (!isNewer(known, row, asOf)) picture.put(row, known, changes);
  }
  return { changes, lacking };
}

/** Takes away assets that had gone by `asOf`. */
export function mergeGone(picture: Picture, ids: readonly string[], asOf: number): Changes {
  const changes = noChanges();
  for (const id of ids) picture.remove(id, asOf, changes);
  return changes;
}

function isGoneSince(picture: Picture, id: string, asOf: number): boolean {
  const gone = picture.gone.get(id);
  if (gone === undefined) return false;
  if (asOf !== 0 && asOf <= gone) return true;
  picture.gone.delete(id);
  return false;
}

function reduceOne(picture: Picture, m: WireMessage, now: number, changes: Changes): void {
  if (m.type === 'point' || m.type === 'heartbeat') {
    const live = liveOfWire(m.live, now);
    const thing = picture.things.get(m.live.id);
    if (thing) picture.put(mergeLive(thing, live, isAccurateEnough(live)), thing, changes);
    else if (!picture.gone.has(m.live.id)) picture.keepOrphan(m.live.id, live);
  } else if (m.type === 'thing' || m.type === 'admin') {
    const action = m.type === 'admin' ? m.action : undefined;
    if (action === 'removed' || m.thing.is_deleted) picture.remove(m.thing.id, now, changes);
    else if (action === 'added' || !picture.gone.has(m.thing.id)) {
      picture.gone.delete(m.thing.id);
      putRow(picture, thingOfWire(m.thing, now), changes);
    }
  }
}

/** Applies what one flush of stream messages says of assets; `now` is server time. */
export function reduceMessages(picture: Picture, messages: readonly WireMessage[], now: number): Changes {
  const changes = noChanges();
  for (const message of messages) {
    try {
      reduceOne(picture, message, now, changes);
    } catch {
      // A message that cannot be read costs itself, never the others of its second (requirements 5.data).
    }
  }
  return changes;
}

/** The instant of a list answer, 0 when it carries none. */
export function asOfMeta(meta: Pick<Schemas['Meta'], 'as_of'> | undefined): number {
  return instantOf(meta?.as_of);
}
