import { api, asFailure, type Schemas, say } from '~/api';
import type { Undone } from '~/imports';
import { NOUNS } from '~/live/nouns';
import type { Author, Did } from '~/model/changed';
import { toast } from '~/ui';
import { keepRow } from './nounRow';

export type Undoable = Schemas['Undoable'];
/** Imports that are undone as a whole. */
export type ImportNoun = Extract<Undoable['noun'], `${string}_import`>;
/** The nouns whose changes can be undone. */
export type UndoNoun = Exclude<Undoable['noun'], ImportNoun>;

type Change = Pick<Undoable, 'id' | 'version'>;

/** Undoes the change that made a version. Throws the client's failure. */
export async function undo(noun: UndoNoun, { id, version }: Change): Promise<void> {
  // The live picture has the active events alone; they are changed where all are.
  const path = noun === 'location' ? '/locations' : NOUNS[noun].path;
  keepRow(noun, await api.data(`POST ${path}/{id}/undo` as const, { path: { id }, body: { version } }));
}

/** An import of thousands of rows is undone for longer than other calls take. */
const timeoutMs = 300_000;

const wholes = {
  area_import: id => api.data('POST /organization/exclusion_zone/import/{id}/undo', { path: { id }, timeoutMs }),
  hazard_import: id => api.data('POST /organization/hazards/import/{id}/undo', { path: { id }, timeoutMs }),
} satisfies Readonly<Record<ImportNoun, (id: string) => Promise<Undone>>>;

/** Undoes a whole import. The stream tells what becomes of each row. Throws the client's failure. */
export const undoImport = (noun: ImportNoun, id: string): Promise<Undone> => wholes[noun](id);

/** Who made a record what it is now, by what can be undone; undefined where that does not tell. */
export async function authorOf(
  noun: UndoNoun,
  { id, organization_id }: Pick<Schemas['Area'], 'id' | 'organization_id'>,
  did: Did,
): Promise<Author | undefined> {
  const { data } = await api.request('GET /organization/undo', { query: { 'org_ids[]': [organization_id] } });
  return data.find(row => row.noun === noun && row.id === id && (row.verb === 'delete') === (did === 'deleted'));
}

/** Why an undo was refused. */
export const sayUndo = (error: unknown): string => say('undo', asFailure(error));

/** Says what was done, and offers the way back while the text stands. */
export const toastUndo = (text: string, noun: UndoNoun, change: Change): void =>
  toastBack(text, () => undo(noun, change));

/** The same for what is not on the map; `undo` throws the client's failure. */
export function toastBack(text: string, undo: () => Promise<unknown>): void {
  const back = () =>
    undo().then(
      () => toast('Change undone'),
      error => toast(sayUndo(error), { tone: 'danger' }),
    );
  toast(text, { action: { label: 'Undo', onPress: () => void back() } });
}
