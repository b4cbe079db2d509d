/** Fields that only mean something together, such as a line and the road under it. */
export type Together<Form> = readonly (readonly (keyof Form & string)[])[];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields of `values` that are not those of `was`. */
export const changesOf = <Form extends object>(values: Form, was: Form) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(value, was[name as keyof Form])),
  ) as Partial<Form>;

/** Two edits of one row, each with what it began with: what time alone has made of the row is nobody's edit. */
interface Edits<Form> {
  mine: Form;
  begun: Form;
  theirs: Form;
  /** the row that both began with, as it reads where theirs is read */
  common: Form;
}

export interface Merged<Form> {
  /** theirs, with mine over it wherever I changed something */
  mine: Form;
  /** the same, with theirs in what both changed */
  theirs: Form;
  /** the fields that both changed, and not to the same */
  clashes: readonly (keyof Form & string)[];
}

/** Puts two edits together, field by field; what is said together is one field. */
export function merge<Form extends object>(edits: Edits<Form>, together: Together<Form> = []): Merged<Form> {
  const { mine, begun, theirs, common } = edits;
  const names = Object.keys(theirs) as (keyof Form & string)[];
  const single = names.filter(name => !together.some(part => part.includes(name))).map(name => [name]);
  const merged = { mine: { ...theirs }, theirs: { ...theirs } };
  const clashes: (keyof Form & string)[] = [];
  const is = (part: readonly (keyof Form & string)[], a: Form, b: Form) => part.every(name => isSame(a[name], b[name]));
  for (const part of [...together, ...single]) {
    if (is(part, mine, begun) || is(part, mine, theirs)) continue;
    const isTheirs = !is(part, theirs, common);
    if (isTheirs) clashes.push(...part);
    for (const name of part) {
      merged.mine[name] = mine[name];
      if (!isTheirs) merged.theirs[name] = mine[name];
    }
  }
  return { ...merged, clashes };
}
