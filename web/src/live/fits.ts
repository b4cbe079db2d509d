import { isObject } from '~/api';
import { SHAPES } from './kinds.gen';

type Fits = (value: unknown) => boolean;

const PLAIN: Readonly<Record<string, Fits>> = {
  string: v => typeof v === 'string',
  number: v => typeof v === 'number',
  boolean: v => typeof v === 'boolean',
  object: isObject,
  any: () => true,
};
const known = new Map<string, Fits>();

/** The check of a kind: of the plain ones, a list "[kind]", one that may be null "kind|null", or a shape by its name. */
function checkOf(kind: string): Fits {
  const found = PLAIN[kind] ?? known.get(kind);
  if (found) return found;
  const made = make(kind);
  known.set(kind, made);
  return made;
}

function make(kind: string): Fits {
  if (kind.endsWith('|null')) {
    const of = checkOf(kind.slice(0, -'|null'.length));
    return v => v === null || of(v);
  }
  if (kind.startsWith('[')) {
    const of = checkOf(kind.slice(1, -1));
    return v => Array.isArray(v) && v.every(of);
  }
  const fields = Object.entries(SHAPES[kind] ?? {}).map(([name, of]) => {
    const isOptional = name.endsWith('?');
    return { name: isOptional ? name.slice(0, -1) : name, isOptional, of };
  });
  return v => {
    const row = v as Record<string, unknown>;
    // A field's check is looked up when it is first needed: shapes may hold themselves.
    return (
      isObject(v) &&
      fields.every(({ name, isOptional, of }) => (row[name] === undefined ? isOptional : checkOf(of)(row[name])))
    );
  };
}

/** Whether a value is of the kind that the server's document gives it: "Closure", "[string]", "number|null". */
export const fits = (value: unknown, kind: string): boolean => checkOf(kind)(value);
