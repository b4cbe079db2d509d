import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { countOf, DATE_PATTERNS, dateText } from '~/model/format';
import { useOrganization, useProfile } from '~/session';
import {
  Button,
  type Column,
  DescriptionList,
  Dialog,
  EmptyState,
  Menu,
  MenuItem,
  OfficePage,
  PageHead,
  Segmented,
  Select,
  Sub,
  Table,
  Tools,
  toast,
} from '~/ui';
import styles from './audit.module.css';
import { type Entry, fieldText, named, nounOptions, sentenceOf } from './entry';
import { type AuditFilter, auditQuery, exportAudit } from './queries';

const ALL = 'all';
const DAY_MS = 86_400_000;
const spans = [
  { id: '1', label: '24 hours' },
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
  { id: '0', label: 'All' },
] as const;
const formats = [
  { id: 'csv', label: 'CSV for spreadsheets' },
  { id: 'jsonl', label: 'JSON lines for software' },
] as const;

/** Who changed what in the organization: narrowed, read in detail, taken along as a file. */
export default function AuditTab() {
  const organization = useOrganization();
  const [span, setSpan] = useState<(typeof spans)[number]['id']>('7');
  const [noun, setNoun] = useState('');
  // Chosen once for each span, so that the list does not begin anew with every drawing.
  const since = useMemo(
    () => (span === '0' ? '' : new Date(serverClock.now() - Number(span) * DAY_MS).toISOString()),
    [span],
  );
  const filter: AuditFilter = { organizationId: organization.id, noun, since };
  const { data, error, isRefetchError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(filter),
  );
  const [open, setOpen] = useState<Entry>();
  const rows = useMemo(() => data?.pages.flatMap(page => page.rows), [data]);
  const total = data?.pages[0]?.total;
  return (
    <OfficePage>
      <PageHead
        title="Audit"
        sentence={`Every change and sign-in at ${organization.name}, newest first.`}
        actions={<ExportMenu filter={filter} isDisabled={!total} />}
      />
      <Tools end={total === undefined ? undefined : countOf(total, 'entry', 'entries')}>
        <Select
          label="About"
          hideLabel
          value={noun || ALL}
          options={[{ id: ALL, label: 'Everything' }, ...nounOptions]}
          onChange={id => setNoun(id === ALL ? '' : id)}
          className={styles.noun ?? ''}
        />
        <Segmented label="Time" value={span} onChange={setSpan} options={spans} />
      </Tools>
      <Table
        label="Audit"
        columns={useColumns(setOpen)}
        rows={rows}
        rowKey={entry => entry.id}
        step={Number.POSITIVE_INFINITY}
        error={error && (!data || isRefetchError) ? say('generic', error) : undefined}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No results found.">Try a longer time range, or show everything.</EmptyState>}
      />
      {hasNextPage && (
        <div className={styles.more}>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
      {open && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </OfficePage>
  );
}

function useColumns(onOpen: (entry: Entry) => void): readonly Column<Entry>[] {
  const { timezone } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'what',
        title: 'What',
        width: '34%',
        cell: entry => (
          <div>
            <button type="button" className={styles.open} onClick={() => onOpen(entry)}>
              {sentenceOf(entry)}
            </button>
            {entry.subject && <Sub>{entry.subject}</Sub>}
          </div>
        ),
      },
      {
        id: 'who',
        title: 'Who',
        width: '24%',
        cell: entry => (
          <div>
            {entry.who}
            {entry.kind === 'key' && <Sub>API key</Sub>}
          </div>
        ),
      },
      { id: 'where', title: 'From', width: '18%', cell: entry => <span className="mono">{entry.network || '–'}</span> },
      {
        id: 'when',
        title: 'When',
        cell: entry => (
          <div className="num">
            {dateText(entry.at, timezone, DATE_PATTERNS.timeSeconds)}
            <Sub>{dateText(entry.at, timezone, DATE_PATTERNS.monthFirst)}</Sub>
          </div>
        ),
      },
    ],
    [timezone, onOpen],
  );
}

function ExportMenu({ filter, isDisabled }: { filter: AuditFilter; isDisabled: boolean }) {
  const [isPending, setPending] = useState(false);
  const save = async (format: 'csv' | 'jsonl') => {
    setPending(true);
    try {
      await exportAudit(filter, format);
      toast('Audit saved');
    } catch (error) {
      toast(say('generic', error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Menu
      label="Export"
      trigger={
        <Button icon={<Download size={16} strokeWidth={1.75} aria-hidden="true" />} {...{ isPending, isDisabled }}>
          Export
        </Button>
      }
    >
      {formats.map(({ id, label }) => (
        <MenuItem key={id} id={id} onAction={() => void save(id)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Everything one entry tells: its facts, and each changed field before and after. */
function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { timezone } = useOrganization();
  const { organizations } = useProfile();
  return (
    <Dialog
      isOpen
      wide
      title={sentenceOf(entry)}
      onOpenChange={open => !open && onClose()}
      actions={<Button onPress={onClose}>Close</Button>}
    >
      <DescriptionList
        rows={[
          ['Who', entry.who],
          [
            'When',
            [
              dateText(entry.at, timezone, DATE_PATTERNS.monthFirst),
              dateText(entry.at, timezone, DATE_PATTERNS.timeSeconds),
              `(${timezone})`,
            ].join(' '),
          ],
          ['From', entry.network],
          ['About', entry.subject || entry.nounId],
          ['Request', entry.requestId && <span className="mono">{entry.requestId}</span>],
          ['Sealed', entry.sealed ? 'In the hash chain' : 'Within seconds'],
        ]}
      />
      {entry.changes.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {entry.changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{fieldText(field)}</th>
                <td>{named(before, organizations) || '–'}</td>
                <td>{named(after, organizations) || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
