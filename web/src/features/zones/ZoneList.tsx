import limits from '@catalog/limits.json';
import { useCallback, useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useAtNow, useIsLoaded, useRows } from '~/live';
import { countOf, countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import { isZoneActive, splitZones, type ZoneStatus } from '~/model/zoneFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListFailed, ListWaiting } from '~/section/ListStates';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { useGo } from '~/section/paths';
import { RowList } from '~/section/RowList';
import { useActsHere } from '~/section/reach';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';
import { useWords } from '~/section/words';
import { useCan } from '~/session';
import { announce, SearchField, Segmented } from '~/ui';
import { NothingFound } from './NothingFound';
import { detailPath, NEW_PATH } from './paths';
import { useShownIds } from './shown';
import { patchView, useZonesView, zonesView } from './view';
import { ZONE_TYPES } from './words';
import { ZoneRow } from './ZoneRow';

const ROW_PX = limits.lists.areaRowPx.value;
const KEPT = limits.lists.liveAreas.value;
const NO_HEADS: readonly number[] = [];
const exists = (id: string) => liveStore.of('zone').get(id) !== undefined;

const STATUSES: readonly { id: ZoneStatus | 'all'; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'standby', label: 'Standby' },
];

function applySearch(text: string): void {
  const search = searchOf(text);
  if (search === zonesView.get().search) return;
  patchView({ search });
  const { length } = splitZones(liveStore.of('zone').list(), zonesView.get(), serverClock.now()).shown;
  announce(`${countOf(length, 'zone')} shown`);
}

/** The list screen of the section. */
export function ZoneList() {
  const go = useGo();
  const words = useWords();
  const scale = useTextScale();
  const isLoaded = useIsLoaded();
  const all = useRows('zone');
  const ids = useShownIds();
  const search = useZonesView(view => view.search);
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const { field, list: rows, returning, clear } = useListSearch(search, applySearch);
  useNoneSelected();
  const layout = useCallback(
    (keys: readonly string[]) => ({ keys, heights: keys.map(() => Math.ceil(ROW_PX * scale)), heads: NO_HEADS }),
    [scale],
  );
  const open = useCallback((id: string) => go(detailPath(id)), [go]);
  const isSeveral = useMemo(() => all.some(zone => zone.organizationId !== all[0]?.organizationId), [all]);
  const renderRow = useCallback(
    (id: string) => <ZoneRow id={id} words={words} isForeign={isSeveral} />,
    [words, isSeveral],
  );
  const total = `${countText(all.length)}${all.length >= KEPT ? '+' : ''}`;
  return (
    <section className={screen.screen} aria-labelledby="zones-title">
      <header className={list.head} data-sheet-head>
        <h1 id="zones-title" className={list.title}>
          Zones <small className="num">{isLoaded ? `${countText(ids.length)} / ${total}` : NONE}</small>
        </h1>
        <Counts />
        <Tools />
        <SearchField className={list.search ?? ''} label="Search for a Zone..." {...field} />
        <Segmented
          className={filter.segments ?? ''}
          label="Which zones"
          value={status ?? 'all'}
          onChange={chosen => patchView({ status: chosen === 'all' ? null : chosen })}
          options={STATUSES}
        />
      </header>
      <ListFailed operation="zones.load" />
      {ids.length === 0 && !isLoaded ? (
        <ListWaiting label="Loading zones" px={ROW_PX} />
      ) : (
        <RowList
          ref={rows}
          label="Zones"
          ids={ids}
          exists={exists}
          asked={`${search} ${status} ${types && [...types].join()}`}
          layout={layout}
          renderRow={renderRow}
          onOpen={open}
          empty={<NothingFound onClearSearch={clear} />}
          returning={returning}
        />
      )}
    </section>
  );
}

/** Types, and what makes a new zone. */
function Tools() {
  const rows = useRows('zone');
  const types = useZonesView(view => view.types);
  const counts = useMemo(() => countBy(rows, zone => zone.type), [rows]);
  const mayAdd = useCan('ADD_ZONE');
  const acts = useActsHere();
  return (
    <div className={filter.tools}>
      <ChoiceFilter
        label="Zone Types"
        all={ZONE_TYPES}
        chosen={types}
        onChange={chosen => patchView({ types: chosen })}
        counts={counts}
      />
      {mayAdd && acts && <AddOnMap to={NEW_PATH} mayAdd />}
      <ListMenu />
    </div>
  );
}

/** How many are active and how many are not, whatever the filters show. */
function Counts() {
  const rows = useRows('zone');
  const isLoaded = useIsLoaded();
  const active = useAtNow(now => rows.filter(zone => isZoneActive(zone, now)).length);
  const count = (n: number) => (isLoaded ? countText(n) : NONE);
  return (
    <div className={`${list.counts} num`}>
      <span className={active > 0 && isLoaded ? 's-active' : ''}>
        Active <b>{count(active)}</b>
      </span>
      <span>
        Standby <b>{count(rows.length - active)}</b>
      </span>
    </div>
  );
}
