import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { CircleAlert, Construction, type LucideIcon, MapPin, Truck } from 'lucide-react';
import { texts } from '~/api';
import type { Export, ExportType } from '~/model/export';
import { countOf, DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import type { Words } from '~/model/organization';
import { type Brand, type Requirement, supportText } from '~/session';

/** What an export has rows of. */
interface TypeWords {
  id: ExportType;
  Icon: LucideIcon;
  title: (words: Words) => string;
  /** what its files hold, in one sentence */
  holds: (words: Words) => string;
  /** who may not see its rows elsewhere gets no file of them either */
  needs: Requirement;
}

export const exportTypes: readonly TypeWords[] = [
  {
    id: 'point',
    Icon: MapPin,
    title: () => 'Points',
    holds: () => 'Every position that the chosen assets reported, with a table for each asset and day.',
    needs: 'VIEW_TRIPS',
  },
  {
    id: 'incident',
    Icon: CircleAlert,
    title: words => words.events,
    holds: words => `The ${words.events.toLowerCase()} that began in this time, and which assets were there.`,
    needs: 'VIEW_EVENTS',
  },
  {
    id: 'asset',
    Icon: Truck,
    title: () => 'Assets',
    holds: () => 'What the assets are, and how many points and runs each of them had in this time.',
    needs: 'VIEW_THINGS',
  },
  {
    id: 'closure',
    Icon: Construction,
    title: () => 'Closures',
    holds: () => 'The work zones of this time: where, when, and what was closed.',
    needs: 'VIEW_CLOSURES',
  },
];

export const typeTitle = (type: string, words: Words): string =>
  exportTypes.find(one => one.id === type)?.title(words) ?? type;

export const closureTypes = [
  { id: 'automated', label: 'Automated' },
  { id: 'feed', label: 'Feed' },
  { id: 'manual', label: 'Manual' },
] as const;

/** A format of files: as the form offers it, and as short as a button says it. */
interface FormatWords {
  id: string;
  label: string;
  short: string;
  /** what opens it */
  hint: string;
}

const formatWords: readonly FormatWords[] = [
  {
    id: 'csv',
    label: 'CSV (ZIP file)',
    short: 'CSV',
    hint: 'Spreadsheets and most programs.',
  },
  {
    id: 'xlsx',
    label: 'Excel',
    short: 'Excel',
    hint: 'One workbook. Times have no offset: they are of the chosen time zone.',
  },
  { id: 'geojson', label: 'GeoJSON', short: 'GeoJSON', hint: 'GIS programs such as QGIS and ArcGIS.' },
  { id: 'gpx', label: 'GPX (ZIP file)', short: 'GPX', hint: 'GPS programs. One track for each asset and day, in UTC.' },
  { id: 'kml', label: 'KML (ZIP file)', short: 'KML', hint: 'Google Earth. One track for each asset and day, in UTC.' },
  { id: 'parquet', label: 'Parquet', short: 'Parquet', hint: 'Analysis with Python, R, or a database. Times in UTC.' },
];

/** The formats that a type of export has. */
export const formatsOf = (type: ExportType): readonly FormatWords[] => {
  const names = [...enums.exportFormats, ...(type === 'point' ? enums.pointFormats : [])];
  return names.flatMap(name => formatWords.find(({ id }) => id === name) ?? []);
};

/** "CSV", as short as a button says it. */
export const formatTitle = (format: string): string =>
  formatWords.find(({ id }) => id === format)?.short ?? format.toUpperCase();

/** What is said before an export of so many rows is made as a workbook; '' where they fit into one sheet. */
export const sheetsText = (rows: number): string => {
  const sheets = Math.ceil(rows / limits.export.sheetRows.value);
  return sheets < 2
    ? ''
    : `An Excel sheet holds ${countOf(limits.export.sheetRows.value, 'row')}. The workbook will have ${sheets} sheets.`;
};

export const rowsText = (rows: number): string => countOf(rows, 'row');

/** Which assets it is about: "All assets", "3 assets". */
export function assetsText({ export_type, thing_uuids, closures_to_include }: Export): string {
  const count = thing_uuids.length;
  if (count > 0) return countOf(count, 'asset');
  if (export_type !== 'closure') return 'All assets';
  return closureTypes.flatMap(one => (closures_to_include.includes(one.id) ? one.label : [])).join(', ');
}

const WHEN = `${DATE_PATTERNS.monthFirst} ${DATE_PATTERNS.time}`;

export const whenText = (text: string | null, timeZone: string): string => dateText(instantOf(text), timeZone, WHEN);

/** "Nov-01-2026 12:00 AM – Nov-20-2026 12:00 AM" by the clock of the export. */
export const rangeText = ({ export_start_time, export_end_time, time_zone }: Export): string =>
  `${whenText(export_start_time, time_zone)} – ${whenText(export_end_time, time_zone)}`;

/** What is said of exports that have failed, and who helps. */
export const failedText = (brand: Brand): string =>
  `${texts.export.failed} ${supportText(texts.export.failedSupport, brand)}`;
