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
