import limits from '@catalog/limits.json';
import { useCallback, useMemo } from 'react';
import { serverClock } from '~/lib/clock';
import { liveStore, useAtNow, useIsLoaded, useRows } from '~/live';
import { countOf, countText, NONE } from '~/model/format';
import { searchOf } from '~/model/search';
import { isZoneActive, splitZones, type ZoneStatus } from '~/model/zoneFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { useListSearch } from '~/section/listSearch';
import { useActsHere } from '~/section/reach';
import { useWords } from '~/section/words';
import { useCan } from '~/session';
import { announce, Segmented } from '~/ui';
import { ZONES } from './noun';
import { useShownIds } from './shown';
import { patchView, useZonesView, zonesView } from './view';
import { ZONE_TYPES } from './words';
import { ZoneRow } from './ZoneRow';

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
  const words = useWords();
  const asked = useZonesView(view => view.search);
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const search = useListSearch(asked, applySearch);
  return (
    <ListScreen
      type="zone"
      title="Zones"
      keep={limits.lists.liveAreas.value}
      operation="zones.load"
      ids={useShownIds()}
      asked={`${asked} ${status} ${types && [...types].join()}`}
      px={limits.lists.areaRowPx.value}
      renderRow={useCallback((id, isForeign) => <ZoneRow id={id} words={words} isForeign={isForeign} />, [words])}
      pathOf={ZONES.detail}
      search={search}
      searchLabel="Search for a Zone..."
      rows={search.list}
      returning={search.returning}
      head={
        <>
          <Counts />
          <Tools />
        </>
      }
      segments={
        <Segmented
          className={filter.segments ?? ''}
          label="Which zones"
          value={status ?? 'all'}
          onChange={chosen => patchView({ status: chosen === 'all' ? null : chosen })}
          options={STATUSES}
        />
      }
      nothing={hasAny => ({
        why: hasAny
          ? whyNone(asked, status)
          : 'Your organization has no zones. A zone becomes active while an alerting asset is inside it.',
        ways: hasAny
          ? [
              asked !== '' && ['Clear search', search.clear],
              types && ['Show all types', () => patchView({ types: null })],
              status && ['Show all statuses', () => patchView({ status: null })],
            ]
          : [],
      })}
    />
  );
}

function whyNone(search: string, status: ZoneStatus | null): string {
  if (search !== '') return 'Try a part of the description, the zone ID, or an asset inside.';
  return status === 'active' ? 'No active zones.' : 'There are zones of other types or statuses.';
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
      {mayAdd && acts && <AddOnMap to={ZONES.create} mayAdd />}
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
