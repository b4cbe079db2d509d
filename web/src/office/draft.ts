import { zodResolver } from '@hookform/resolvers/zod';
import { type BaseSyntheticEvent, useMemo, useRef, useState } from 'react';
import {
  type Control,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { asFailure, type Operation, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { type Author, changedText, type Did } from '~/model/changed';
import { changesOf, merge, type Together } from './merge';

export type Shape = Readonly<Record<string, z.ZodMiniType>>;
export type FormOf<S extends Shape> = z.infer<z.ZodMiniObject<S>> & FieldValues;

export interface DraftParts<S extends Shape, Row> {
  /** The rules; its fields have the names that the wire gives them. */
  schema: z.ZodMiniObject<S>;
  /** What the edit begins with. */
  begun: Row;
  /** The fields that the row does not have by their names. */
  read?: (row: Row) => Partial<FormOf<S>>;
  /** The fields that only mean something together: of two edits one wins in all of them. */
  together?: Together<FormOf<S>>;
  /** Sends an edit of `base`: the fields that the user changed, and all of them, the others as they are in `base`. */
  send: (changes: Partial<FormOf<S>>, base: Row, values: FormOf<S>) => Promise<void>;
  /** The texts of its failures. */
  say: Operation | ((error: unknown) => string);
  /** What someone else may have saved meanwhile: "user". */
  noun?: string;
  /** That as a row, where the refusal does not show it as it was begun with. */
  theirs?: (current: object) => Row | undefined;
  /** It as it stands by now, null when it is gone: what became of it is said before a save. */
  now?: Row | null | undefined;
  /** What is said when it is gone. */
  gone?: string;
  /** Asks who made it what it is now, if that was done by a change of this kind. */
  author?: (did: Did) => Promise<Author | undefined>;
}

/** What stands beside the draft where someone else was faster. */
interface Conflicting<Form> {
  theirs: Form;
  /** the fields that both changed, and not to the same */
  clashes: readonly string[];
  text: string;
}

/** What a save is compared with and whose version it names. */
interface Base<Row, Form> {
  row: Row;
  /** as it was read when it was taken: time alone may read it otherwise later */
  values: Form;
}

/** What became of the row while the form stands. */
export interface News {
  /** what it is by now; 0 when it is gone */
  version: number;
  isGone: boolean;
  /** what is known without asking who did it */
  text: string;
  author: () => Promise<Author | undefined> | undefined;
  /** Drops what was typed for what stands now. */
  take?: () => void;
}

/** A form that is being filled in, for `EditForm`. */
export interface Draft<Form extends FieldValues = FieldValues> {
  form: UseFormReturn<Form>;
  control: Control<Form>;
  failure: string | undefined;
  conflict: Conflicting<Form> | undefined;
  news?: News | undefined;
  isPending: boolean;
  /** Whether leaving now would lose something. */
  isUnsaved: () => boolean;
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  keepMine: () => void;
  takeTheirs: () => void;
}

/** The values of a form that a row begins with: its fields of the same names, and what `read` makes of it. */
function valuesOf<S extends Shape, Row>({ schema, read }: DraftParts<S, Row>, row: Row): FormOf<S> {
  const fields = row as Readonly<Record<string, unknown>>;
  return {
    ...Object.fromEntries(Object.keys(schema.shape).map(name => [name, fields[name]])),
    ...read?.(row),
  } as FormOf<S>;
}

const pick = <T extends object>(values: T, isWanted: (name: string) => boolean): T =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name))) as T;

/** What became of the row since `base`, by the live picture; `take` drops what was typed for what stands now. */
function useNews<S extends Shape, Row>(
  parts: DraftParts<S, Row>,
  base: Row,
  take: (row: Row) => void,
): News | undefined {
  const { now, noun = '', gone, author } = parts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts are those of the form, drawn anew
  const theirs = useMemo(() => {
    const [is, was] = [now, base] as { version?: number }[];
    if (!now || is?.version === was?.version) return undefined;
    const values = valuesOf(parts, now);
    return Object.keys(changesOf(values, valuesOf(parts, base))).length > 0 ? values : undefined;
  }, [now, base]);
  if (now === null) {
    const text = gone ?? `This ${noun} was deleted, or your organization can't see it anymore.`;
    return { version: 0, text, isGone: true, author: () => author?.('deleted') };
  }
  if (!now || !theirs) return undefined;
  const { version = 0 } = now as { version?: number };
  const text = `This ${noun} has changed since you opened it.`;
  return { version, text, isGone: false, author: () => author?.('changed'), take: () => take(now) };
}

/** So often a save is put together with others' before the user is asked to save again. */
const MERGES = 3;

/**
 * A draft of a row: its fields speak the wire's names, so that the server's sentences go to them as they come and a save
 * sends what was changed. A failure stays on the page with its text. Where someone else was faster, what only one of the
 * two changed is put together and saved; of what both changed, both versions stand beside each other until the user has
 * chosen.
 */
