import type { SectionMap, SectionRow } from '~/section/section';

/** What a section brings to the map. */
export interface OnMap extends SectionMap {
  readonly id: string;
}

const loads = new WeakMap<readonly SectionRow[], Promise<readonly OnMap[]>>();

/** What the sections bring to the map: on its way since it was first asked for, beside the map itself. */
export function sectionMaps(table: readonly SectionRow[]): Promise<readonly OnMap[]> {
  const begun = loads.get(table) ?? Promise.all(table.flatMap(row => (row.map ? [loaded(row.id, row.map)] : [])));
  loads.set(table, begun);
  return begun;
}

const loaded = async (id: string, load: () => Promise<SectionMap>): Promise<OnMap> => ({ id, ...(await load()) });
