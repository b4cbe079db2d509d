import { useAtNow, useThing } from '~/live';
import { type Closure, closureStatus, isClosureActive, isClosureScheduled, lastActive } from '~/model/closure';
import { agoText } from '~/model/format';
import type { Instant } from '~/model/instant';
import { managerPath } from '~/model/manager';
import { nextTimes, type Recurrence, timeSpanText, wholePattern } from '~/model/recurrence';
import { DeleteRow, DetailScreen, Hero } from '~/section/DetailScreen';
import look from '~/section/detail.module.css';
import { EditLink, ScreenLink } from '~/section/EditLink';
import { AssetLink } from '~/section/facts';
import { Mark } from '~/section/Mark';
import { DetailSection } from '~/section/parts';
import { useFullReach, useMay } from '~/section/reach';
import { useWords } from '~/section/words';
import { useCan, useIsPhone } from '~/session';
import { KeyValues } from '~/ui';
import { Asked } from './Asked';
import { ClosureMark } from './ClosureMark';
import styles from './closures.module.css';
import { useEndedBy } from './endedBy';
import { Lanes } from './Lanes';
import { CLOSURES } from './noun';
import { knownText, publishText } from './publish';
import { QuickActions } from './QuickActions';
import { useReaders } from './queries';
import { useMayEdit } from './quick';
import { NEXT_SHOWN } from './repeat';
import {
  directionText,
  endText,
  impactText,
  MANAGED_BY_FEED,
  methodText,
  reasonText,
  roadText,
  statusText,
  timeText,
  typeText,
} from './words';

/** The detail of one closure. */
export function ClosureDetail({ id }: { id: string }) {
  return (
    <DetailScreen noun={CLOSURES} id={id} shown={CLOSURES.useShown(id)}>
      {closure => <Detail closure={closure} />}
    </DetailScreen>
  );
}

function Detail({ closure }: { closure: Closure }) {
  const may = useMay('DELETE_CLOSURE', closure.organization_id);
  const mayDelete = may && closure.is_dashboard_managed && closure.closure_type !== 'feed';
  return (
    <>
      <Head closure={closure} />
      <DetailSection title="Lanes">
        <Lanes closure={closure} />
      </DetailSection>
      <Facts closure={closure} />
      {closure.is_wzdx_compliant && <Publishing closure={closure} />}
      {mayDelete && (
        <DeleteRow noun={CLOSURES} row={closure} operation="closure.delete">
          {closure.description}
        </DeleteRow>
      )}
    </>
  );
}

function Head({ closure }: { closure: Closure }) {
  const heard = useThing(closure.thing?.id ?? '')?.heartbeatAt ?? 0;
  const status = useAtNow(now => closureStatus(closure, now, heard));
  const isScheduled = useAtNow(now => status === 'standby' && isClosureScheduled(closure, now));
  return (
    <Hero
      id={closure.id}
      mark={<ClosureMark type={closure.closure_type} isActive={status === 'active'} size={48} />}
      name={closure.description}
      what="closure"
      status={
        <>
          <p className={look.statusLine}>
            <b className={`s-${status}`}>{isScheduled ? 'Scheduled' : statusText(status)}</b>
            <Since closure={closure} />
          </p>
          <Verified closure={closure} />
          {!closure.is_in_service && <p className={styles.quiet}>Out-of-Service. Not in any feed.</p>}
          {closure.closure_type === 'feed' && <FromFeed closure={closure} />}
          <QuickActions closure={closure} words />
          <Asked closure={closure} />
        </>
      }
    >
      <p>{[typeText(closure.closure_type), roadText(closure)].filter(Boolean).join(' · ')}</p>
    </Hero>
  );
}

/** Which feed brings it; a link for those who have the screen of incoming feeds. */
function FromFeed({ closure: { organization_id, verified_by } }: { closure: Closure }) {
  const reaches = useFullReach(organization_id);
  const reads = useCan('VIEW_FEED_SUBSCRIPTIONS');
  const hasAccounts = useCan('VIEW_ACCOUNTS');
  const isPhone = useIsPhone();
  const feed = verified_by?.kind === 'feed' && verified_by.name ? verified_by : undefined;
  const leads = reaches && reads && hasAccounts && !isPhone && feed?.id;
  return (
    <p className={styles.quiet}>
      {feed && 'From '}
      {feed &&
        (leads ? (
          <ScreenLink to={managerPath('feed', { view: 'formRead', target: feed.id })}>{feed.name}</ScreenLink>
        ) : (
          feed.name
        ))}
      {feed && ' · '}
      {MANAGED_BY_FEED}
    </p>
  );
}

