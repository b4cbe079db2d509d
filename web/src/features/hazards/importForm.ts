import limits from '@catalog/limits.json';
import type { Schemas } from '~/api';
import { fileText } from '~/lib/fileText';
import { countText } from '~/model/format';
import {
  COLUMNS,
  type ColumnId,
  type ColumnMap,
  guessColumns,
  guessTimeFormat,
  guessType,
  readCsv,
  wordsOf,
} from './csv';

/** So many lines are looked through for columns, and for the words of the type column. */
const LINES = 2000;
/** So many words are offered to be told what they mean. */
const WORDS = 40;
/** What the server takes; a file of more is refused here. */
export const FILE_MB = limits.hazard.importBytes.value / (1024 * 1024);

/** A file that is about to be imported, and how it is read. */
export interface ImportForm {
  name: string;
  format: 'geojson' | 'csv';
  content: string;
  /** its first lines, the names of its columns before them; of GeoJSON the properties */
  lines: readonly (readonly string[])[];
  columns: ColumnMap;
  /** what the words of the type column mean */
  types: Readonly<Record<string, string>>;
  timezone: string;
  /** iso, unix, unix_ms, or a pattern */
  timeFormat: string;
}

/** Begins with a file that somebody has chosen; a sentence says why it cannot be read. */
export async function beginImport(file: File, timezone: string): Promise<ImportForm | string> {
  const format = /\.(geo)?json$/i.test(file.name) ? 'geojson' : /\.(csv|txt)$/i.test(file.name) ? 'csv' : null;
  if (!format) return 'Choose a GeoJSON file (.geojson, .json) or a CSV file (.csv).';
  if (file.size > limits.hazard.importBytes.value)
    return `The file is larger than ${FILE_MB} MB. Split it and import each part.`;
  const content = await fileText(file).catch(() => null);
  if (content === null) return "The file can't be read. Choose it again.";
  const lines = format === 'csv' ? readCsv(content, LINES) : propertiesOf(content);
  if (!lines) return 'The file is not a GeoJSON FeatureCollection.';
  const [header = []] = lines;
  if (format === 'csv' && header.length < 2) {
    return 'The first line of the file must list the column names, separated by commas, semicolons, or tabs.';
  }
  const columns = guessColumns(header);
  const form = { name: file.name, format, content, lines, columns, types: {}, timezone, timeFormat: 'iso' } as const;
  return withColumns(form, columns);
}

/** The properties of a GeoJSON file's features as lines, their names first; null where it is none. */
function propertiesOf(content: string): string[][] | null {
  try {
    type Feature = { type?: string; properties?: Record<string, unknown> | null };
    const file = JSON.parse(content) as Feature & { features: Feature[] };
    const first = (file.type === 'Feature' ? [file] : file.features)
      .slice(0, LINES)
      .map(feature => feature.properties ?? {});
    const names = [...new Set(first.flatMap(properties => Object.keys(properties)))];
    return [names, ...first.map(properties => names.map(name => String(properties[name] ?? '')))];
  } catch {
    return null;
  }
}

/** Another column says something; of another one its words, or how it writes times, are guessed anew. */
export function withColumns(form: ImportForm, changed: Partial<Record<ColumnId, string>>): ImportForm {
  const columns = { ...form.columns, ...changed };
  const words = (column: string, most: number) => (column === '' ? [] : wordsOf(form.lines, column, most));
  const next = { ...form, columns };
  if ('type' in changed)
    next.types = Object.fromEntries(words(columns.type, WORDS).map(word => [word, guessType(word)]));
  if ('start' in changed || 'updated' in changed)
    next.timeFormat = guessTimeFormat([...words(columns.start, LINES), ...words(columns.updated, LINES)]);
  return next;
}

/** What a file of this format can say: the places of GeoJSON are its shapes, and its features may have their own ids. */
export const columnsFor = ({ format }: Pick<ImportForm, 'format'>) =>
  format === 'csv'
    ? COLUMNS
    : COLUMNS.filter(({ id }) => id !== 'lat' && id !== 'lng').map(column => ({ ...column, isRequired: false }));

/** What must be said before the file can be read; undefined when all is said. */
export function importProblem({ format, columns }: ImportForm): string | undefined {
  if (format !== 'csv') return undefined;
  const missing = COLUMNS.filter(({ id, isRequired }) => isRequired && columns[id] === '').map(({ label }) => label);
  return missing.length === 0 ? undefined : `Choose a column for: ${missing.join(', ')}.`;
}

/** The body of the import into an organization. */
export function importBody(form: ImportForm, organizationId: string, preview: boolean): Schemas['HazardImport'] {
  const { name, format, content, types, timezone, timeFormat } = form;
  const said = columnsFor(form).flatMap(({ id }) => (form.columns[id] === '' ? [] : [[id, form.columns[id]]]));
  const columns = Object.fromEntries(said);
  const file = { organization_id: organizationId, name, format, content };
  return { ...file, columns, types, timezone, time_format: timeFormat, preview };
}

const REASONS: Readonly<Record<string, string>> = {
  id_missing: 'no ID',
  id_repeated: 'a duplicate ID',
  lat_lng_missing: 'no coordinates',
  out_of_range: 'coordinates out of range',
  coordinates_swapped: 'latitude and longitude swapped',
  no_fix: 'coordinates of 0, 0',
  time_invalid: 'an unreadable time',
  too_old: 'too old',
  not_a_point: 'not a point',
  too_many: 'over the limit',
  invalid: 'unreadable',
};

/** Why rows were refused, in words: "3 × no ID". */
export const reasonText = ({ reason, count }: { reason: string; count: number }): string =>
  `${countText(count)} × ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`;