export function useDraft<S extends Shape, Row>(parts: DraftParts<S, Row>): Draft<FormOf<S>> {
  type Form = FormOf<S>;
  type Begun = Base<Row, Form>;
  const readNow = (row: Row): Begun => ({ row, values: valuesOf(parts, row) });
  const [base, setBase] = useState(() => readNow(parts.begun));
  const [conflict, setConflict] = useState<Conflicting<Form> & { next: Begun; from: Begun }>();
  const [failure, setFailure] = useState<string>();
  const isSaved = useRef(false);
  const resolver = useMemo(() => zodResolver(parts.schema as never), [parts.schema]);
  const form = useForm<Form>({
    defaultValues: base.values as DefaultValues<Form>,
    resolver: resolver as never,
    mode: 'onTouched',
  });
  // Read while drawing: the form only keeps track of what is read then.
  const { isDirty, isSubmitting } = form.formState;

  /** What stands now, as far as it is of the kind that the edit began with. */
  const alike = (current: object): Row | undefined => {
    const [begun, now] = [parts.begun, current] as Record<string, unknown>[];
    const fits = Object.keys(parts.schema.shape).every(name => typeof begun?.[name] === typeof now?.[name]);
    return fits ? (current as Row) : undefined;
  };
  /** The draft begins with another row, and says these values over it. */
  const begin = (next: Begun, values: Form) => {
    setBase(next);
    setConflict(undefined);
    form.reset(next.values);
    form.reset(values, { keepDefaultValues: true });
  };
  /** What is typed put together with what someone else saved since `from`. */
  const mergedWith = (next: Begun, from: Begun) => {
    const common = valuesOf(parts, from.row);
    return merge<Form>({ mine: form.getValues(), begun: from.values, theirs: next.values, common }, parts.together);
  };
  /** Someone else was faster: what only one of us changed needs no question. */
  const meet = async (row: Row, text: string, from: Begun, merges: number) => {
    const next = readNow(row);
    const { mine, clashes } = mergedWith(next, from);
    if (clashes.length > 0) return setConflict({ next, from, theirs: next.values, clashes, text });
    begin(next, mine);
    if (merges === MERGES) return setFailure(text);
    // What holds for each of the two may not hold for both: then the fields say why.
    await form.handleSubmit(
      values => save(values as Form, next, merges + 1),
      () => setFailure(text),
    )();
  };
  const told = async (error: unknown, from: Begun, merges: number) => {
    const { status, current, fields } = asFailure(error);
    const row = status === 409 && current && parts.noun ? (parts.theirs ?? alike)(current) : undefined;
    if (row !== undefined) return meet(row, changedText(error, parts.noun ?? '', serverClock.now()), from, merges);
    const known = Object.entries(fields).filter(([name]) => (name.split('.')[0] ?? '') in parts.schema.shape);
    known.forEach(([name, message], index) => {
      form.setError(name as FieldPath<Form>, { message }, { shouldFocus: index === 0 });
    });
    const text = typeof parts.say === 'string' ? say(parts.say, error) : parts.say(error);
    // What stands at its field is not said again under the buttons.
    setFailure(known.some(([, sentence]) => sentence === text) ? undefined : text);
  };
  const save = async (values: Form, from: Begun, merges = 0): Promise<void> => {
    setFailure(undefined);
    setConflict(undefined);
    try {
      // Set before: a save may lead away from the form at once.
      isSaved.current = true;
      // The rules trim what they check: that is a change only where the user typed.
      const touched = changesOf(form.getValues() as Form, from.values);
      const changes = pick(changesOf(values, from.values), name => name in touched);
      await parts.send(changes, from.row, { ...from.values, ...changes });
    } catch (error) {
      isSaved.current = false;
      await told(error, from, merges);
    }
  };

  const take = (row: Row) => {
    const next = readNow(row);
    begin(next, next.values);
  };
  const news = useNews(parts, base.row, take);
  // What one saves oneself comes from the live picture as well, before or with the answer.
  const isOwn = isSubmitting || isSaved.current;

  return {
    form,
    control: form.control as unknown as Control<Form>,
    failure,
    conflict,
    news: conflict || isOwn ? undefined : news,
    isPending: isSubmitting,
    isUnsaved: () => isDirty && !isSaved.current,
    submit: form.handleSubmit(values => save(values as Form, base)),
    keepMine: () => {
      if (conflict === undefined) return;
      const { next, from } = conflict;
      begin(next, mergedWith(next, from).mine);
      void form.handleSubmit(values => save(values as Form, next))();
    },
    takeTheirs: () => {
      if (conflict !== undefined) begin(conflict.next, mergedWith(conflict.next, conflict.from).theirs);
    },
  };
}

/** The text of a refusal that marks fields is the server's: the catalog's "not found" would be wrong there. */
export const sayMarked = (operation: Operation) => (error: unknown) => {
  const { fields, message } = asFailure(error);
  return (Object.keys(fields).length > 0 && message) || say(operation, error);
};

/** What an edit begins with: what stood there when it opened. A fresher answer must not change a draft. */
export function useBegun<Row>(data: Row | undefined): Row | undefined {
  const [begun, setBegun] = useState(data);
  if (begun === undefined && data !== undefined) setBegun(data);
  return begun;
}
