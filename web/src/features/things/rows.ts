import limits from '@catalog/limits.json';
import { groupThings, type ThingGroup } from '~/model/group';
import type { Thing } from '~/model/thing';

const ROW_PX = limits.lists.assetRowPx.value;
const ROW_OOS_PX = limits.lists.assetRowOutOfServicePx.value;
const GROUP_PX = 32;
/** A head of a group is pressed: on a phone by a thumb. */
const GROUP_PHONE_PX = 44;

const GROUP_PREFIX = 'group:';

/** The list as it is drawn: keys of group heads and asset ids in order, and how high each of them is in px. */
export interface ListRows {
  keys: readonly string[];
  heights: Uint8Array;
  groups: ReadonlyMap<string, ThingGroup>;
}

export const isGroupKey = (key: string) => key.startsWith(GROUP_PREFIX);

export interface RowsInput {
  ids: readonly string[];
  /** an asset by its id, or sooner by its place in `ids` */
  get: (id: string, index: number) => Thing | undefined;
  /** null: not grouped */
  subscribed: { id: string; name: string } | null;
  folded: ReadonlySet<string>;
  isPhone?: boolean;
}

/** Rows of 65 px, 90 px out of service (specification section 9), and heads of groups. */
export function listRows({ ids, get, subscribed, folded, isPhone = false }: RowsInput): ListRows {
  if (!subscribed) {
    return { keys: ids, heights: Uint8Array.from(ids, (id, i) => rowHeight(get(id, i))), groups: new Map() };
  }
  const outOfService = new Set<string>();
  const noted = (id: string, i: number) => {
    const thing = get(id, i);
    if (thing?.inService === false) outOfService.add(id);
    return thing;
  };
  const keys: string[] = [];
  const groups = new Map<string, ThingGroup>();
  const found = groupThings(ids, noted, subscribed);
  const heights = new Uint8Array(ids.length + found.length).fill(ROW_PX);
  for (const group of found) {
    const key = `${GROUP_PREFIX}${group.key}`;
    heights[keys.length] = isPhone ? GROUP_PHONE_PX : GROUP_PX;
    keys.push(key);
    groups.set(key, group);
    if (folded.has(key)) continue;
    for (const id of group.ids) {
      if (outOfService.size > 0 && outOfService.has(id)) heights[keys.length] = ROW_OOS_PX;
      keys.push(id);
    }
  }
  return { keys, heights, groups };
}

const rowHeight = (thing: Thing | undefined) => (thing?.inService === false ? ROW_OOS_PX : ROW_PX);

/** Px from the top of the list to a row; undefined when it is not in it. */
export function offsetOf({ keys, heights }: ListRows, key: string): number | undefined {
  let y = 0;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === key) return y;
    y += heights[i] as number;
  }
  return undefined;
}

/** The row at a scroll position and how far it is scrolled out: what must stay where it is when the order changes. */
export function anchorAt({ keys, heights }: ListRows, scrollTop: number): { key: string; into: number } | undefined {
  let y = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const height = heights[i] as number;
    if (y + height > scrollTop) return isGroupKey(key) ? undefined : { key, into: scrollTop - y };
    y += height;
  }
  return undefined;
}
