import limits from '@catalog/limits.json';
import { useMemo } from 'react';
import { say } from '~/api';
import { cx } from '~/lib/cx';
import { useAtNow, useIsLoaded } from '~/live';
import { atLeast, NONE } from '~/model/format';
import type { Location } from '~/model/location';
import { countLocations, type LocationCounts, type LocationTime } from '~/model/locationFilter';
import { ListScreen } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { useListed } from '~/section/listing';
import screen from '~/section/screen.module.css';
import { useWords } from '~/section/words';
import { ErrorNotice } from '~/ui';
import { EventRow } from './EventRow';
import styles from './events.module.css';
import { EVENTS } from './paths';
import { useFoundEvents } from './queries';
import { SHOWN } from './shown';
import { patchView, useEventsView, useOnStage } from './view';

const TIMES: readonly { id: LocationTime; label: string }[] = [
  { id: 'active', label: 'Active Only' },
  { id: 'today', label: 'Today' },
  { id: 'day', label: '24 hrs' },
  { id: 'all', label: 'All Recent' },
];

const { eventRowPx, eventRowActivePx, eventRowExtraPx, liveLocations } = limits.lists;
const KEPT = liveLocations.value;

/** How high a row is in px: 80, 90 while the event is active (requirements 9.ui), and a line more for an alert message. */
const rowPx = ({ is_active, alert_message }: Location): number =>
  (is_active ? eventRowActivePx : eventRowPx).value + (alert_message === '' ? 0 : eventRowExtraPx.value);

/** The list screen of the section. */
export function EventList() {
  const { event, events } = useWords();
  const time = useEventsView(view => view.time);
  const search = useEventsView(view => view.search);
  const listed = useListed({ what: event, many: events }, SHOWN);
  const { all, isWhole } = listed;
  const counts = useCounted(all);
  const { isLooking, failure, retry } = useFoundEvents(search);
  useOnStage();
  return (
    <ListScreen
      listed={listed}
      total={counts.active + counts.recent}
      px={eventRowPx.value}
      rowPx={rowPx}
      Row={EventRow}
      detail={EVENTS.detail}
      counts={<Counts {...counts} isFull={all.length >= KEPT} isWhole={isWhole} />}
      searchLabel="Search Asset, Street, or System ID"
      segments={{
        label: `Which ${events.toLowerCase()}`,
        value: time,
        onChange: chosen => patchView({ time: chosen }),
        options: TIMES,
      }}
      notice={
        failure != null && (
          <ErrorNotice className={screen.failure ?? ''} onRetry={retry}>
            {say('rows.load', failure)}
          </ErrorNotice>
        )
      }
      isLooking={isLooking}
      nothing={{
        why: whyNone(events.toLowerCase(), search, time, all.length > 0),
        ways: [listed.clear, all.length > 0 && time !== 'all' && ['Show all recent', () => patchView({ time: 'all' })]],
      }}
    />
  );
}

function whyNone(events: string, search: string, time: LocationTime, hasAny: boolean): string {
  if (search !== '') return 'Try another asset, street, or system ID.';
  if (!hasAny) return `There were no ${events} in the last 7 days. A new one appears here as soon as it begins.`;
  return time === 'active' ? `No ${events} are active now.` : `There are older ${events}.`;
}

/** How many are active, and how many have ended lately: all that there are, whatever the filter shows. */
function Counts({ active, recent, isFull, isWhole }: LocationCounts & { isFull: boolean; isWhole: boolean }) {
  const words = useWords();
  const isLoaded = useIsLoaded();
  const any = isLoaded && active > 0;
  return (
    <p className={cx(list.counts, list.alerting, styles.counts)}>
      <span className={any ? 's-scene' : ''}>
        {any && <i className={list.dotScene} aria-hidden="true" />}
        Active {words.events} <b className="num">{isLoaded ? atLeast(active, active >= KEPT) : NONE}</b>
      </span>
      <span aria-hidden="true">{' | '}</span>
      <span>
        Recent {words.events} <b className="num">{isWhole ? atLeast(recent, isFull) : NONE}</b>
      </span>
    </p>
  );
}

/** Counted anew with each change, and each minute: what is too old goes. */
function useCounted(rows: readonly Location[]) {
  const minute = useAtNow(now => Math.floor(now / 60_000) * 60_000);
  return useMemo(() => countLocations(rows, minute), [rows, minute]);
}
