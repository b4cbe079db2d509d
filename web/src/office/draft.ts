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

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type FormOf<S extends Shape> = z.infer<z.ZodMiniObject<S>> & FieldValues;

export interface DraftParts<S extends Shape, Row> {
  /** The rules; its fields have the names that the wire gives them. */
  schema: z.ZodMiniObject<S>;
  /** What the edit begins with. */
  begun: Row;
  /** The fields that the row does not have by their names. */
  read?: (row: Row) => Partial<FormOf<S>>;
  /** Sends an edit that began with `base`: the fields that it changes, and all of them. */
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
  text: string;
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

/** The fields of `values` that are not those of `was`. */
export const changesOf = <Form extends object>(values: Form, was: Form) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof Form])),
  ) as Partial<Form>;

/** What became of the row since `base`, by the live picture; `take` drops what was typed for what stands now. */
function useNews<S extends Shape, Row>(
  parts: DraftParts<S, Row>,
  base: Row,
  take: (row: Row, values: FormOf<S>) => void,
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
  return { version, text, isGone: false, author: () => author?.('changed'), take: () => take(now, theirs) };
}

/**
 * A draft of a row: its fields speak the wire's names, so that the server's sentences go to them as they come and a save
 * sends what was changed. A failure stays on the page with its text, and where someone else was faster both versions
 * stand beside each other until the user has chosen.
 */
export function useDraft<S extends Shape, Row>(parts: DraftParts<S, Row>): Draft<FormOf<S>> {
  type Form = FormOf<S>;
  /** what the draft is compared with and whose version a save names: another person's save replaces it */
  const [base, setBase] = useState(parts.begun);
  const [conflict, setConflict] = useState<Conflicting<Form> & { row: Row }>();
  const [failure, setFailure] = useState<string>();
  const isSaved = useRef(false);
  const resolver = useMemo(() => zodResolver(parts.schema as never), [parts.schema]);
  const form = useForm<Form>({
    defaultValues: valuesOf(parts, base) as DefaultValues<Form>,
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
  const told = (error: unknown) => {
    const { status, current, fields } = asFailure(error);
    const row = status === 409 && current && parts.noun ? (parts.theirs ?? alike)(current) : undefined;
    if (row !== undefined) {
      const text = changedText(error, parts.noun ?? '', serverClock.now());
      return setConflict({ row, theirs: valuesOf(parts, row), text });
    }
    const known = Object.entries(fields).filter(([name]) => (name.split('.')[0] ?? '') in parts.schema.shape);
    known.forEach(([name, message], index) => {
      form.setError(name as FieldPath<Form>, { message }, { shouldFocus: index === 0 });
    });
    const text = typeof parts.say === 'string' ? say(parts.say, error) : parts.say(error);
    // What stands at its field is not said again under the buttons.
    setFailure(known.some(([, sentence]) => sentence === text) ? undefined : text);
  };
  const save = async (values: Form, against: Row) => {
    setFailure(undefined);
    setConflict(undefined);
    try {
      // Set before: a save may lead away from the form at once.
      isSaved.current = true;
      await parts.send(changesOf(values, valuesOf(parts, against)), against, values);
    } catch (error) {
      isSaved.current = false;
      told(error);
    }
  };

  const take = (row: Row, values: Form) => {
    setBase(row);
    setConflict(undefined);
    form.reset(values);
  };
  const news = useNews(parts, base, take);
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
      setBase(conflict.row);
      void form.handleSubmit(values => save(values as Form, conflict.row))();
    },
    takeTheirs: () => {
      if (conflict !== undefined) take(conflict.row, conflict.theirs);
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
