import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '~/api';
import { type Finding, ruleOptions } from '~/model/finding';
import { atLeast } from '~/model/format';
import { To } from '~/office';
import { WATCHDOG_TAB } from '~/section/finding';
import { useActsHere } from '~/section/reach';
import { useOrganization } from '~/session';
import { Button, EmptyState, OfficePage, PageHead, Select, Table, Tools } from '~/ui';
import { useFindingColumns } from './columns';
import { assetOptions, type Filter, LISTED, useFilter, useFindings } from './findings';
import { modesText, quietText, SETTINGS, watchdogQuery } from './watchdog';
import styles from './watchdog.module.css';

const WHAT =
  'The watchdog finds assets that should alert drivers and do not, or that alert and should not, within 2 minutes.';
const ALL = 'all';

/** What the watchdog found: what is still so first, then what has ended. */
export function FindingList() {
  const { id, name } = useOrganization();
  // Who is only let in to see an organization has no part in what it asks of the watchdog.
  const acts = useActsHere();
  const { data: watchdog } = useQuery({ ...watchdogQuery(id), enabled: acts });
  const [filter, setFilter] = useFilter();
  const { heard, open, ended, openRows, endedRows } = useFindings(filter);
  const columns = useFindingColumns(watchdog);
  const isFiltered = filter.rule !== '' || filter.asset !== '';
  const showAll = isFiltered && <Button onPress={() => setFilter({ rule: '', asset: '' })}>Show all</Button>;
  const isEmpty = openRows?.length === 0 && endedRows?.length === 0;
  return (
    <OfficePage>
      <PageHead
        title="Watchdog"
        sentence={`What should alert drivers at ${name} and doesn't, and what alerts and shouldn't.`}
        actions={
          acts && (
            <To tab={WATCHDOG_TAB} id={SETTINGS} button={{}}>
              <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
              Settings
            </To>
          )
        }
      />
      <Filters
        filter={filter}
        onChange={setFilter}
        known={[...heard, ...(openRows ?? []), ...(endedRows ?? [])]}
        end={openRows && `${atLeast(openRows.length, openRows.length >= LISTED)} open`}
      />
      {watchdog && (
        <p className={styles.doing}>{[modesText(watchdog), quietText(watchdog)].filter(Boolean).join(' ')}</p>
      )}
      <Part title="Open">
        <Table
          label="Open"
          columns={columns}
          rows={openRows}
          rowKey={keyOf}
          error={open.error ? say('generic', open.error) : undefined}
          onRetry={() => void open.refetch()}
          empty={
            <EmptyState title={emptyTitle(isFiltered, isEmpty)} action={showAll}>
              {isFiltered ? 'Try another rule or asset.' : WHAT}
            </EmptyState>
          }
        />
      </Part>
      {!isEmpty && (
        <Part title="Ended">
          <Table
            label="Ended"
            columns={columns}
            rows={endedRows}
            rowKey={keyOf}
            step={Number.POSITIVE_INFINITY}
            error={ended.error ? say('generic', ended.error) : undefined}
            onRetry={() => void ended.refetch()}
            empty={<EmptyState title="Nothing has ended yet." />}
          />
          {ended.hasNextPage && (
            <div className={styles.more}>
              <Button isPending={ended.isFetchingNextPage} onPress={() => void ended.fetchNextPage()}>
                Show older findings
              </Button>
            </div>
          )}
        </Part>
      )}
    </OfficePage>
  );
}

const keyOf = (finding: Finding) => finding.id;

function emptyTitle(isFiltered: boolean, isEmpty: boolean): string {
  if (isFiltered) return 'No results found.';
  return isEmpty ? 'Nothing found yet.' : 'Nothing is open.';
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.part} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

interface FiltersProps {
  filter: Filter;
  onChange: (change: Partial<Filter>) => void;
  /** whose assets are offered */
  known: readonly Finding[];
  end: ReactNode;
}

function Filters({ filter, onChange, known, end }: FiltersProps) {
  return (
    <Tools end={end}>
      <Select
        label="Rule"
        hideLabel
        value={filter.rule || ALL}
        options={[{ id: ALL, label: 'All rules' }, ...ruleOptions]}
        onChange={rule => onChange({ rule: rule === ALL ? '' : rule })}
        className={styles.filter ?? ''}
      />
      <Select
        label="Asset"
        hideLabel
        value={filter.asset || ALL}
        options={[{ id: ALL, label: 'All assets' }, ...assetOptions(known, filter.asset)]}
        onChange={asset => onChange({ asset: asset === ALL ? '' : asset })}
        className={styles.filter ?? ''}
      />
    </Tools>
  );
}
