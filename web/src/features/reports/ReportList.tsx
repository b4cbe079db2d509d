import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type MonthlyReport, mayChange, momentText, monthText, spanText } from '~/model/monthlyReport';
import { actionsColumn, ListPage, numberColumn, PathLink, textColumn } from '~/office';
import { useFullReach } from '~/section/reach';
import { useOrganization } from '~/session';
import { type Column, EmptyState, Named, OfficePage, PageHead, Select, Two } from '~/ui';
import { MailMe } from './MailMe';
import { PdfButton } from './PdfButton';
import { reportPath } from './paths';
import { reportsQuery } from './queries';
import styles from './reports.module.css';

const TITLE = 'Monthly Reports';
const ALL = 'all';

type Row = MonthlyReport & { id: string };

/** The reports of the organization that is looked at and of those that it manages. */
export default function ReportList() {
  const { id, name } = useOrganization();
  const isOpen = useFullReach(id);
  if (isOpen) return <List key={id} />;
  return (
    <OfficePage>
      <PageHead title={TITLE} />
      <EmptyState title={`You can't see the reports of ${name}.`}>
        Only {name} and those who manage it can see them.
      </EmptyState>
    </OfficePage>
  );
}

function List() {
  const { id, name } = useOrganization();
  const query = useQuery(reportsQuery(id, true));
  const rows = query.data?.rows;
  const [year, setYear] = useState(ALL);
  const [organization, setOrganization] = useState(ALL);
  const years = [...new Set(rows?.map(row => row.year))].map(one => ({ id: String(one), label: String(one) }));
  const organizations = [...new Map(rows?.map(row => [row.organization_id, row.organization_name]))].map(
    ([one, label]) => ({ id: one, label }),
  );
  const isMany = organizations.length > 1;
  return (
    <ListPage
      title={TITLE}
      sentence={`What happened at ${name}, month by month. Each is made when it has ended.`}
      query={{ ...query, data: rows }}
      columns={useColumns()}
      words={wordsOf}
      filters={
        <>
          <Select
            label="Year"
            hideLabel
            value={year}
            options={[{ id: ALL, label: 'All years' }, ...years]}
            onChange={setYear}
            className={styles.filter ?? ''}
          />
          {isMany && (
            <Select
              label="Organization"
              hideLabel
              value={organization}
              options={[{ id: ALL, label: 'All organizations' }, ...organizations]}
              onChange={setOrganization}
              className={styles.filter ?? ''}
            />
          )}
        </>
      }
      keeps={row =>
        (year === ALL || String(row.year) === year) &&
        (organization === ALL || !isMany || row.organization_id === organization)
      }
      noun={['report', 'reports']}
      none="No reports yet."
      hints={[
        'Try another month, year or organization.',
        'The first one is made on the first day of the next month, if assets have reported by then.',
      ]}
    >
      {query.data && <MailMe mails={query.data.mails} />}
    </ListPage>
  );
}

const wordsOf = (row: Row) => [monthText(row), row.organization_name];

function useColumns(): readonly Column<Row>[] {
  return useMemo(
    () => [
      numberColumn<Row>(
        'Month',
        row => -(row.year * 12 + row.month),
        row => (
          <Named sub={spanText(row)}>
            <PathLink path={reportPath(row)}>{monthText(row)}</PathLink>
          </Named>
        ),
        { width: '28%' },
      ),
      textColumn('Organization', row => row.organization_name, { sub: row => row.time_zone }),
      numberColumn(
        'Made',
        row => -Date.parse(row.made_at ?? ''),
        row => (
          <Two sub={mayChange(row) ? `May change until ${momentText(row.final_at, row.time_zone)}` : 'Final'}>
            <span className="num">{momentText(row.made_at, row.time_zone)}</span>
          </Two>
        ),
        { width: '26%' },
      ),
      numberColumn(
        'Version',
        row => row.version,
        row => <span className="num">{row.version}</span>,
        { width: '96px' },
      ),
      actionsColumn('112px', row => <PdfButton report={row} isRow />),
    ],
    [],
  );
}
