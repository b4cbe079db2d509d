import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { countText } from '~/model/format';
import { actionsColumn, ListPage, numberColumn, To, textColumn } from '~/office';
import { useMay, useOrganization } from '~/session';
import { type Column, Named, Pill, Two } from '~/ui';
import { healthText, integrationStatus, refusedOf } from './health';
import { IntegrationMenu } from './IntegrationMenu';
import { type Integration, integrations, MAY, providerOf, REFRESH_MS, TAB } from './integration';

/** What an integration does, and how to begin. */
const WHAT =
  'An integration brings positions and emergency lights of vehicles that already report to Geotab or Samsara, without a device of ours.';
const HOW = 'To begin, connect an account. You see which vehicles would come before anything is imported.';

/** The organization's accounts at fleet-telematics providers, and how each is. */
export function IntegrationList() {
  const { id, name, timezone } = useOrganization();
  const mayAdd = useMay(MAY.add);
  const query = useQuery({ ...integrations.list(id), refetchInterval: REFRESH_MS });
  const { dataUpdatedAt } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are told again with each answer, also one that says the same
  const columns = useMemo(() => columnsAt(timezone, serverClock.now()), [timezone, dataUpdatedAt]);
  return (
    <ListPage
      title="Integrations"
      sentence={`Accounts at Geotab and Samsara from which ${name} gets the positions of its vehicles.`}
      actions={
        mayAdd && (
          <To tab={TAB} form button={{ variant: 'primary' }}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            Connect a provider
          </To>
        )
      }
      query={query}
      columns={columns}
      initialSort={{ column: 'Name', descending: false }}
      noun={['integration', 'integrations']}
      none="No integrations yet."
      hints={[mayAdd ? `${WHAT} ${HOW}` : WHAT]}
    />
  );
}

const columnsAt = (timezone: string, now: number): readonly Column<Integration>[] => [
  textColumn<Integration>('Name', row => row.name, {
    width: '22%',
    cell: row => (
      <Named sub={row.provider === 'geotab' ? row.database : ''}>
        <To tab={TAB} id={row.id}>
          {row.name}
        </To>
      </Named>
    ),
  }),
  textColumn('Provider', row => providerOf(row.provider).label, { width: '13%' }),
  textColumn('Status', row => integrationStatus(row).text, {
    cell: row => {
      const { text, tone } = integrationStatus(row);
      return (
        <Two sub={healthText(row, timezone, now)}>
          <Pill tone={tone}>{text}</Pill>
        </Two>
      );
    },
  }),
  numberColumn(
    'Reports',
    row => -row.kept,
    row => (
      <Two sub={refusedOf(row) > 0 && `${countText(refusedOf(row))} rejected`}>
        <span className="num">{row.last_fetched_at ? `${countText(row.kept)} accepted` : '–'}</span>
      </Two>
    ),
    { width: '18%' },
  ),
  actionsColumn('64px', row => <IntegrationMenu row={row} />),
];
