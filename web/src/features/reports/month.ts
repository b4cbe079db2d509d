import limits from '@catalog/limits.json';
import { useParams } from '@tanstack/react-router';
import type { ReportMonth } from './queries';

/** The month that the address says; undefined where it says none. */
export function useMonth(): ReportMonth | undefined {
  const { orgId = '', year = '', month = '' } = useParams({ strict: false }) as Partial<Record<string, string>>;
  const [y, m] = [Number(year), Number(month)];
  const isSound =
    /^\d{4}$/.test(year) && /^\d{1,2}$/.test(month) && y >= limits.monthly.firstYear.value && m >= 1 && m <= 12;
  return isSound ? { orgId, year: y, month: m } : undefined;
}
