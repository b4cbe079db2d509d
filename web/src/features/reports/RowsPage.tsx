import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { asFailure, say } from '~/api';
import { countText } from '~/model/format';
import { isRowsOf, type MonthlyReportWhole, type MonthlyRowsOf, monthText } from '~/model/monthlyReport';
import { PathLink, RowPage } from '~/office';
import { BackIcon, Button, backLinkClass, type Column, EmptyState, OfficePage, PageHead, Table } from '~/ui';
import { useMonth } from './month';
import { reportPath, rowsPath } from './paths';
import { type ReportMonth, type RowOf, reportQuery, rowsQuery } from './queries';
import styles from './reports.module.css';
import { type RowWords, rowColumns } from './rowColumns';
import { useUnitOf } from './units';

const titles: Readonly<Record<MonthlyRowsOf, string>> = {
  assets: 'Assets',
  incidents: 'Incidents',
  runs: 'Runs',
  closures: 'Closures',
};

const sentences: Readonly<Record<MonthlyRowsOf, string>> = {
  assets: 'Each asset and its part of the figures.',
  incidents: 'Each incident that began in the month, oldest first, with the stays of assets there.',
  runs: 'Each run that started in the month, oldest first.',
  closures: 'Each closure that was active for some of the month, oldest first.',
};

const kinds = Object.keys(titles) as MonthlyRowsOf[];

/** The rows behind the figures of a month. */
export default function RowsPage() {
  const asked = useMonth();
  const { of = '' } = useParams({ strict: false }) as { of?: string };
  if (asked && isRowsOf(of)) return <Asked key={of} asked={asked} of={of} />;
  return (
    <OfficePage narrow>
      <PageHead title="Monthly report" />
      <EmptyState title="There is no report of this month." />
    </OfficePage>
  );
}

function Asked({ asked, of }: { asked: ReportMonth; of: MonthlyRowsOf }) {
  const { orgId, year, month } = asked;
  const query = useQuery(reportQuery(asked));
  const back = (
    <PathLink path={reportPath({ organization_id: orgId, year, month })} className={backLinkClass}>
      <BackIcon />
      {monthText(asked)}
    </PathLink>
  );
  if (!query.data)
    return (
      <RowPage query={query} back={back} title={titles[of]} missing="There is no report of this month.">
        {() => null}
      </RowPage>
    );
  return (
    <OfficePage>
      <PageHead
        back={back}
        title={`${titles[of]} of ${monthText(asked)}`}
        sentence={`${query.data.organization_name}. ${sentences[of]}`}
      />
      <nav className={styles.kinds} aria-label="Rows behind the figures">
        {kinds.map(kind => (
          <PathLink key={kind} path={rowsPath(query.data, kind)} className={styles.kind ?? ''}>
            {titles[kind]}
          </PathLink>
        ))}
      </nav>
      <Rows asked={asked} of={of} report={query.data} />
    </OfficePage>
  );
}

interface RowsProps<Of extends MonthlyRowsOf> {
  asked: ReportMonth;
  of: Of;
  report: MonthlyReportWhole;
}

function Rows<Of extends MonthlyRowsOf>({ asked, of, report }: RowsProps<Of>) {
  const unit = useUnitOf(report.organization_id);
  const { data, error, isRefetchError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    rowsQuery(asked, of),
  );
  const columnsOf = rowColumns[of] as unknown as (words: RowWords) => readonly Column<RowOf[Of]>[];
  const rows = data?.pages.flatMap(page => page.rows);
  const total = data?.pages[0]?.total ?? 0;
  const failed = error && (!data || isRefetchError);
  return (
    <>
      <Table
        label={titles[of]}
        columns={columnsOf({ report, unit })}
        rows={rows}
        rowKey={keyOf}
        step={Number.POSITIVE_INFINITY}
        error={failed ? say('generic', asFailure(error)) : undefined}
        onRetry={() => void refetch()}
        empty={<EmptyState title={`No ${titles[of].toLowerCase()} in this month.`} />}
      />
      {rows && rows.length > 0 && (
        <div className={styles.more}>
          <span className="num" role="status">
            {countText(rows.length)} of {countText(total)}
          </span>
          {hasNextPage && (
            <Button size="small" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function keyOf(row: RowOf[MonthlyRowsOf]): string {
  if ('run_id' in row) return row.run_id;
  if ('location_id' in row) return row.location_id;
  return 'closure_id' in row ? row.closure_id : row.thing_id;
}
