import { type Instant, instantOf } from './instant';

/** A row by the names of the wire, with these of its fields in milliseconds (0 = none). */
export type Timed<Wire, Field extends keyof Wire> = Omit<Wire, Field> & Readonly<Record<Field, Instant>>;

/** A row with its instants read, of a list or of a message. */
export const timed = <Wire extends { [F in Field]: string | null }, Field extends keyof Wire & string>(
  row: Wire,
  fields: readonly Field[],
): Timed<Wire, Field> => ({
  ...row,
  ...(Object.fromEntries(fields.map(field => [field, instantOf(row[field])])) as Record<Field, Instant>),
});

type Alike<Form, Row> = { [Name in keyof Form & keyof Row as Row[Name] extends Form[Name] ? Name : never]: Form[Name] };

/** What a form and a row call alike and hold in the same type; `blank` is the form of a new row. */
export const alike = <Form extends object, Row extends object>(blank: Form, row: Row): Alike<Form, Row> => {
  const kinds = new Map(Object.entries(blank).map(([name, value]) => [name, typeof value]));
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => typeof value === kinds.get(name))) as Alike<
    Form,
    Row
  >;
};
