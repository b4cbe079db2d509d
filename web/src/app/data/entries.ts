import { Download, FileText, type LucideIcon } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { chunk } from '~/lib/chunk';
import { meets, sectionRules } from '~/session/permissions';

export const DATA_PATH = '/dashboard/data';

/** What stands in the navigation of Data. */
interface Entry {
  /** its address below /dashboard/data, by which the catalog says who may see it */
  id: string;
  label: string;
  Icon: LucideIcon;
  /** Its screens by the address below it; '' is its own, and $name stands for any word. */
  screens: Readonly<Record<string, ComponentType>>;
}

/** In their order; the index leads to the first that is permitted. */
export const entries: readonly Entry[] = [
  {
    id: 'reports',
    label: 'Monthly Reports',
    Icon: FileText,
    screens: {
      '': lazy(chunk(() => import('~/features/reports/ReportList'))),
      '$orgId/$year/$month': lazy(chunk(() => import('~/features/reports/ReportPage'))),
      '$orgId/$year/$month/$of': lazy(chunk(() => import('~/features/reports/RowsPage'))),
    },
  },
  {
    id: 'exports',
    label: 'Data Exports',
    Icon: Download,
    screens: {
      '': lazy(chunk(() => import('~/features/exports/ExportList'))),
      new: lazy(chunk(() => import('~/features/exports/ExportNew'))),
    },
  },
];

/** The screen of an entry at an address below it, and which one that is. */
export function screenOf(entry: Entry | undefined, rest: string): { at: string; Screen: ComponentType } | undefined {
  const words = rest.split('/');
  for (const [at, Screen] of Object.entries(entry?.screens ?? {})) {
    const names = at.split('/');
    if (names.length === words.length && names.every((name, i) => name === words[i] || name.startsWith('$')))
      return { at, Screen };
  }
  return undefined;
}

/** Whether somebody may see a part of Data: "exports", "exports/new". */
export function maySee(permissions: ReadonlySet<string>, part: string): boolean {
  const requirement = sectionRules.find(rule => rule.id === 'data')?.parts?.[part];
  return requirement !== undefined && meets(permissions, requirement);
}

/** The entries that somebody may see. */
export const shownEntries = (permissions: ReadonlySet<string>): readonly Entry[] =>
  entries.filter(({ id }) => maySee(permissions, id));