/** Since and until when it stands, is to stand, or when and why it ended. */
function Since({ closure }: { closure: Closure }) {
  const words = useWords();
  const by = useEndedBy(closure);
  const text = useAtNow(now => {
    const { start_time } = closure;
    if (isClosureActive(closure, now))
      return `since ${timeText(start_time, words, now)}, until ${endText(closure, words, now)}`;
    if (isClosureScheduled(closure, now))
      return `from ${timeText(start_time, words, now)} until ${endText(closure, words, now)}`;
    const { from, to } = lastActive(closure, now);
    if (from === 0) return 'Never active.';
    if (by) return `Ended by ${by} at ${timeText(to, words, now)} (${agoText(to, now)})`;
    return `${reasonText(closure.end_reason)}, ${timeText(to, words, now)} (${agoText(to, now)})`;
  });
  return <span>{text}</span>;
}

/** Who or what last saw it stand; of one that stands, that nobody has. */
function Verified({ closure }: { closure: Closure }) {
  const { verified_at, verified_by } = closure;
  const text = useAtNow(now => {
    if (verified_at === 0) return isClosureActive(closure, now) ? 'Not verified yet.' : '';
    return `Last verified ${verified_by?.name ? `by ${verified_by.name}, ` : ''}${agoText(verified_at, now)}`;
  });
  return text ? <p className={styles.quiet}>{text}</p> : null;
}

function Facts({ closure }: { closure: Closure }) {
  const words = useWords();
  const changed = useAtNow(now => agoText(closure.updated_at, now));
  const last = useAtNow(now => timeText(closure.last_start_time, words, now));
  const { external_id: wzdxId, group_id, recurrence } = closure;
  const next = useAtNow(now => (recurrence ? nextText(recurrence, now) : ''));
  return (
    <DetailSection
      title="Closure"
      action={useMayEdit(closure) && <EditLink to={CLOSURES.edit(closure.id)} what="Closure" />}
    >
      {closure.thing && <Driver thing={closure.thing} />}
      <KeyValues
        rows={[
          ['Alert Message', closure.alert_message],
          ['Road', closure.road_name],
          ['Direction', directionText(closure.direction)],
          ['From', closure.street_start],
          ['To', closure.street_end],
          ...(recurrence ? ([['Repeats', wholePattern(recurrence)]] as const) : []),
          ...(recurrence && next ? ([['Next', <Next key="next" times={next} />]] as const) : []),
          ['Last Activated', last || 'Never'],
          ['Feed ID', wzdxId && <Id>{wzdxId}</Id>],
          ...(group_id ? ([['Project', <Id key="group">{group_id}</Id>]] as const) : []),
          ['Closure ID', <Id key="id">{closure.id}</Id>],
          ['Organization', closure.organizationName],
          ['Last Changed', changed],
        ]}
      />
    </DetailSection>
  );
}

const nextText = (pattern: Recurrence, now: Instant): string =>
  nextTimes(pattern, now, NEXT_SHOWN)
    .map(time => timeSpanText(time, pattern.timezone))
    .join('|');

/** The next times of one that comes again, each in a line of its own. */
const Next = ({ times }: { times: string }) =>
  times.split('|').map(time => (
    <span key={time} className={styles.time}>
      {time}
    </span>
  ));

const Id = ({ children }: { children: string }) => <span className="mono">{children}</span>;

/** The asset that drives it, with the way there. */
function Driver({ thing: { id, displayName } }: { thing: NonNullable<Closure['thing']> }) {
  const thing = useThing(id);
  return (
    <p className={styles.driver}>
      {thing && <Mark thing={thing} size={26} />}
      <span>
        Driven by <AssetLink id={id} name={displayName} />
      </span>
    </p>
  );
}

/** Whether it is in the feeds, why not, and who knows of it. */
function Publishing({ closure }: { closure: Closure }) {
  const state = useAtNow(now => publishText(closure, now));
  const readers = useReaders(closure);
  const words = useWords();
  const known = useAtNow(now => readers?.map(({ knownAt }) => knownText(knownAt, words, now)).join('|') ?? '');
  const texts = known.split('|');
  return (
    <DetailSection title="Publishing">
      <p className={styles.state}>{state}</p>
      {closure.publish_problems.length > 0 && (
        <ul className={styles.problems}>
          {closure.publish_problems.map(({ rule, message }) => (
            <li key={rule}>{message}</li>
          ))}
        </ul>
      )}
      <KeyValues
        rows={[
          ['Location Method', methodText(closure.location_method)],
          ['Vehicle Impact', impactText(closure.vehicle_impact)],
          ...(readers ?? []).map(({ name }, i) => [name, texts[i] ?? ''] as const),
        ]}
      />
      {readers?.length === 0 && <p className={styles.quiet}>No API key reads the feeds it is in.</p>}
    </DetailSection>
  );
}
