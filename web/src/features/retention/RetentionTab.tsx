import { useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { useMemo } from 'react';
import { say } from '~/api';
import { bytesText } from '~/model/export';
import type { ManagerPlace } from '~/model/manager';
import { actionsColumn, Loaded, numberColumn, To, textColumn } from '~/office';
import { useCan, useMay, useOrganization } from '~/session';
import {
  AskButton,
  Card,
  Cards,
  type Column,
  DescriptionList,
  EmptyState,
  Notice,
  OfficePage,
  PageHead,
  Pill,
  RowActions,
  Table,
  Two,
  toast,
} from '~/ui';
import { HoldAdd } from './HoldAdd';
import {
  dayText,
  diskLines,
  FULL_SOON_DAYS,
  goesText,
  type Hold,
  holdStatus,
  holds,
  type KeptData,
  keptText,
  kindSub,
  kindTitle,
  retentionQuery,
  type Storage,
  spanText,
  storageQuery,
  TAB,
  useHoldMutations,
} from './retention';
import styles from './retention.module.css';

/** The retention tab: what goes when, what a legal hold keeps, and what the disk has to do with it. */
export default function RetentionTab({ view }: ManagerPlace) {
  const { id } = useOrganization();
  return view === 'list' ? <Page key={id} /> : <HoldAdd key={id} />;
}

function Page() {
  const { id, name } = useOrganization();
  const mayPlace = useMay('EDIT_LEGAL_HOLDS');
  const mayAskStorage = useCan('MANAGE_PLATFORM');
  const retention = useQuery(retentionQuery(id));
  const storage = useQuery(storageQuery(mayAskStorage));
  return (
    <OfficePage>
      <PageHead
        title="Retention"
        sentence={`How long data of ${name} is kept. Older data is deleted every hour, unless a legal hold keeps it.`}
        actions={
          mayPlace && (
            <To tab={TAB} form button={{ variant: 'primary' }}>
              <Scale size={16} strokeWidth={1.75} aria-hidden="true" />
              Place legal hold
            </To>
          )
        }
      />
      <section className={styles.part} aria-label="Legal holds">
        <h2>Legal holds</h2>
        <Holds mayLift={mayPlace} />
      </section>
      <section className={styles.part} aria-label="What goes when">
        <h2>What goes when</h2>
        <Table
          label="What goes when"
          columns={useKindColumns(storage.data)}
          rows={retention.data?.kinds}
          rowKey={row => row.kind}
          error={retention.error ? say('generic', retention.error) : undefined}
          onRetry={() => void retention.refetch()}
          empty={<EmptyState title="No results found." />}
        />
      </section>
      {mayAskStorage && (
        <Cards>
          <Card title="Disk" hint="All organizations of this server together. Estimates from the last 7 days.">
            <Loaded query={storage} label="Loading storage" height={160}>
              {found => <Disk storage={found} />}
            </Loaded>
          </Card>
        </Cards>
      )}
    </OfficePage>
  );
}

function Disk({ storage }: { storage: Storage }) {
  const days = storage.days_until_full;
  return (
    <>
      {days !== null && days < FULL_SOON_DAYS && (
        <Notice tone="warn">
          The disk will be full soon. Keep data for less time, or give the server a larger disk.
        </Notice>
      )}
      <DescriptionList rows={diskLines(storage)} />
    </>
  );
}

function useKindColumns(storage: Storage | undefined): readonly Column<KeptData>[] {
  const { timezone } = useOrganization();
  return useMemo(() => {
    const sizes = new Map(storage?.kinds.map(one => [one.kind, one]));
    const size = (row: KeptData) => sizes.get(row.kind);
    return [
      textColumn<KeptData>('Data', row => kindTitle(row.kind), {
        width: storage ? '30%' : '40%',
        sub: row => kindSub(row.kind),
      }),
      numberColumn<KeptData>(
        'Kept for',
        row => row.kept_days ?? Number.POSITIVE_INFINITY,
        row => keptText(row.kept_days),
      ),
      numberColumn<KeptData>(
        'Oldest',
        row => (row.oldest_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.oldest_at)),
        row => <span className={styles.day}>{dayText(row.oldest_at, timezone) || 'None'}</span>,
      ),
      numberColumn<KeptData>(
        'Goes on',
        row => (row.next_purge_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.next_purge_at)),
        row => (
          <Two sub={row.holds > 0 ? `${row.holds} legal ${row.holds === 1 ? 'hold' : 'holds'}` : undefined}>
            <span className={styles.day}>{goesText(row, timezone)}</span>
          </Two>
        ),
      ),
      ...(storage
        ? [
            numberColumn<KeptData>(
              'On the server',
              row => size(row)?.bytes ?? 0,
              row => (
                <Two sub={`${bytesText(size(row)?.bytes_per_day ?? 0)} a day`}>{bytesText(size(row)?.bytes ?? 0)}</Two>
              ),
            ),
          ]
        : []),
    ];
  }, [storage, timezone]);
}

function Holds({ mayLift }: { mayLift: boolean }) {
  const { id } = useOrganization();
  const { data, error, refetch } = useQuery(holds.list(id));
  return (
    <Table
      label="Legal holds"
      columns={useHoldColumns(mayLift)}
      rows={data}
      rowKey={row => row.id}
      error={error ? say('generic', error) : undefined}
      onRetry={() => void refetch()}
      empty={
        <EmptyState title="No legal holds.">
          {mayLift ? 'Place one when data may be needed for a lawsuit or a records request.' : ''}
        </EmptyState>
      }
    />
  );
}

function useHoldColumns(mayLift: boolean): readonly Column<Hold>[] {
  const { timezone } = useOrganization();
  return useMemo(
    () => [
      textColumn<Hold>('Reason', row => row.reason, {
        width: '30%',
        sub: row =>
          `Placed ${dayText(row.placed_at, timezone)}${row.placed_by_name ? ` by ${row.placed_by_name}` : ''}`,
      }),
      textColumn<Hold>('Keeps', row => (row.thing_id === null ? 'All data' : row.thing_name || 'One asset'), {
        sub: row => spanText(row, timezone),
      }),
      textColumn<Hold>('Status', row => holdStatus(row, timezone).text, {
        width: '20%',
        cell: row => {
          const { text, tone, sub } = holdStatus(row, timezone);
          return (
            <Two sub={sub}>
              <Pill tone={tone}>{text}</Pill>
            </Two>
          );
        },
      }),
      actionsColumn<Hold>(
        '96px',
        row =>
          mayLift &&
          row.stands && (
            <RowActions>
              <Lift row={row} />
            </RowActions>
          ),
      ),
    ],
    [timezone, mayLift],
  );
}

function Lift({ row: { id, reason } }: { row: Hold }) {
  const mutations = useHoldMutations();
  return (
    <AskButton
      label="Lift"
      button={{ size: 'small' }}
      title={`Lift “${reason}”?`}
      say={thrown => say('generic', thrown)}
      run={async () => {
        const gone = await mutations.lift(id);
        toast(gone ? say('generic', gone) : `“${reason}” is lifted`);
      }}
    >
      <p>
        Data that is older than its time is deleted within the hour, unless another legal hold keeps it. It can't be
        restored.
      </p>
    </AskButton>
  );
}
