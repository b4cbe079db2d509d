import { CircleAlert, Construction, type LucideIcon, MapPin, Truck } from 'lucide-react';
import { fill, texts } from '~/api';
import type { Export, ExportType } from '~/model/export';
import { countOf, DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import type { Words } from '~/model/organization';
import type { Requirement } from '~/session';

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

export const exportFormats = [
  { id: 'csv', label: 'CSV (ZIP file)' },
  { id: 'geojson', label: 'GeoJSON' },
] as const;

/** "CSV", as short as a button says it. */
export const formatTitle = (format: string): string => (format === 'geojson' ? 'GeoJSON' : format.toUpperCase());

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
export const failedText = (email: string): string =>
  `${texts.export.failed} ${fill(texts.export.failedSupport, { email })}`;
