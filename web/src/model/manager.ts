/** The tabs of Manage Accounts & Users (requirements 2.manager), and what else an administrator looks after. */
export type ManagerTab = 'account' | 'user' | 'organization' | 'thing' | 'billing' | (string & {});

/** What a tab shows: its list, one target to read, or one to edit; a form without a target makes a new one. */
export type ManagerView = 'list' | 'form' | 'formRead';

/** Where in a tab somebody is. */
export interface ManagerPlace {
  view: ManagerView;
  /** The id of what is read or edited; undefined in a list and for a new one. */
  target: string | undefined;
}

export const ACCOUNTS_PATH = '/dashboard/accounts';

/** The word that stands in place of an id for a new one. */
const NEW = 'new';

/** The address of a place: /{tab}, /{tab}/{id}, /{tab}/{id}/edit, /{tab}/new. */
export function managerPath(tab: ManagerTab, place: Partial<ManagerPlace> = {}): string {
  const { view = 'list', target } = place;
  const base = `${ACCOUNTS_PATH}/${tab}`;
  if (view === 'list') return base;
  if (target === undefined) return `${base}/${NEW}`;
  return `${base}/${encodeURIComponent(target)}${view === 'form' ? '/edit' : ''}`;
}

/** Reads a place from the parts of its address. */
export function placeOf(id: string | undefined, isEdit: boolean): ManagerPlace {
  if (id === undefined) return { view: 'list', target: undefined };
  if (id === NEW && !isEdit) return { view: 'form', target: undefined };
  return { view: isEdit ? 'form' : 'formRead', target: id };
}
