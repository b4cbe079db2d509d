import type { MonthlyReport, MonthlyRowsOf } from '~/model/monthlyReport';

export const LIST_PATH = '/dashboard/data/reports';

type Month = Pick<MonthlyReport, 'organization_id' | 'year' | 'month'>;

export const reportPath = ({ organization_id, year, month }: Month): string =>
  `${LIST_PATH}/${encodeURIComponent(organization_id)}/${year}/${month}`;

export const rowsPath = (report: Month, of: MonthlyRowsOf): string => `${reportPath(report)}/${of}`;
