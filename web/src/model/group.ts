import type { Thing } from './thing';

/** A head of the grouped list. */
export interface ThingGroup {
  key: string;
  label: string;
  owned: boolean;
  ids: readonly string[];
}

export interface GroupKey {
  key: string;
  name: string;
  owned: boolean;
  /** the subscribed organization's own assets without relationships */
  only: boolean;
}

/**
 * Under which organization an asset stands (requirements 6.group): an owned asset under the organization of its
 * relationship, or under the subscribed organization itself when it has none; any other under its owner.
 */
export function groupKeyOf(
  thing: Pick<Thing, 'organization' | 'relationships'>,
  subscribed: { id: string; name: string },
): GroupKey {
  if (thing.organization.id !== subscribed.id) {
    return { key: `managed:${thing.organization.id}`, name: thing.organization.name, owned: false, only: false };
  }
  const first = firstByName(thing.relationships);
  if (!first) return { key: `owned:${subscribed.id}`, name: subscribed.name, owned: true, only: true };
  return { key: `owned:${first.organizationId}`, name: first.organizationName, owned: true, only: false };
}

function firstByName(relationships: Thing['relationships']) {
  let first = relationships[0];
  for (const r of relationships) {
    if (first && r.organizationName.toLowerCase() < first.organizationName.toLowerCase()) first = r;
  }
  return first;
}

/** The words of a group head. */
export function groupLabel(k: Pick<GroupKey, 'name' | 'owned' | 'only'>): string {
  if (k.only) return `${k.name} (ONLY)`;
  return k.owned ? k.name : `Managed · ${k.name}`;
}

const byName = (a: string, b: string) => {
  const x = a.toLowerCase();
  const y = b.toLowerCase();
  return x < y ? -1 : x > y ? 1 : 0;
};

/**
 * Groups an ordered list; inside a group the order stays. Owned groups come first, the subscribed organization's
 * own before the others, then by name; managed groups after them by name.
 */
export function groupThings(
  ids: readonly string[],
  get: (id: string, index: number) => Thing | undefined,
  subscribed: { id: string; name: string },
): ThingGroup[] {
  const groups = new Map<string, { head: GroupKey; ids: string[] }>();
  // Assets of one owner with the same relationships stand together: only the first of them is asked for its group.
  const found = new Map<unknown, string[]>();
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as string;
    const thing = get(id, i);
    if (!thing) continue;
    const alike =
      thing.organization.id === subscribed.id && thing.relationships.length > 0
        ? thing.relationships
        : thing.organization.id;
    const known = found.get(alike);
    if (known) {
      known.push(id);
      continue;
    }
    const head = groupKeyOf(thing, subscribed);
    const group = groups.get(head.key) ?? { head, ids: [] };
    group.ids.push(id);
    groups.set(head.key, group);
    found.set(alike, group.ids);
  }
  const own = `owned:${subscribed.id}`;
  const rank = (k: GroupKey) => (k.key === own ? 0 : k.owned ? 1 : 2);
  return [...groups.values()]
    .sort((a, b) => rank(a.head) - rank(b.head) || byName(a.head.name, b.head.name) || byName(a.head.key, b.head.key))
    .map(g => ({ key: g.head.key, label: groupLabel(g.head), owned: g.head.owned, ids: g.ids }));
}
