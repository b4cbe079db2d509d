import { type BaseSyntheticEvent, useRef, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';

/** What a failed save leaves behind. */
export interface Trouble<Row> {
  /** Stands under the buttons; absent with `current`. */
  text?: string;
  /** Sentences by the form's own field names. */
  fields?: Readonly<Record<string, string>>;
  /** What is saved now: somebody else was faster. */
  current?: Row;
  /** Who that was, in a sentence; with `current`. */
  who?: string;
}

/** What stands beside the draft where somebody else was faster. */
interface Conflicting<Row> {
  theirs: Row;
  text: string;
}

/** The saving of an edit, for `EditForm`. */
export interface Saving<Row> {
  failure: string | undefined;
  conflict: Conflicting<Row> | undefined;
  isPending: boolean;
  /** Whether leaving now would lose something. */
  isUnsaved: () => boolean;
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  keepMine: () => void;
  takeTheirs: () => void;
}

export interface SavingParts<Form extends FieldValues, Row> {
  /** Sends the values of an edit that began with `base`. */
  send: (values: Form, base: Row) => Promise<void>;
  /** What to say; where somebody was faster it may first ask what is saved now. */
  trouble: (error: unknown) => Trouble<Row> | Promise<Trouble<Row>>;
  formOf: (row: Row) => Form;
}

/**
 * The saving of an edit form: a failure stays on the page with its text, a field's sentence goes to its field, and
 * where somebody else was faster both versions stand beside each other until the user has chosen.
 */
export function useSaving<Form extends FieldValues, Row>(
  form: UseFormReturn<Form>,
  begun: Row,
  parts: SavingParts<Form, Row>,
): Saving<Row> {
  /** what the draft is compared with and whose version a save names: another person's save replaces it */
  const [base, setBase] = useState(begun);
  const [conflict, setConflict] = useState<Conflicting<Row>>();
  const [failure, setFailure] = useState<string>();
  const isSaved = useRef(false);
  // Read while drawing: the form only keeps track of what is read then.
  const { isDirty, isSubmitting } = form.formState;

  const save = async (values: Form, against: Row) => {
    setFailure(undefined);
    setConflict(undefined);
    try {
      // Set before: a save may lead away from the form at once.
      isSaved.current = true;
      await parts.send(values, against);
    } catch (error) {
      isSaved.current = false;
      const { text, fields, current, who = '' } = await parts.trouble(error);
      setConflict(current === undefined ? undefined : { theirs: current, text: who });
      setFailure(text);
      for (const [name, message] of Object.entries(fields ?? {})) form.setError(name as FieldPath<Form>, { message });
    }
  };

  return {
    failure,
    conflict,
    isPending: isSubmitting,
    isUnsaved: () => isDirty && !isSaved.current,
    submit: form.handleSubmit(values => save(values as Form, base)),
    keepMine: () => {
      if (conflict === undefined) return;
      setBase(conflict.theirs);
      void form.handleSubmit(values => save(values as Form, conflict.theirs))();
    },
    takeTheirs: () => {
      if (conflict === undefined) return;
      setBase(conflict.theirs);
      setConflict(undefined);
      form.reset(parts.formOf(conflict.theirs));
    },
  };
}

/** What an edit begins with: what stood there when it opened. A fresher answer must not change a draft. */
export function useBegun<Row>(data: Row | undefined): Row | undefined {
  const [begun, setBegun] = useState(data);
  if (begun === undefined && data !== undefined) setBegun(data);
  return begun;
}

/** The fields that two drafts disagree about, by their labels, for `Conflict`. */
export function differences<Form extends Record<string, unknown>>(
  mine: Form,
  theirs: Form,
  labels: Readonly<Partial<Record<keyof Form & string, string>>>,
  text: (name: keyof Form & string, value: unknown) => string = (_, value) => plain(value),
): { label: string; mine: string; theirs: string }[] {
  return (Object.entries(labels) as [keyof Form & string, string][])
    .filter(([name]) => mine[name] !== theirs[name])
    .map(([name, label]) => ({ label, mine: text(name, mine[name]), theirs: text(name, theirs[name]) }));
}

const plain = (value: unknown) => (typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value ?? ''));
