import { type ComponentType, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Operation } from '~/api';
import { useRow } from '~/live';
import type { DraftParts, FormOf, Shape } from '~/office';
import { toast } from '~/ui';
import { type EditedRow, EditScreen, RowForm } from './EditScreen';
import { NewForm, NewScreen, useNewId } from './NewScreen';
import { type EditedType, type SectionNoun, sayField, type WriteOf } from './noun';
import type { RowOf } from './nounRow';
import { useFullReach } from './reach';
import type { Now } from './shown';
import type { UndoNoun } from './undo';

/** The nouns of which a new row has its id in the field `id`. */
type Type = { [T in EditedType & UndoNoun]: 'id' extends keyof WriteOf<T> ? T : never }[EditedType & UndoNoun];

type Row<T extends Type> = RowOf<T> & EditedRow;

/** The form of a noun, for the screen that makes a row and the one that edits one. */
export interface RowForms<T extends Type, S extends Shape>
  extends Pick<DraftParts<S, Row<T>>, 'schema' | 'read' | 'together' | 'theirs'> {
  readonly noun: SectionNoun<T>;
  readonly schema: z.ZodMiniObject<S>;
  readonly nameOf: (row: Row<T>) => string;
  /** The body of POST and PUT: what was changed; `values` are all fields, `was` the row that an edit began with. */
  readonly write: (changes: Partial<FormOf<S>>, values: FormOf<S>, was?: Row<T>) => WriteOf<T>;
  /** the texts of what is refused, if it has its own */
  readonly operation?: Operation;
  /** Whether the user may edit a row; else who reaches its organization in full may. A courtesy; the server decides. */
  readonly useMayEdit?: (row: Row<T>) => boolean;
  /** what is filled in */
  readonly Fields: ComponentType<{ form: UseFormReturn<FormOf<S>>; id: string }>;
}

interface OfForms<T extends Type, S extends Shape> {
  forms: RowForms<T, S>;
}

/** Makes a row; `begin` says what its form begins with. */
export function NewRow<T extends Type, S extends Shape>({ forms, begin }: OfForms<T, S> & { begin: () => FormOf<S> }) {
  const { noun, schema, write, operation = 'row.save', Fields } = forms;
  const id = useNewId();
  const [begun] = useState(begin);
  return (
    <NewScreen noun={noun} id={id}>
      <NewForm
        noun={noun}
        id={id}
        schema={schema}
        begun={begun}
        send={async (values, organization_id) => {
          await noun.add({ ...write(values, values), id, organization_id });
          toast(`${noun.what} added`);
        }}
        say={sayField(operation, noun.what)}
      >
        {form => <Fields form={form} id={id} />}
      </NewForm>
    </NewScreen>
  );
}

/** Edits a row. */
export function EditRow<T extends Type, S extends Shape>({ forms, id }: OfForms<T, S> & { id: string }) {
  const { noun, nameOf } = forms;
  const row = useRow(noun.type, id) as Row<T> | undefined;
  return (
    <EditScreen noun={noun} id={id} name={row && nameOf(row)} shown={noun.useShown(id)}>
      {(begun, now, done) => <Edit forms={forms} row={begun as Row<T>} now={now as Now<Row<T>>} onDone={done} />}
    </EditScreen>
  );
}

interface EditProps<T extends Type, S extends Shape> extends OfForms<T, S> {
  row: Row<T>;
  now: Now<Row<T>>;
  onDone: () => void;
}

const useReached = (row: EditedRow): boolean => useFullReach(row.organization_id);

function Edit<T extends Type, S extends Shape>({ forms, row, now, onDone }: EditProps<T, S>) {
  const { noun, write, operation = 'row.save', useMayEdit = useReached, Fields, nameOf: _, ...parts } = forms;
  return (
    <RowForm
      {...parts}
      what={noun.what}
      row={row}
      now={now}
      save={(changes, base, values) => noun.save(row.id, write(changes, values, base), base.version)}
      undo={noun.type}
      say={sayField(operation, noun.what)}
      mayEdit={useMayEdit(row)}
      onDone={onDone}
    >
      {form => <Fields form={form} id={row.id} />}
    </RowForm>
  );
}
