import limits from '@catalog/limits.json';
import {
  infiniteQueryOptions,
  queryOptions,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, Failure, type Schemas } from '~/api';
import { saveFrom } from '~/lib/saveFile';
import { askedId } from '~/lib/uuid';
import type { MonthlyMail, MonthlyReport, MonthlyReportWhole, MonthlyRowsOf } from '~/model/monthlyReport';

const REFRESH_MS = limits.lists.refreshMs.value;
const PER_PAGE = 500;

/** What an address says of a month. */
export interface ReportMonth {
  orgId: string;
  year: number;
  month: number;
}

/** The reports that can be read, and whose I am mailed. */
interface Reports {
  rows: readonly (MonthlyReport & { id: string })[];
  mails: readonly MonthlyMail[];
}

/**
 * The reports of an organization and of those that it manages: newest month first, then by the organization's name. And of
 * each of these organizations whether I am mailed its reports.
 */
export const reportsQuery = (orgId: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ['monthly-reports', orgId],
    enabled: isOpen,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }): Promise<Reports> => {
      const rows: MonthlyReport[] = [];
      for (let page = 1; ; page += 1) {
        const { data, meta, mail } = await api.request('GET /reports/{orgId}/organization_monthly_report_list', {
          path: { orgId },
          query: { page, per_page: PER_PAGE },
          signal,
        });
        rows.push(...data);
        if (data.length === 0 || page * PER_PAGE >= meta.total)
          return { rows: rows.filter(row => !row.is_deleted).map(row => ({ ...row, id: row.file_id })), mails: mail };
      }
    },
  });

const pathOf = ({ orgId, year, month }: ReportMonth) => ({
  orgId: askedId(orgId),
  year: String(year),
  month: String(month),
});

/** A report with its figures and those of the months that it is compared with. */
export const reportQuery = (asked: ReportMonth) =>
  queryOptions({
    queryKey: ['monthly-report', asked],
    queryFn: ({ signal }) => api.data('GET /reports/{orgId}/{year}/{month}', { path: pathOf(asked), signal }),
  });

/** Asks to be mailed the reports of an organization, or not anymore; all that shows it follows. */
export function useMonthlyMail(
  then: Pick<UseMutationOptions<MonthlyMail, Error, MonthlyMail>, 'onSuccess' | 'onError'>,
) {
  const queries = useQueryClient();
  return useMutation({
    ...then,
    mutationFn: async ({ organization_id: orgId, mail }: MonthlyMail) => {
      const saved = await api.data('PUT /reports/{orgId}/mail', { path: { orgId }, body: { mail } });
      const isOf = (one: Pick<MonthlyMail, 'organization_id'>) => one.organization_id === orgId;
      queries.setQueriesData<Reports>(
        { queryKey: ['monthly-reports'] },
        now => now && { ...now, mails: now.mails.map(one => (isOf(one) ? saved : one)) },
      );
      queries.setQueriesData<MonthlyReportWhole>({ queryKey: ['monthly-report'] }, now =>
        now && isOf(now) ? { ...now, mail: saved.mail } : now,
      );
      return saved;
    },
  });
}

/** A row behind a figure, by what it is a row of. */
export interface RowOf {
  assets: Schemas['MonthlyAssetRow'];
  incidents: Schemas['MonthlyIncidentRow'];
  runs: Schemas['MonthlyRunRow'];
  closures: Schemas['MonthlyClosureRow'];
}

/** How many rows are read at once. */
const ROWS = 100;

/** The rows behind the figures of a month, page by page. */
export const rowsQuery = <Of extends MonthlyRowsOf>(asked: ReportMonth, of: Of) =>
  infiniteQueryOptions({
    queryKey: ['monthly-report-rows', asked, of],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.request('GET /reports/{orgId}/{year}/{month}/rows', {
        path: pathOf(asked),
        query: { of, page: pageParam, per_page: ROWS },
        signal,
      });
      return { rows: (answer[of] ?? []) as RowOf[Of][], total: answer.meta.total };
    },
    getNextPageParam: (last, pages) => (pages.length * ROWS < last.total ? pages.length + 1 : undefined),
  });

/** Downloads the PDF of a report. Throws the client's failure; one that is not there any more is a 404. */
export async function downloadPdf({ file_id, year, month }: MonthlyReport): Promise<void> {
  const query = { filename: file_id };
  const { file_url } = await api.request('GET /reports/organization_monthly_report_pdf_link', { query });
  if (!file_url) throw new Failure({ status: 404, code: 'not_found', message: '' });
  saveFrom(file_url, `monthly-report-${year}-${String(month).padStart(2, '0')}.pdf`);
}
