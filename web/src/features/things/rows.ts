import limits from '@catalog/limits.json';
import { groupThings, type ThingGroup } from '~/model/group';
import { Status } from '~/model/status';
import type { Thing } from '~/model/thing';
import type { DrawnRows } from '~/section/drawnRows';

const ROW_PX = limits.lists.assetRowPx.value;
const ROW_OOS_PX = limits.lists.assetRowOutOfServicePx.value;
const GROUP_PX = 32;
/** A head of a group is pressed: on a phone by a thumb. */
const GROUP_PHONE_PX = 44;

const GROUP_PREFIX = 'group:';

/** A group with what its head says beside its name. */
export interface RowGroup extends ThingGroup {
  /** how many of its assets in service are on scene, and how many are on the way: as the head of the list counts them */
  onScene: number;
  active: number;
}

/** The list as it is drawn: keys of group heads and asset ids. */
export interface ListRows extends DrawnRows {
  groups: ReadonlyMap<string, RowGroup>;
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
  /** how much larger than usual the browser writes */
  scale?: number;
}

/** Rows of 65 px, 90 px out of service (requirements 9.ui), and heads of groups; higher where letters are larger. */
export function listRows({ ids, get, subscribed, folded, isPhone = false, scale = 1 }: RowsInput): ListRows {
  const rowPx = Math.ceil(ROW_PX * scale);
  const rowOosPx = Math.ceil(ROW_OOS_PX * scale);
  const headPx = Math.ceil((isPhone ? GROUP_PHONE_PX : GROUP_PX) * scale);
  if (!subscribed) {
    const heights = Uint16Array.from(ids, (id, i) => (get(id, i)?.inService === false ? rowOosPx : rowPx));
    return { keys: ids, heights, groups: new Map(), heads: [] };
  }
  const outOfService = new Set<string>();
  const onScene = new Set<string>();
  const active = new Set<string>();
  const noted = (id: string, i: number) => {
    const thing = get(id, i);
    if (thing?.inService === false) outOfService.add(id);
    else if (thing?.status === Status.LOCATION) onScene.add(id);
    else if (thing?.status === Status.ACTIVE) active.add(id);
    return thing;
  };
  const keys: string[] = [];
  const heads: number[] = [];
  const groups = new Map<string, RowGroup>();
  const found = groupThings(ids, noted, subscribed);
  const heights = new Uint16Array(ids.length + found.length).fill(rowPx);
  for (const group of found) {
    const key = `${GROUP_PREFIX}${group.key}`;
    heights[keys.length] = headPx;
    heads.push(keys.length);
    keys.push(key);
    const among = (alerting: ReadonlySet<string>) => group.ids.filter(id => alerting.has(id)).length;
    groups.set(key, { ...group, onScene: among(onScene), active: among(active) });
    if (folded.has(key)) continue;
    for (const id of group.ids) {
      if (outOfService.size > 0 && outOfService.has(id)) heights[keys.length] = rowOosPx;
      keys.push(id);
    }
  }
  return { keys, heights, groups, heads };
}
