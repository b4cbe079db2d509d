import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { ageText, agoText, countText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { ListPage, numberColumn, To, textColumn } from '~/office';
import { useMay, useOrganization } from '~/session';
import { type Column, Named, Pill, Two } from '~/ui';
import { activeText } from './health';
import {
  formatText,
  hostOf,
  problemText,
  REFRESH_MS,
  type Subscription,
  statusText,
  subscriptions,
  TAB,
  toneOf,
} from './subscription';

/** The feeds of others that the organization reads, and how each is. */
export function SubscriptionList() {
  const { id, name, isWzdx } = useOrganization();
  const mayEdit = useMay('EDIT_ORGANIZATION');
  const [seesOrganization, seesClosures] = [useMay('VIEW_ORGANIZATION'), useMay('VIEW_CLOSURES')];
  const publishes = isWzdx && seesOrganization && seesClosures;
  const query = useQuery({ ...subscriptions.list(id), refetchInterval: REFRESH_MS });
  const { dataUpdatedAt } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: ages are told again with each answer, also one that says the same
  const columns = useMemo(() => columnsAt(serverClock.now()), [dataUpdatedAt]);
  return (
    <ListPage
      title="Incoming feeds"
      sentence={`Closures and hazards that ${name} gets from agencies and partners.`}
      actions={
        <>
          {publishes && (
            <To tab="organization" id={id} button={{}}>
              Published feeds
            </To>
          )}
          {mayEdit && (
            <To tab={TAB} form button={{ variant: 'primary' }}>
              <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
              Add feed
            </To>
          )}
        </>
      }
      query={query}
      columns={columns}
      initialSort={{ column: 'Feed', descending: false }}
      words={wordsOf}
      noun={['feed', 'feeds']}
      none="No incoming feeds yet."
      hints={[
        'Try another name.',
        mayEdit ? 'Add the address of a work zone feed. Its closures then show on the map within a minute.' : '',
      ]}
    />
  );
}

const wordsOf = (row: Subscription) => [row.name, row.publisher, hostOf(row.url), formatText(row.format)];

/** "in 40 s"; a fetch that is due comes within moments. */
function soonText(at: Instant, now: Instant): string {
  if (at === 0) return '–';
  return at - now < 2000 ? 'Now' : `in ${ageText(now, at)}`;
}

const columnsAt = (now: Instant): readonly Column<Subscription>[] => [
  textColumn<Subscription>('Feed', row => row.name, {
    width: '25%',
    cell: row => (
      <Named sub={row.publisher || hostOf(row.url)}>
        <To tab={TAB} id={row.id}>
          {row.name}
        </To>
      </Named>
    ),
  }),
  textColumn('Format', row => formatText(row.format), { width: '15%' }),
  textColumn('Status', row => statusText(row.status), {
    width: '20%',
    cell: row => (
      <Two sub={row.problem && problemText(row.problem, row.http_code)}>
        <Pill tone={toneOf(row)}>{statusText(row.status)}</Pill>
      </Two>
    ),
  }),
  numberColumn(
    'Active now',
    row => -(row.closures + row.hazards),
    row => (row.is_active && activeText(row)) || '–',
  ),
  numberColumn(
    'Features',
    row => -row.kept,
    row => (
      <Two sub={row.refused > 0 && `${countText(row.refused)} rejected`}>
        <span className="num">{row.last_fetched_at ? `${countText(row.kept)} accepted` : '–'}</span>
      </Two>
    ),
  ),
  numberColumn(
    'Last good fetch',
    row => -instantOf(row.last_good_at),
    row => (
      <Two sub={row.next_fetch_at && `Next ${soonText(instantOf(row.next_fetch_at), now)}`}>
        <span className="num">{agoText(instantOf(row.last_good_at), now)}</span>
      </Two>
    ),
  ),
];
