import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { say } from '~/api';
import { useNow } from '~/live';
import { agoText, countText, NONE, whenText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { Back, EditLink, RowPage, sayMarked, useGoTo } from '~/office';
import { toastBack } from '~/section/undo';
import { useMay, useOrganization } from '~/session';
import {
  AskButton,
  Button,
  Card,
  Cards,
  ConfirmAction,
  DescriptionList,
  Mono,
  Notice,
  PageHead,
  Pill,
  toast,
} from '~/ui';
import { Health } from './Health';
import { activeText, missingText, noticeOf } from './health';
import {
  bringsText,
  columnLines,
  formatText,
  hasColumns,
  isHiding,
  outcomeText,
  REFRESH_MS,
  reasonText,
  type Subscription,
  statusText,
  subscriptions,
  TAB,
  toneOf,
  useSubscriptionMutations,
} from './subscription';
import styles from './subscriptions.module.css';

const back = <Back tab={TAB}>Incoming feeds</Back>;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** While somebody waits for a fetch. */
const AWAITED_MS = 1000;
/** A slow server is waited for no longer than this; what comes later shows all the same. */
const PATIENCE_MS = 150_000;

/** A feed of others to read: how it is, what of it stands, what was refused and why. */
export function SubscriptionRead({ id }: { id: string }) {
  /** The last fetch as the server knew it when another one was asked for, which is waited for; 0 = none. */
  const [awaited, setAwaited] = useState<Instant>();
  const isAwaiting = awaited !== undefined;
  const query = useQuery({ ...subscriptions.one(id), refetchInterval: isAwaiting ? AWAITED_MS : REFRESH_MS });
  const { data } = query;
  useEffect(() => {
    if (awaited === undefined) return;
    const end = setTimeout(() => setAwaited(undefined), PATIENCE_MS);
    return () => clearTimeout(end);
  }, [awaited]);
  useEffect(() => {
    if (awaited === undefined || !data || instantOf(data.last_fetched_at) <= awaited) return;
    setAwaited(undefined);
    const [last] = data.fetches;
    if (last) toast(`Fetched: ${outcomeText(last)}`, data.problem ? { tone: 'danger' } : {});
  }, [awaited, data]);
  return (
    <RowPage query={query} back={back} title="Incoming feed" missing="Feed not found">
      {row => <Body row={row} isAwaiting={isAwaiting} onAwait={last => setAwaited(instantOf(last.last_fetched_at))} />}
    </RowPage>
  );
}

interface BodyProps {
  row: Subscription;
  isAwaiting: boolean;
  /** Another fetch than the last of this row is waited for. */
  onAwait: (row: Subscription) => void;
}

function Body({ row, isAwaiting, onAwait }: BodyProps) {
  const mayEdit = useMay('EDIT_ORGANIZATION');
  return (
    <>
      <PageHead
        back={back}
        title={
          <>
            {row.name}
            <Pill tone={toneOf(row)}>{statusText(row.status)}</Pill>
          </>
        }
        sentence={[row.publisher, formatText(row.format)].filter(Boolean).join(' · ')}
        actions={
          mayEdit && (
            <>
              <Delete row={row} />
              {row.is_active && <FetchNow row={row} isAwaiting={isAwaiting} onAwait={onAwait} />}
              <EditLink tab={TAB} id={row.id} />
            </>
          )
        }
      />
      <State row={row} mayAccept={mayEdit} onAccepted={onAwait} />
      <Cards two>
        <Now row={row} />
        <Source row={row} />
      </Cards>
      <Cards>
        {row.refused > 0 && <Refused row={row} />}
        <Health row={row} />
      </Cards>
    </>
  );
}

interface StateProps {
  row: Subscription;
  mayAccept: boolean;
  /** The feed is fetched because of it. */
  onAccepted: (row: Subscription) => void;
}

/** What is wrong, and what becomes of what it brought. */
function State({ row, mayAccept, onAccepted }: StateProps) {
  const { timezone } = useOrganization();
  const notice = noticeOf(row, timezone, useNow());
  /** As it was when somebody began to accept it: what they agree to must not change before their eyes. */
  const [asked, setAsked] = useState<Subscription>();
  const mutations = useSubscriptionMutations();
  const accept = mayAccept && row.is_active && row.missing > 0 && (
    <Button size="small" onPress={() => setAsked(row)}>
      Accept the shorter feed
    </Button>
  );
  return (
    <>
      <div role="status">
        {notice && (
          <Notice tone={notice.tone} className={styles.state ?? ''}>
            <b>{notice.title}</b>
            {notice.sentences.map(sentence => (
              <p key={sentence}>{sentence}</p>
            ))}
            {accept && <div className={styles.way}>{accept}</div>}
          </Notice>
        )}
      </div>
      {asked && (
        <ConfirmAction
          title="Accept the shorter feed?"
          run={() => mutations.accept(asked)}
          say={sayMarked('generic')}
          onClose={() => setAsked(undefined)}
          onDone={accepted => {
            setAsked(undefined);
            onAccepted(accepted);
          }}
        >
          <p>
            {missingText(asked)} {asked.missing === 1 ? 'ends' : 'end'} now, for everyone. The feed is fetched again
            first: anything that is back stays active. If even more is missing, nothing ends.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}

function Now({ row }: { row: Subscription }) {
  const { timezone } = useOrganization();
  const now = useNow();
  const ago = (text: string | null) => agoText(instantOf(text), now);
  const when = (text: string | null) => (text ? whenText(instantOf(text), timezone, now) : NONE);
  return (
    <Card title="Now">
      <DescriptionList
        rows={[
          ['Active', (row.is_active && activeText(row)) || 'Nothing'],
          ['Features', row.last_fetched_at && `${countText(row.kept)} accepted, ${countText(row.refused)} rejected`],
          ['Last good fetch', ago(row.last_good_at)],
          ['Last change', ago(row.last_changed_at)],
          ['Published', row.said_at ? when(row.said_at) : 'Not stated'],
          ['Next fetch', row.next_fetch_at ? when(row.next_fetch_at) : 'Paused'],
        ]}
      />
    </Card>
  );
}

function Source({ row }: { row: Subscription }) {
  const { columns, types, timezone, time_format } = row;
  const named = columnLines.flatMap(({ id, label }) => (columns[id] ? [`${label}: ${columns[id]}`] : []));
  return (
    <Card title="Source" hint={bringsText[row.format]}>
      <DescriptionList
        rows={[
          [
            'Address',
            <div key="url" className={styles.address}>
              <Mono>{row.url}</Mono>
              {isHiding(row.url) && <div className={styles.quiet}>*** hides a saved password or key.</div>}
            </div>,
          ],
          ['Format', formatText(row.format)],
          ...(hasColumns(row.format)
            ? ([
                [row.format === 'csv' ? 'Columns' : 'Properties', named.join(', ') || 'Same names as here'],
                ['Types', Object.keys(types).length > 0 && Object.keys(types).join(', ')],
                ['Time zone', timezone || 'Organization time zone'],
                ['Time format', time_format || 'ISO 8601'],
              ] as const)
            : []),
        ]}
      />
    </Card>
  );
}

/** How many features were refused for what, the most first. */
function Refused({ row }: { row: Subscription }) {
  const reasons = Object.entries(row.reasons).sort(([, a], [, b]) => b - a);
  const most = Math.max(...reasons.map(([, count]) => count), 1);
  return (
    <Card
      title="Rejected"
      hint={`${countText(row.refused)} of ${countText(row.kept + row.refused)} features in the last readable document.`}
    >
      <ul className={styles.reasons} aria-label="Why features were rejected">
        {reasons.map(([reason, count]) => (
          <li key={reason}>
            <span>{reasonText(reason)}</span>
            <span className={styles.bar} aria-hidden="true">
              <i style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <b className="num">{countText(count)}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function FetchNow({ row, isAwaiting, onAwait }: BodyProps) {
  const mutations = useSubscriptionMutations();
  const [isSent, setSent] = useState(false);
  const press = async () => {
    setSent(true);
    try {
      onAwait(await mutations.fetchNow(row.id));
    } catch (error) {
      toast(sayMarked('generic')(error), { tone: 'danger' });
    } finally {
      setSent(false);
    }
  };
  return (
    <Button icon={<RefreshCw {...icon} />} isPending={isSent || isAwaiting} onPress={() => void press()}>
      Fetch now
    </Button>
  );
}

function Delete({ row }: { row: Subscription }) {
  const goTo = useGoTo();
  const mutations = useSubscriptionMutations();
  const stands = row.is_active && activeText(row);
  return (
    <AskButton
      label="Delete"
      button={{ variant: 'danger', icon: <Trash2 {...icon} /> }}
      title={`Delete “${row.name}”?`}
      say={error => say('generic', error)}
      run={() => mutations.remove(row.id)}
      onDone={gone => {
        if (gone) toast(say('generic', gone));
        else toastBack(`“${row.name}” is deleted`, () => mutations.undo({ id: row.id, version: row.version + 1 }));
        void goTo({ tab: TAB });
      }}
    >
      <p>
        {stands
          ? `The feed is no longer fetched. These end for everyone immediately: ${stands}.`
          : 'The feed is no longer fetched. It has nothing active now.'}
      </p>
    </AskButton>
  );
}
