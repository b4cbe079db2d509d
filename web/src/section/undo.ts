import { api, asFailure, type Schemas, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { toast } from '~/ui';

export type Undoable = Schemas['Undoable'];
/** The nouns whose changes can be undone; a new one gets its call below. */
export type UndoNoun = Undoable['noun'];

type Change = Pick<Undoable, 'id' | 'version'>;

/** Sends the undo, and takes the row that it answers into the live picture at once: its message may come later. */
const sent: Readonly<Record<UndoNoun, (id: string, body: Schemas['Undo']) => Promise<void>>> = {
  area: async (id, body) => {
    const row = await api.data('POST /organization/exclusion_zone/{id}/undo', { path: { id }, body });
    const rows = liveStore.of('area');
    rows.merge([row], 0, serverClock.now());
    rows.tell();
  },
  location: async (id, body) => {
    const row = await api.data('POST /locations/{id}/undo', { path: { id }, body });
    const rows = liveStore.of('location');
    rows.merge([row], 0, serverClock.now());
    rows.tell();
  },
};

/** Undoes the change that made a version. Throws the client's failure. */
export const undo = (noun: UndoNoun, { id, version }: Change): Promise<void> => sent[noun](id, { version });

/** Why an undo was refused. */
export const sayUndo = (error: unknown): string => say('undo', asFailure(error));

/** Says what was done, and offers the way back while the text stands. */
export function toastUndo(text: string, noun: UndoNoun, change: Change): void {
  const back = () =>
    undo(noun, change).then(
      () => toast('Change undone'),
      error => toast(sayUndo(error), { tone: 'danger' }),
    );
  toast(text, { action: { label: 'Undo', onPress: () => void back() } });
}
