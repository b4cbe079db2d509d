import limits from '@catalog/limits.json';
import { Upload } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { lazyPart } from '~/lib/lazyPart';
import { liveStore, useAtNow, useRows } from '~/live';
import { signGlyph } from '~/map/layers/signs';
import type { Hazard } from '~/model/hazard';
import { isHazardActive } from '~/model/hazardFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import { useListed } from '~/section/listing';
import { useActsHere } from '~/section/reach';
import { useCan } from '~/session';
import { Button, MenuItem, Segmented } from '~/ui';
import { HazardMark } from './HazardMark';
import { HazardRow } from './HazardRow';
import { HAZARDS } from './noun';
import { SHOWN } from './shown';
import { hazardsView, patchView, useHazardsView } from './view';
import { HAZARD_TYPES } from './words';

const ReportHazard = lazyPart(() => import('./ReportHazard'), 'ReportHazard');
const ImportDialog = lazyPart(() => import('./ImportDialog'), 'ImportDialog');

const { eventRowPx, eventRowExtraPx } = limits.lists;
const TYPES = HAZARD_TYPES.map(type => ({
  ...type,
  icon: <HazardMark type={signGlyph(type.id)} isActive size={18} />,
}));

/** A row may stay in its place only while it is what the list shows. */
function exists(id: string): boolean {
  const hazard = liveStore.of('hazard').get(id);
  return hazard !== undefined && isHazardActive(hazard, serverClock.now()) !== hazardsView.get().ended;
}

/** How high a row is in px: a line more for a description. */
const rowPx = ({ description }: Hazard): number => eventRowPx.value + (description === '' ? 0 : eventRowExtraPx.value);

/** The list screen of the section. */
export function HazardList() {
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const listed = useListed(HAZARDS, SHOWN);
  const { all } = listed;
  return (
    <ListScreen
      listed={listed}
      total={useAtNow(now => all.filter(row => isHazardActive(row, now) !== ended).length)}
      exists={exists}
      px={eventRowPx.value}
      rowPx={rowPx}
      Row={HazardRow}
      detail={HAZARDS.detail}
      head={<Tools />}
      segments={
        <Segmented
          className={filter.segments ?? ''}
          label="Which hazards"
          value={ended ? 'ended' : 'active'}
          onChange={chosen => patchView({ ended: chosen === 'ended' })}
          options={[
            { id: 'active', label: 'Active' },
            { id: 'ended', label: 'Ended, 24 hrs' },
          ]}
        />
      }
      nothing={{
        why: types ? 'There may be hazards of other types.' : whyNone(ended, all.length > 0),
        ways: [types && ['Show all types', () => patchView({ types: null })]],
      }}
    />
  );
}

function whyNone(ended: boolean, hasAny: boolean): string {
  if (ended) return 'No hazard has ended in the last 24 hours.';
  return hasAny ? 'No active hazards.' : 'Hazards from devices, feeds, and imported files appear here.';
}

/**
 * Types; for those who may report a hazard the way to a new one; for those who may change the organization the import, and the
 * way back from it.
 */
function Tools() {
  const rows = useRows('hazard');
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const [imports, setImports] = useState(false);
  const [reports, setReports] = useState(false);
  const mayAdd = useCan('ADD_HAZARD');
  const mayImport = useCan('EDIT_ORGANIZATION');
  const acts = useActsHere();
  const next = useAtNow(now => rows.filter(row => isHazardActive(row, now) !== ended).length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `next` says that time has changed what counts
  const counts = useMemo(() => {
    const now = serverClock.now();
    return countBy(
      rows.filter(row => isHazardActive(row, now) !== ended),
      row => row.type,
    );
  }, [rows, ended, next]);
  return (
    <div className={`${filter.tools} ${filter.wide}`}>
      <ChoiceFilter
        label="Hazard Types"
        all={TYPES}
        chosen={types}
        onChange={chosen => patchView({ types: chosen })}
        counts={counts}
        least={texts.hazards.types}
      />
      {mayAdd && acts && (
        <>
          <Button size="small" onPress={() => setReports(true)}>
            Report Here
          </Button>
          <AddOnMap to={HAZARDS.create} mayAdd />
        </>
      )}
      {reports && (
        <Suspense fallback={null}>
          <ReportHazard onClose={() => setReports(false)} />
        </Suspense>
      )}
      {mayImport && acts && (
        <ListMenu>
          <MenuItem icon={<Upload size={16} strokeWidth={1.75} aria-hidden="true" />} onAction={() => setImports(true)}>
            Import…
          </MenuItem>
        </ListMenu>
      )}
      {imports && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImports(false)} />
        </Suspense>
      )}
    </div>
  );
}
