import { Download, type LucideIcon } from 'lucide-react';
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
  /** Its screens by the address below it; '' is its own. */
  screens: Readonly<Record<string, ComponentType>>;
}

/** In their order; the index leads to the first that is permitted. Monthly reports become the first line here. */
export const entries: readonly Entry[] = [
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

/** Whether somebody may see a part of Data: "exports", "exports/new". */
export function maySee(permissions: ReadonlySet<string>, part: string): boolean {
  const requirement = sectionRules.find(rule => rule.id === 'data')?.parts?.[part];
  return requirement !== undefined && meets(permissions, requirement);
}

/** The entries that somebody may see. */
export const shownEntries = (permissions: ReadonlySet<string>): readonly Entry[] =>
  entries.filter(({ id }) => maySee(permissions, id));
