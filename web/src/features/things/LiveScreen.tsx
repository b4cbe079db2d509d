import { useSearch } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { say } from '~/api';
import { cx } from '~/lib/cx';
import { lazyPart } from '~/lib/lazyPart';
import { isLoaded, liveStore, retryLive, streamStore, useCounts, useFilter, useIsLoaded, useStreamState } from '~/live';
import { hidingCount, isAlertingOnly } from '~/model/filter';
import { countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import { Status } from '~/model/status';
import { placeOf } from '~/section/address';
import styles from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { useWords } from '~/section/words';
import { preferences, setPreference, useIsPhone, usePreference, useShortcuts } from '~/session';
import { announce, Badge, Button, ErrorNotice, IconButton, Notice, SearchField } from '~/ui';
import { AlertingOnly } from './AlertingOnly';
import { FilterPanel } from './FilterPanel';
import { fitHits } from './fitHits';
import { LoadingRows } from './LoadingRows';
import { ofStatus, shownText, wordFor } from './statusWords';
import { ThingList } from './ThingList';
import { patchView, useThingsView } from './view';

const NearestScreen = lazyPart(() => import('./NearestScreen'), 'NearestScreen');
// What somebody may look for here, beside the assets: the list does not wait for it.
const SavedAreas = lazyPart(() => import('./SavedAreas'), 'SavedAreas');

/** The list of the Live section, or the units that are near to the place that the address says. */
export function LiveScreen() {
  const { near } = useSearch({ strict: false }) as { near?: unknown };
  const place = useMemo(() => placeOf(near), [near]);
  return place ? <NearestScreen place={place} /> : <ListScreen />;
}

function ListScreen() {
  const filter = useFilter();
  const { field, list, returning, clear } = useListSearch(filter.search, applySearch);
  const isFiltering = useThingsView(view => view.filtersOpen);
  const isPhone = useIsPhone();

  useNoneSelected();
  // The filters in between put an end to the way back to the row that was open.
  useEffect(() => {
    if (isFiltering) returning.current = null;
  }, [isFiltering, returning]);
  useShortcuts({
    g: () => setPreference('groupView', !preferences.get().groupView),
    Escape: closeFilters,
  });

  return (
    <section className={screen.screen} aria-labelledby="live-title">
      <header className={styles.head} data-sheet-head>
        <Title />
        <Alerting />
        <Counts />
        {!isFiltering && <AlertingOnly />}
        <FilterButton isPhone={isPhone} />
        <SearchField className={styles.search ?? ''} label="Search for an asset..." {...field} />
        {!isFiltering && (
          <Suspense fallback={null}>
            <SavedAreas />
          </Suspense>
        )}
      </header>
      {isFiltering ? (
        <FilterPanel onClose={closeFilters} />
      ) : (
        <>
          <OfflineNotice />
          <Body list={<ThingList ref={list} returning={returning} onClearSearch={clear} />} />
        </>
      )}
    </section>
  );
}

function closeFilters(): void {
  patchView({ filtersOpen: false });
}

function applySearch(text: string): void {
  const search = searchOf(text);
  const filter = liveStore.getFilter();
  if (filter.search === search) return;
  liveStore.setFilter({ ...filter, search });
  const { shown } = liveStore.getCounts();
  fitHits(search, shown);
  // While assets still arrive, more of them may fit.
  if (!isLoaded(streamStore.get())) return;
  announce(shownText(shown));
}

function Title() {
  const { shown, total } = useCounts();
  const isLoaded = useIsLoaded();
  return (
    <h1 id="live-title" className={styles.title}>
      Live <small className="num">{`Assets ${isLoaded ? `${countText(shown)} / ${countText(total)}` : NONE}`}</small>
    </h1>
  );
}

/** How many are on scene and how many are on the way: what somebody looks here for first. */
function Alerting() {
  const counts = useCounts();
  const isLoaded = useIsLoaded();
  const words = useWords();
  const alerting = [
    [Status.LOCATION, 's-scene', styles.dotScene],
    [Status.ACTIVE, 's-active', styles.dotActive],
  ] as const;
  return (
    <div className={cx(styles.counts, styles.alerting)}>
      {alerting.map(([status, tone, dot]) => {
        const { inService, oos } = ofStatus(counts, status);
        const any = isLoaded && inService + oos > 0;
        return (
          <span key={status} className={any ? tone : ''}>
            {any && <i className={dot} aria-hidden="true" />}
            <b className="num">{isLoaded ? countText(inService) : NONE}</b> {wordFor(status, words).toLowerCase()}
            {isLoaded && oos > 0 && ` +${countText(oos)} OOS`}
          </span>
        );
      })}
    </div>
  );
}

function Counts() {
  const { online, offline, oos } = useCounts();
  const isLoaded = useIsLoaded();
  const parts = [
    ['online', online, styles.dotOnline],
    ['offline', offline, styles.dotOffline],
    ['OOS', oos, styles.dotOos],
  ] as const;
  return (
    <div className={cx(styles.counts, 'num')}>
      {parts.map(([word, count, dot]) => (
        <span key={word}>
          <i className={dot} aria-hidden="true" />
          <b>{isLoaded ? countText(count) : NONE}</b> {word}
        </span>
      ))}
    </div>
  );
}

function FilterButton({ isPhone }: { isPhone: boolean }) {
  const filter = useFilter();
  const { byType } = useCounts();
  const isOpen = useThingsView(view => view.filtersOpen);
  const hiding = hidingCount(filter, byType.keys());
  const toggle = () => patchView({ filtersOpen: !isOpen });
  const icon = <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (isPhone) {
    return (
      <IconButton
        className={styles.filterButton}
        label={hiding > 0 ? `Filters, ${hiding} active` : 'Filters'}
        on={isOpen || hiding > 0}
        onPress={toggle}
        aria-expanded={isOpen}
      >
        {icon}
      </IconButton>
    );
  }
  return (
    <Button className={styles.filterButton} icon={icon} onPress={toggle} aria-expanded={isOpen}>
      Filters {hiding > 0 && <Badge count={hiding} label="active" />}
    </Button>
  );
}

/** Says that offline assets are not listed; dismissed once and for all. */
function OfflineNotice() {
  const filter = useFilter();
  const { inService, oos } = ofStatus(useCounts(), Status.OFFLINE);
  const isLoaded = useIsLoaded();
  const isDismissed = usePreference('hideOfflineNotice');
  // Who asked for alerting assets alone knows that the others are hidden.
  const isAsked = filter.statuses.has(Status.OFFLINE) || isAlertingOnly(filter);
  if (!isLoaded || isDismissed || inService + oos === 0 || isAsked) return null;
  return (
    <Notice
      className={styles.offlineNotice ?? ''}
      action={
        <span className={styles.noticeActions}>
          <Button size="small" variant="ghost" onPress={showOffline}>
            Show
          </Button>
          <Button size="small" variant="ghost" onPress={() => setPreference('hideOfflineNotice', true)}>
            Dismiss
          </Button>
        </span>
      }
    >
      {hiddenText(inService, oos)}
    </Notice>
  );
}

function showOffline(): void {
  const filter = liveStore.getFilter();
  setPreference('showOffline', true);
  liveStore.setFilter({ ...filter, statuses: new Set([...filter.statuses, Status.OFFLINE]) });
}

/** As the head counts: those out of service beside the others. */
function hiddenText(offline: number, oos: number): string {
  if (offline === 0) return oos === 1 ? '1 offline OOS asset is hidden.' : `${oos} offline OOS assets are hidden.`;
  const beside = oos > 0 ? ` (+${oos} OOS)` : '';
  return offline === 1 ? `1 offline asset${beside} is hidden.` : `${offline} offline assets${beside} are hidden.`;
}

/** The list, or why there is none yet. What is there stays on screen while a later read fails. */
function Body({ list }: { list: ReactNode }) {
  const { phase, failure } = useStreamState();
  const isLoaded = useIsLoaded();
  const { total } = useCounts();
  // Before the list was whole once, a part of it must not pass for all of it.
  const failed = phase === 'failed' && (!isLoaded || total === 0) && (
    <ErrorNotice className={screen.failure ?? ''} onRetry={retryLive}>
      {say('things.load', failure)}
    </ErrorNotice>
  );
  if (total === 0 && failed) return failed;
  if (total === 0 && !isLoaded) return <LoadingRows />;
  return (
    <>
      {failed}
      {list}
    </>
  );
}
