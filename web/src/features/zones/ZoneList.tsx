import limits from '@catalog/limits.json';
import { useAtNow, useIsLoaded } from '~/live';
import type { Zone } from '~/model/zone';
import { isZoneActive, type ZoneStatus } from '~/model/zoneFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { KindFilter } from '~/section/ChoiceFilter';
import { ListCounts } from '~/section/ListCounts';
import { ListScreen } from '~/section/ListScreen';
import { useListed } from '~/section/listing';
import { nothingOf } from '~/section/NothingFound';
import { useMayHere } from '~/section/reach';
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

const typeOf = (zone: Zone) => zone.alerting_zone_type_name;

/** The list screen of the section. */
export function ZoneList() {
  const types = useZonesView(view => view.types);
  const status = useZonesView(view => view.status);
  const listed = useListed(ZONES, SHOWN);
  const mayAdd = useMayHere('ADD_ZONE');
  return (
    <ListScreen
      listed={listed}
      px={limits.lists.areaRowPx.value}
      Row={ZoneRow}
      detail={ZONES.detail}
      searchLabel="Search for a Zone..."
      counts={<Counts zones={listed.all} />}
      tools={
        <>
          <KindFilter
            label="Zone Types"
            all={ZONE_TYPES}
            chosen={types}
            onChange={chosen => patchView({ types: chosen })}
            rows={listed.all}
            kindOf={typeOf}
          />
          {mayAdd && <AddOnMap to={ZONES.create} />}
        </>
      }
      segments={{
        label: 'Which zones',
        value: status ?? 'all',
        onChange: chosen => patchView({ status: chosen === 'all' ? null : chosen }),
        options: STATUSES,
      }}
      nothing={nothingOf(
        listed,
        {
          none: 'Your organization has no zones. A zone becomes active while an alerting asset is inside it.',
          searched: 'Try a part of the description, the zone ID, or an asset inside.',
          filtered: status === 'active' ? 'No active zones.' : 'There are zones of other types or statuses.',
        },
        [
          types && ['Show all types', () => patchView({ types: null })],
          status && ['Show all statuses', () => patchView({ status: null })],
        ],
      )}
    />
  );
}

/** How many are active and how many are not, whatever the filters show. */
function Counts({ zones }: { zones: readonly Zone[] }) {
  const isLoaded = useIsLoaded();
  const active = useAtNow(now => zones.filter(zone => isZoneActive(zone, now)).length);
  return (
    <ListCounts
      counts={[
        { label: 'Active', n: isLoaded ? active : undefined, tone: 's-active' },
        { label: 'Standby', n: isLoaded ? zones.length - active : undefined },
      ]}
    />
  );
}
