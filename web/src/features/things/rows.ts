import limits from '@catalog/limits.json';
import { groupThings, type ThingGroup } from '~/model/group';
import type { Thing } from '~/model/thing';

const ROW_PX = limits.lists.assetRowPx.value;
const ROW_OOS_PX = limits.lists.assetRowOutOfServicePx.value;
const GROUP_PX = 32;
/** A head of a group is pressed: on a phone by a thumb. */
const GROUP_PHONE_PX = 44;

const GROUP_PREFIX = 'group:';

/** The list as it is drawn: keys of group heads and asset ids, in order, with their heights in px. */
export interface ListRows {
  keys: readonly string[];
  heights: ReadonlyMap<string, number>;
  groups: ReadonlyMap<string, ThingGroup>;
}

export const isGroupKey = (key: string) => key.startsWith(GROUP_PREFIX);

export interface RowsInput {
  ids: readonly string[];
  get: (id: string) => Thing | undefined;
  /** null: not grouped */
  subscribed: { id: string; name: string } | null;
  folded: ReadonlySet<string>;
  isPhone?: boolean;
}

/** Rows of 65 px, 90 px out of service (specification section 9), and heads of groups. */
export function listRows({ ids, get, subscribed, folded, isPhone = false }: RowsInput): ListRows {
  const heights = new Map<string, number>();
  for (const id of ids) if (get(id)?.inService === false) heights.set(id, ROW_OOS_PX);
  if (!subscribed) return { keys: ids, heights, groups: new Map() };
  const keys: string[] = [];
  const groups = new Map<string, ThingGroup>();
  for (const group of groupThings(ids, get, subscribed)) {
    const key = `${GROUP_PREFIX}${group.key}`;
    keys.push(key);
    groups.set(key, group);
    heights.set(key, isPhone ? GROUP_PHONE_PX : GROUP_PX);
    if (!folded.has(key)) for (const id of group.ids) keys.push(id);
  }
  return { keys, heights, groups };
}

export const heightOf = (rows: ListRows, key: string) => rows.heights.get(key) ?? ROW_PX;

/** Px from the top of the list to a row; undefined when it is not in it. */
export function offsetOf(rows: ListRows, key: string): number | undefined {
  let y = 0;
  for (const k of rows.keys) {
    if (k === key) return y;
    y += heightOf(rows, k);
  }
  return undefined;
}

/** The row at a scroll position and how far it is scrolled out: what must stay where it is when the order changes. */
export function anchorAt(rows: ListRows, scrollTop: number): { key: string; into: number } | undefined {
  let y = 0;
  for (const key of rows.keys) {
    const height = heightOf(rows, key);
    if (y + height > scrollTop) return isGroupKey(key) ? undefined : { key, into: scrollTop - y };
    y += height;
  }
  return undefined;
}
