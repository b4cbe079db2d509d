import { useNow } from '~/live';
import { agoText, countText, DATE_PATTERNS, dateText, NONE } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useOrganization } from '~/session';
import { Card, type Column, EmptyState, Table } from '~/ui';
import { outcomeText, outcomeTone, type Subscription } from './subscription';
import styles from './subscriptions.module.css';

type Fetch = Subscription['fetches'][number] & { id: string };

/** The last fetches: a strip from the earliest to the latest, and a line for each, the latest first. */
export function Health({ row }: { row: Subscription }) {
  const { timezone } = useOrganization();
  const now = useNow();
  // Two of one instant cannot be: fetches follow each other by ten seconds at least.
  const fetches = row.fetches.map(one => ({ ...one, id: one.at }));
  const good = fetches.filter(({ outcome }) => outcomeTone(outcome) === 'good').length;
  return (
    <Card title="Health" hint={fetches.length > 0 && `${good} of the last ${fetches.length} fetches succeeded.`}>
      {fetches.length > 0 && (
        <div className={styles.strip} aria-hidden="true">
          {fetches.toReversed().map(one => (
            <i
              key={one.id}
              className={styles[outcomeTone(one.outcome)]}
              title={`${outcomeText(one)}, ${agoText(instantOf(one.at), now)}`}
            />
          ))}
        </div>
      )}
      <Table
        label="Last fetches"
        columns={columnsOf(timezone, now)}
        rows={fetches}
        rowKey={one => one.id}
        step={10}
        empty={<EmptyState title="No fetches yet." />}
      />
    </Card>
  );
}

const tookText = (ms: number) => (ms === 0 ? NONE : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const columnsOf = (timezone: string, now: number): readonly Column<Fetch>[] => [
  {
    id: 'at',
    title: 'Fetched',
    width: '30%',
    cell: one => (
      <span className="num">
        {dateText(instantOf(one.at), timezone, DATE_PATTERNS.timeSeconds)}
        <span className={styles.ago}>{agoText(instantOf(one.at), now)}</span>
      </span>
    ),
  },
  {
    id: 'result',
    title: 'Result',
    cell: one => (
      <span className={styles.result}>
        <i className={styles[outcomeTone(one.outcome)]} aria-hidden="true" />
        {outcomeText(one)}
      </span>
    ),
  },
  { id: 'kept', title: 'Accepted', width: '12%', align: 'end', cell: one => countText(one.kept) },
  { id: 'refused', title: 'Rejected', width: '12%', align: 'end', cell: one => countText(one.refused) },
  { id: 'took', title: 'Time', width: '12%', align: 'end', cell: one => tookText(one.ms) },
];
