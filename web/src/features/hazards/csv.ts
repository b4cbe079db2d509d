import enums from '@catalog/enums.json';

/** What a file says of each hazard, in the order of the form. */
export const COLUMNS = [
  { id: 'id', label: 'ID', isRequired: true, names: ['id', 'uuid', 'guid', 'externalid', 'eventid', 'key', 'number'] },
  { id: 'lat', label: 'Latitude', isRequired: true, names: ['lat', 'latitude', 'y'] },
  { id: 'lng', label: 'Longitude', isRequired: true, names: ['lng', 'lon', 'long', 'longitude', 'x'] },
  {
    id: 'type',
    label: 'Type',
    isRequired: false,
    names: ['type', 'hazardtype', 'category', 'kind', 'eventtype', 'class'],
  },
  {
    id: 'description',
    label: 'Description',
    isRequired: false,
    names: ['description', 'desc', 'details', 'comment', 'notes', 'headline', 'text'],
  },
  {
    id: 'start',
    label: 'Start Time',
    isRequired: false,
    names: ['start', 'starttime', 'startdate', 'begin', 'created', 'createdat', 'reported', 'time', 'date'],
  },
  {
    id: 'updated',
    label: 'Updated',
    isRequired: false,
    names: ['updated', 'updatedat', 'lastupdated', 'updatetime', 'modified', 'lastmodified'],
  },
] as const;

export type ColumnId = (typeof COLUMNS)[number]['id'];
/** Which column of the file says what; '' for none. */
export type ColumnMap = Readonly<Record<ColumnId, string>>;

const SAYS_SEPARATOR = /^sep=([,;\t])(\r?\n|\r|$)/i;

/** What keeps the cells of a file apart: what stands most often in its first line outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (separator: string) => line.split(separator).length;
  return [';', '\t'].reduce((most, next) => (count(next) > count(most) ? next : most), ',');
}

/**
 * The cells of a CSV text by line, of its first `most` lines; quotes and line breaks within them as RFC 4180 has them.
 * They are apart by commas, or as spreadsheets of other countries write them by semicolons or tabs.
 */
export function readCsv(file: string, most: number): string[][] {
  const marked = file.replace(/^\ufeff/, '');
  const said = SAYS_SEPARATOR.exec(marked);
  const text = said ? marked.slice(said[0].length) : marked;
  const separator = said?.[1] ?? separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    cell = '';
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length && rows.length < most; i++) {
    const c = text[i] as string;
    if (isQuoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') {
        cell += c;
        i++;
      } else isQuoted = false;
    } else if (c === '"' && cell === '') isQuoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = '';
    } else if (c === '\n' || c === '\r') {
      if (c === '\n' || text[i + 1] !== '\n') endRow();
    } else cell += c;
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow();
  return rows;
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Guesses by their names which columns say what: the same word first, then one that has it in it. No column is taken twice. */
export function guessColumns(header: readonly string[]): ColumnMap {
  const free = new Set(header.filter(name => name.trim() !== ''));
  const found = new Map<ColumnId, string>();
  const look = (fits: (column: string, name: string) => boolean) => {
    for (const { id, names } of COLUMNS) {
      if (found.has(id)) continue;
      const hit = names.map(name => [...free].find(column => fits(plain(column), name))).find(Boolean);
      if (!hit) continue;
      found.set(id, hit);
      free.delete(hit);
    }
  };
  look((column, name) => column === name);
  look((column, name) => name.length > 3 && column.includes(name));
  return Object.fromEntries(COLUMNS.map(({ id }) => [id, found.get(id) ?? ''])) as ColumnMap;
}

const { hazardTypes } = enums;

/** Guesses which type of hazard a word of a file means: one whose words all stand in it; "other" for one that says nothing to us. */
export function guessType(word: string): string {
  const said = word.toLowerCase().split(/[^a-z0-9]+/);
  const stands = (part: string) => said.some(one => one.startsWith(part));
  const same = hazardTypes.find(({ name, displayName }) => [name, displayName].some(one => plain(one) === plain(word)));
  return (same ?? hazardTypes.find(({ name }) => name.split('_').every(stands)))?.name ?? 'other';
}

const WRITTEN = /^(\d+)([/.])\d+\2(\d+)(?: (\d+:\d+)(:\d+)?( ?[AP]M)?)?$/;

/** Guesses how a file writes times, by some of them: iso, unix, unix_ms or a pattern; iso where nothing else fits. */
export function guessTimeFormat(times: readonly string[]): string {
  const [first = ''] = times;
  if (/^\d{9,13}(\.\d+)?$/.test(first)) return Number.parseInt(first, 10) < 1e11 ? 'unix' : 'unix_ms';
  const written = WRITTEN.exec(first);
  if (!written) return 'iso';
  const [, start = '', by = '', end = '', time, seconds = '', half = ''] = written;
  const isDayFirst = times.some(one => Number.parseInt(one, 10) > 12);
  const year = end.length === 4 ? 'yyyy' : 'yy';
  const day = start.length === 4 ? ['yyyy', 'M', 'd'] : isDayFirst ? ['d', 'M', year] : ['M', 'd', year];
  const clock = half === '' ? 'HH:mm' : 'h:mm';
  return day.join(by) + (time ? ` ${clock}${seconds && ':ss'}${half.replace(/[AP]M/, 'a')}` : '');
}

/** The different words of a column, in the order in which they first stand there. */
export function wordsOf(rows: readonly (readonly string[])[], column: string, most: number): string[] {
  const at = rows[0]?.indexOf(column) ?? -1;
  if (at < 0) return [];
  const words = new Set<string>();
  for (const row of rows.slice(1)) {
    const word = (row[at] ?? '').trim();
    if (word !== '' && words.size < most) words.add(word);
  }
  return [...words];
}
