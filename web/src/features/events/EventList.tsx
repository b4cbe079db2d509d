import limits from '@catalog/limits.json';
import { useCallback, useMemo } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { cx } from '~/lib/cx';
import { useTextScale } from '~/lib/textScale';
import { liveStore, retryLive, useAtNow, useIsLoaded, useRows, useStreamState, useWhole } from '~/live';
import { atLeast, countText, NONE } from '~/model/format';
import type { Location } from '~/model/location';
import { countLocations, type LocationTime } from '~/model/locationFilter';
import { searchOf } from '~/model/search';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { NothingFound } from '~/section/NothingFound';
import { useGo } from '~/section/paths';
import { RowList } from '~/section/RowList';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { currentWords, useWords } from '~/section/words';
import { announce, ErrorNotice, SearchField, Segmented, Skeleton, SkeletonBar } from '~/ui';
import { EventRow } from './EventRow';
import styles from './events.module.css';
import { detailPath } from './paths';
import { useFoundEvents } from './queries';
import { rowPx } from './rowPx';
import { listedEvent, shownEvents, useShownIds } from './shown';
import { eventsView, patchView, useEventsView, useOnStage } from './view';

const TIMES: readonly { id: LocationTime; label: string }[] = [
  { id: 'active', label: 'Active Only' },
  { id: 'today', label: 'Today' },
  { id: 'day', label: '24 hrs' },
  { id: 'all', label: 'All Recent' },
];

const KEPT = limits.lists.liveLocations.value;
const NO_HEADS: readonly number[] = [];
const exists = (id: string) => listedEvent(id) !== undefined;

function applySearch(text: string): void {
  const search = searchOf(text);
  if (search === eventsView.get().search) return;
  patchView({ search });
  const { events, event, timeZone } = currentWords();
  const { length } = shownEvents(liveStore.of('location').list(), eventsView.get(), serverClock.now(), timeZone);
  announce(`${length} ${(length === 1 ? event : events).toLowerCase()} shown`);
}

/** The list screen of the section. */
export function EventList() {
  const go = useGo();
  const words = useWords();
  const scale = useTextScale();
  const isWhole = useWhole('location');
  const ids = useShownIds();
  const time = useEventsView(view => view.time);
  const applied = useEventsView(view => view.search);
  const found = useEventsView(view => view.found);
  const { isLooking, failure, retry } = useFoundEvents(applied);
  const { field, list: rows, returning, clear } = useListSearch(applied, applySearch);
  useNoneSelected();
  useOnStage();
  const all = useRows('location');
  const layout = useMemo(() => {
    const heights = new Map([...found, ...all].map(row => [row.id, Math.ceil(rowPx(row) * scale)]));
    return (keys: readonly string[]) => ({ keys, heights: keys.map(id => heights.get(id) ?? 0), heads: NO_HEADS });
  }, [all, found, scale]);
  const open = useCallback((id: string) => go(detailPath(id)), [go]);
  const renderRow = useCallback((id: string) => <EventRow id={id} words={words} />, [words]);
  return (
    <section className={screen.screen} aria-labelledby="events-title">
      <header className={list.head} data-sheet-head>
        <h1 id="events-title" className={list.title}>
          {words.events} <Shown shown={ids.length} isWhole={isWhole} />
        </h1>
        <div className={styles.menu}>
          <ListMenu />
        </div>
        <Counts isWhole={isWhole} />
        <SearchField className={list.search ?? ''} label="Search Asset, Street, or System ID" {...field} />
        <Segmented
          className={filter.segments ?? ''}
          label={`Which ${words.events.toLowerCase()}`}
          value={time}
          onChange={chosen => patchView({ time: chosen })}
          options={TIMES}
        />
      </header>
      <Failed isWhole={isWhole} />
      {failure != null && (
        <ErrorNotice className={screen.failure ?? ''} onRetry={retry}>
          {say('locations.load', failure)}
        </ErrorNotice>
      )}
      {ids.length === 0 && (!isWhole || isLooking) ? (
        <Waiting />
      ) : (
        <RowList
          ref={rows}
          label={words.events}
          ids={ids}
          exists={exists}
          asked={`${time} ${applied}`}
          layout={layout}
          renderRow={renderRow}
          onOpen={open}
          empty={
            <NothingFound
              why={whyNone(words.events.toLowerCase(), applied, time, all.length > 0)}
              ways={[
                applied !== '' && ['Clear search', clear],
                all.length > 0 && time !== 'all' && ['Show all recent', () => patchView({ time: 'all' })],
              ]}
            />
          }
          returning={returning}
        />
      )}
    </section>
  );
}

function whyNone(events: string, search: string, time: LocationTime, hasAny: boolean): string {
  if (search !== '') return 'Try another asset, street, or system ID.';
  if (!hasAny) return `There were no ${events} in the last 7 days. A new one appears here as soon as it begins.`;
  return time === 'active' ? `No ${events} are active now.` : `There are older ${events}.`;
}

function Shown({ shown, isWhole }: { shown: number; isWhole: boolean }) {
  const rows = useRows('location');
  const { active, recent } = useCounted(rows);
  const total = isWhole ? `${countText(shown)} / ${atLeast(active + recent, rows.length >= KEPT)}` : NONE;
  return <small className="num">{total}</small>;
}

/** How many are active, and how many have ended lately: all that there are, whatever the filter shows. */
function Counts({ isWhole }: { isWhole: boolean }) {
  const words = useWords();
  const rows = useRows('location');
  const isLoaded = useIsLoaded();
  const { active, recent } = useCounted(rows);
  const any = isLoaded && active > 0;
  return (
    <p className={cx(list.counts, list.alerting, styles.counts)}>
      <span className={any ? 's-scene' : ''}>
        {any && <i className={list.dotScene} aria-hidden="true" />}
        Active {words.events} <b className="num">{isLoaded ? atLeast(active, active >= KEPT) : NONE}</b>
      </span>
      <span aria-hidden="true">{' | '}</span>
      <span>
        Recent {words.events} <b className="num">{isWhole ? atLeast(recent, rows.length >= KEPT) : NONE}</b>
      </span>
    </p>
  );
}

/** Counted anew with each change, and each minute: what is too old goes. */
function useCounted(rows: readonly Location[]) {
  const minute = useAtNow(now => Math.floor(now / 60_000) * 60_000);
  return useMemo(() => countLocations(rows, minute), [rows, minute]);
}

/** Before the list was whole once, a part of it must not pass for all of it. */
function Failed({ isWhole }: { isWhole: boolean }) {
  const { failure } = useStreamState();
  if (isWhole || failure === undefined) return null;
  return (
    <ErrorNotice className={screen.failure ?? ''} onRetry={retryLive}>
      {say('locations.load', failure)}
    </ErrorNotice>
  );
}

/** The shape of rows that are still on their way. */
function Waiting() {
  const { failure } = useStreamState();
  const words = useWords();
  if (failure !== undefined) return null;
  return (
    <Skeleton label={`Loading ${words.events.toLowerCase()}`}>
      {[62, 48, 70, 54, 66].map(width => (
        <div key={width} className={cx(list.row, list.bones, styles.bones)}>
          <SkeletonBar width={30} height={30} round />
          <div className={list.rowText}>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
            <SkeletonBar width={`${width - 24}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
