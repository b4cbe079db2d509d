import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type Schemas, texts } from '~/api';
import { type DraftParts, EditForm, type FormOf, type Shape, useDraft } from '~/office';
import { Button, EmptyState, toast } from '~/ui';
import { DrawerScreen } from './DrawerScreen';
import { formLook } from './formLook';
import { useGo } from './paths';
import { BegunRow, type Now, type Shown } from './shown';
import { authorOf, toastUndo, type UndoNoun } from './undo';

/** What a screen must know of the noun that it edits. */
interface Edited {
  readonly what: string;
  readonly list: string;
  readonly detail: (id: string) => string;
}

interface EditScreenProps<Row> {
  noun: Edited;
  id: string;
  /** what the row is called, once that is known */
  name: string | undefined;
  shown: Shown<Row>;
  /** The form of the row as it was begun with, how it stands by now, and the way back to its detail. */
  children: (row: Row, now: Now<Row>, done: () => void) => ReactNode;
}

/** The frame of a screen that edits a row. */
export function EditScreen<Row>({ noun, id, name, shown, children }: EditScreenProps<Row>) {
  const go = useGo();
  const to = noun.detail(id);
  const loading = `Loading ${noun.what.toLowerCase()}`;
  return (
    <DrawerScreen
      id={id}
      list={noun.list}
      label={`Edit ${noun.what}`}
      back={{ label: name ?? noun.what, to }}
      isForm
      keepsMap
    >
      <BegunRow shown={shown} loading={loading} back={{ label: 'Back', to }}>
        {(row, now) => children(row, now, () => go(to))}
      </BegunRow>
    </DrawerScreen>
  );
}

/** A row that an edit made; the version tells whether it made one. */
interface Saved {
  id: string;
  version: number;
}

interface RowFormProps<S extends Shape, Row> extends Omit<DraftParts<S, Row>, 'begun' | 'send' | 'noun' | 'author'> {
  what: string;
  row: Row;
  /** Saves what was changed; answers the row that it made. Not called where nothing was. */
  save: DraftParts<S, Row>['send'] extends (...args: infer Args) => unknown ? (...args: Args) => Promise<Saved> : never;
  /** The noun whose edits can be undone; none: they cannot. */
  undo?: UndoNoun;
  /** Says that it was saved, where that is more than "Zone saved"; `version` when an edit can be undone. */
  toastSaved?: (version: number | undefined) => void;
  /** Whether the user may edit it. A courtesy; the server decides. */
  mayEdit: boolean;
  onDone: () => void;
  children: (form: UseFormReturn<FormOf<S>>) => ReactNode;
}

/** What an edit has to know of a row. */
export type EditedRow = Pick<Schemas['Area'], 'id' | 'organization_id' | 'version'>;

/** The form of a row: saves what was changed, offers to undo that, and leads back. */
export function RowForm<S extends Shape, Row extends EditedRow>({
  what,
  row,
  save,
  undo,
  toastSaved,
  mayEdit,
  onDone,
  children,
  ...parts
}: RowFormProps<S, Row>) {
  const say = (version: number | undefined) => {
    if (toastSaved) toastSaved(version);
    else if (undo && version !== undefined) toastUndo(`${what} saved`, undo, { id: row.id, version });
    else toast(`${what} saved`);
  };
  const draft = useDraft<S, Row>({
    ...parts,
    begun: row,
    send: async (changes, base, values) => {
      const saved = Object.keys(changes).length > 0 ? await save(changes, base, values) : undefined;
      say(saved && saved.version !== base.version ? saved.version : undefined);
      onDone();
    },
    noun: what.toLowerCase(),
    ...(undo && { author: did => authorOf(undo, row, did) }),
  });
  if (!mayEdit) return <EmptyState title={texts.chrome.forbidden} action={<Button onPress={onDone}>Back</Button>} />;
  return (
    <EditForm label={what} draft={draft} cancel={onDone} look={formLook}>
      {children(draft.form)}
    </EditForm>
  );
}
