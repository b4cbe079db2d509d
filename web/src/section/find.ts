/** Of each section; the list shows more, and filters. */
const MOST = 3;

/** A row that a search of the map finds, and the address of its screen. */
export interface FoundRow {
  readonly id: string;
  readonly label: string;
  /** What it is: "Closure · until 6:00 PM". */
  readonly hint: string;
  readonly path: string;
}

/**
 * The rows whose names hold a search text (as `searchOf` makes it), those with a name that begins with it first; as the
 * lists do, a part of a word is enough.
 */
export function rowsHolding<Row>(
  rows: Iterable<Row>,
  search: string,
  namesOf: (row: Row) => readonly string[],
): readonly Row[] {
  if (search === '') return [];
  const begin: Row[] = [];
  const hold: Row[] = [];
  for (const row of rows) {
    const names = namesOf(row).map(name => name.toLowerCase());
    if (names.some(name => name.startsWith(search))) begin.push(row);
    else if (names.some(name => name.includes(search))) hold.push(row);
  }
  return [...begin, ...hold].slice(0, MOST);
}
