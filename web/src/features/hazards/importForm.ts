import type { Schemas } from '~/api';
import { COLUMNS, type ColumnId, type ColumnMap, guessColumns, guessType, readCsv, wordsOf } from './csv';

/** So many lines are looked through for the words of the type column. */
const LINES = 2000;
/** So many words are offered to be told what they mean. */
const WORDS = 40;
/** What the server takes in all; a file of more is refused here. */
export const FILE_BYTES = 20 * 1024 * 1024;

/** A file that is about to be imported, and how it is read. */
export interface ImportForm {
  name: string;
  format: 'geojson' | 'csv';
  content: string;
  /** the names of its columns; none of GeoJSON */
  header: readonly string[];
  columns: ColumnMap;
  /** what the words of the type column mean */
  types: Readonly<Record<string, string>>;
  timezone: string;
  timeFormat: string;
}

/** Begins with a file that somebody has chosen; a sentence says why it cannot be read. */
export async function beginImport(file: File, timezone: string): Promise<ImportForm | string> {
  const format = /\.(geo)?json$/i.test(file.name) ? 'geojson' : /\.(csv|txt)$/i.test(file.name) ? 'csv' : null;
  if (!format) return 'Choose a GeoJSON file (.geojson, .json) or a CSV file (.csv).';
  if (file.size > FILE_BYTES) return 'The file is larger than 20 MB. Split it, and import each part.';
  const content = await file.text();
  const base = { name: file.name, format, content, timezone, timeFormat: '' } as const;
  if (format === 'geojson') return { ...base, header: [], columns: guessColumns([]), types: {} };
  const lines = readCsv(content, 1);
  const [header = []] = lines;
  if (header.length < 2) return "The file's first line must name its columns, with commas between them.";
  return withColumns({ ...base, header, columns: guessColumns(header), types: {} }, {});
}

/** Another column says something; the words of another type column are guessed anew. */
export function withColumns(form: ImportForm, changed: Partial<Record<ColumnId, string>>): ImportForm {
  const columns = { ...form.columns, ...changed };
  const isSame = columns.type === form.columns.type && Object.keys(form.types).length > 0;
  if (isSame) return { ...form, columns };
  const words = columns.type === '' ? [] : wordsOf(readCsv(form.content, LINES), columns.type, WORDS);
  return { ...form, columns, types: Object.fromEntries(words.map(word => [word, guessType(word)])) };
}

/** What must be said before the file can be read; undefined when all is said. */
export function importProblem({ format, columns }: ImportForm): string | undefined {
  if (format !== 'csv') return undefined;
  const missing = COLUMNS.filter(({ id, isRequired }) => isRequired && columns[id] === '').map(({ label }) => label);
  return missing.length === 0 ? undefined : `Choose the column of: ${missing.join(', ')}.`;
}

/** The body of the import. */
export function importBody(form: ImportForm, preview: boolean): Schemas['HazardImport'] {
  const { name, format, content, timezone, timeFormat } = form;
  if (format === 'geojson') return { name, format, content, preview };
  const columns = Object.fromEntries(Object.entries(form.columns).filter(([, column]) => column !== ''));
  return { name, format, content, columns, types: form.types, timezone, time_format: timeFormat, preview };
}

const REASONS: Readonly<Record<string, string>> = {
  id_missing: 'no ID',
  id_repeated: 'an ID that stands there twice',
  lat_lng_missing: 'no position',
  out_of_range: 'a position that is not on the map',
  no_fix: 'a position of 0, 0',
  time_invalid: 'a time that cannot be read',
  too_old: 'too old',
  not_a_point: 'no point',
  too_many: 'more than may be kept',
  invalid: 'not readable',
};

/** Why rows were refused, in words: "3 with no ID". */
export const reasonText = ({ reason, count }: { reason: string; count: number }): string =>
  `${count} × ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`;
