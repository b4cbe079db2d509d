import { Plus, RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Export, exportState, isMaking } from '~/model/export';
import { instantOf } from '~/model/instant';
import { actionsColumn, ListPage, numberColumn, PathLink, textColumn } from '~/office';
import { useFullReach } from '~/section/reach';
import { useWords } from '~/section/words';
import { useBrand, useMay, useOrganization } from '~/session';
import { Button, type Column, EmptyState, Named, Notice, OfficePage, PageHead, Segmented, Two } from '~/ui';
import { ExportStatus } from './ExportStatus';
import styles from './exports.module.css';
import { Files } from './FileButton';
import { NEW_PATH } from './paths';
import { useExports } from './queries';
import { RowButtons } from './RowButtons';
import { assetsText, failedText, rangeText, typeTitle, whenText } from './words';

const shownStates = [
  { id: 'all', label: 'All' },
  { id: 'making', label: 'In progress' },
  { id: 'completed', label: 'Completed' },
  { id: 'failed', label: 'Failed' },
] as const;
type Shown = (typeof shownStates)[number]['id'];

const keepers: Readonly<Record<Shown, (row: Export) => boolean>> = {
  all: () => true,
  making: isMaking,
  completed: row => row.status === 'completed',
  failed: row => row.status === 'errored',
};

const TITLE = 'Data Exports';

/** The exports of the organization that is looked at; only who acts for it sees them. */
export default function ExportList() {
  const { id, name } = useOrganization();
  const isOpen = useFullReach(id);
  if (isOpen) return <List key={id} />;
  return (
    <OfficePage>
      <PageHead title={TITLE} />
      <EmptyState title={`You can't see the exports of ${name}.`}>
        Only {name} and those who manage it can see and create them.
      </EmptyState>
    </OfficePage>
  );
}

function List() {
  const { id, name } = useOrganization();
  const mayCreate = useMay('CREATE_EXPORT');
  const [shown, setShown] = useState<Shown>('all');
  const query = useExports(id, true);
  return (
    <ListPage
      title={TITLE}
      sentence={`Files of what the assets of ${name} did, for spreadsheets and maps.`}
      actions={mayCreate && <NewLink />}
      query={query}
      operation="export"
      columns={useColumns()}
      // In progress first, then the newest first.
      initialSort={{ column: 'Requested', descending: false }}
      words={wordsOf}
      filters={
        <>
          <Segmented label="Status" value={shown} onChange={setShown} options={shownStates} />
          {query.data?.some(isMaking) && <Refresh onRefresh={query.refetch} />}
        </>
      }
      keeps={keepers[shown]}
      noun={['export', 'exports']}
      none="No exports yet."
      notice={<FailedNotice rows={query.data ?? []} shown={shown} />}
      hints={[
        'Try another title or status.',
        mayCreate ? 'Choose New export, what it is about, and a time. Its files can be downloaded here.' : '',
      ]}
    />
  );
}

const wordsOf = (row: Export) => [row.title, row.requested_by_name, row.export_type];

function NewLink() {
  return (
    <PathLink path={NEW_PATH} button={{ variant: 'primary' }}>
      <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
      New export
    </PathLink>
  );
}

/** How far exports are is asked by itself; this is for who does not want to wait for it. */
function Refresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isPending, setPending] = useState(false);
  return (
    <Button
      icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />}
      isPending={isPending}
      onPress={() => {
        setPending(true);
        void onRefresh().finally(() => setPending(false));
      }}
    >
      Refresh
    </Button>
  );
}

/** What those that have failed have in common, once for all of them; each says in its row why. */
function FailedNotice({ rows, shown }: { rows: readonly Export[]; shown: Shown }) {
  const brand = useBrand();
  const isDue = rows.some(row => keepers[shown](row) && exportState(row) === 'failed');
  return (
    <div role="status">
      {isDue && (
        <Notice tone="warn" className={styles.notice ?? ''}>
          {failedText(brand)}
        </Notice>
      )}
    </div>
  );
}

/** Sorts what is being made before all others, then the newest first. */
const order = (row: Export) => (isMaking(row) ? -1e15 : 0) - instantOf(row.requested_at);

const ranks: Readonly<Record<string, number>> = { making: 0, failed: 1, canceled: 2, completed: 3 };

function useColumns(): readonly Column<Export>[] {
  const { timezone } = useOrganization();
  const words = useWords();
  return useMemo(
    () => [
      textColumn<Export>('Title', row => row.title, {
        cell: row => <Named sub={`${typeTitle(row.export_type, words)} · ${assetsText(row)}`}>{row.title}</Named>,
      }),
      numberColumn(
        'Range',
        row => -instantOf(row.export_start_time),
        row => (
          <Two sub={row.time_zone}>
            <span className="num">{rangeText(row)}</span>
          </Two>
        ),
        { width: '19%' },
      ),
      textColumn('Requested by', row => row.requested_by_name, { width: '116px' }),
      numberColumn('Requested', order, row => <span className="num">{whenText(row.requested_at, timezone)}</span>, {
        width: '12%',
      }),
      numberColumn(
        'Status',
        row => ranks[exportState(row)] ?? 0,
        row => <ExportStatus row={row} />,
        { width: '15%' },
      ),
      actionsColumn('204px', row => (
        <div className={styles.actions}>
          {row.files.length > 0 && <Files row={row} />}
          <RowButtons row={row} />
        </div>
      )),
    ],
    [timezone, words],
  );
}
