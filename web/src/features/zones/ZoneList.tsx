import limits from '@catalog/limits.json';
import { useMemo } from 'react';
import { useAtNow, useIsLoaded, useRows } from '~/live';
import { countText, NONE } from '~/model/format';
import { isZoneActive, type ZoneStatus } from '~/model/zoneFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { useListed } from '~/section/listing';
import { useActsHere } from '~/section/reach';
import { useCan } from '~/session';
import { Segmented } from '~/ui';
import { ZONES } from './noun';
import { SHOWN } from './shown';
import { patchView, useZonesView } from './view';
import { ZONE_TYPES } from './words';
import { ZoneRow } from './ZoneRow';

const STATUSES: readonly { id: ZoneStatus | 'all'; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'standby', label: 'Standby' },
];

/** The list screen of the section. */
export function ZoneList() {
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const listed = useListed(ZONES, SHOWN);
  const hasAny = listed.all.length > 0;
  return (
    <ListScreen
      listed={listed}
      px={limits.lists.areaRowPx.value}
      Row={ZoneRow}
      detail={ZONES.detail}
      searchLabel="Search for a Zone..."
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
      nothing={{
        why: hasAny
          ? whyNone(!!listed.clear, status)
          : 'Your organization has no zones. A zone becomes active while an alerting asset is inside it.',
        ways: hasAny
          ? [
              listed.clear,
              types && ['Show all types', () => patchView({ types: null })],
              status && ['Show all statuses', () => patchView({ status: null })],
            ]
          : [],
      }}
    />
  );
}

function whyNone(isSearched: boolean, status: ZoneStatus | null): string {
  if (isSearched) return 'Try a part of the description, the zone ID, or an asset inside.';
  return status === 'active' ? 'No active zones.' : 'There are zones of other types or statuses.';
}

/** Types, and what makes a new zone. */
function Tools() {
  const rows = useRows('zone');
  const types = useZonesView(view => view.types);
  const counts = useMemo(() => countBy(rows, zone => zone.alerting_zone_type_name), [rows]);
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
