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
import { KindFilter } from '~/section/ChoiceFilter';
import { ListMenu } from '~/section/ListMenu';
import { ListScreen } from '~/section/ListScreen';
import { useListed } from '~/section/listing';
import { useMayHere } from '~/section/reach';
import { Button, MenuItem } from '~/ui';
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

const typeOf = (hazard: Hazard) => hazard.type;

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
      tools={<Tools />}
      isWide
      menu={<Menu />}
      segments={{
        label: 'Which hazards',
        value: ended ? 'ended' : 'active',
        onChange: chosen => patchView({ ended: chosen === 'ended' }),
        options: [
          { id: 'active', label: 'Active' },
          { id: 'ended', label: 'Ended, 24 hrs' },
        ],
      }}
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

/** Types; for those who may report a hazard the ways to a new one. */
function Tools() {
  const rows = useRows('hazard');
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const [reports, setReports] = useState(false);
  const mayAdd = useMayHere('ADD_HAZARD');
  const next = useAtNow(now => rows.filter(row => isHazardActive(row, now) !== ended).length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `next` says that time has changed what counts
  const counted = useMemo(() => {
    const now = serverClock.now();
    return rows.filter(row => isHazardActive(row, now) !== ended);
  }, [rows, ended, next]);
  return (
    <>
      <KindFilter
        label="Hazard Types"
        all={TYPES}
        chosen={types}
        onChange={chosen => patchView({ types: chosen })}
        rows={counted}
        kindOf={typeOf}
        least={texts.hazards.types}
      />
      {mayAdd && (
        <>
          <Button size="small" onPress={() => setReports(true)}>
            Report Here
          </Button>
          <AddOnMap to={HAZARDS.create} />
        </>
      )}
      <Suspense>{reports && <ReportHazard onClose={() => setReports(false)} />}</Suspense>
    </>
  );
}

/** For those who may change the organization it has the import. */
function Menu() {
  const [imports, setImports] = useState(false);
  const mayImport = useMayHere('EDIT_ORGANIZATION');
  return (
    <>
      <ListMenu>
        {mayImport && (
          <MenuItem icon={<Upload size={16} strokeWidth={1.75} aria-hidden="true" />} onAction={() => setImports(true)}>
            Import…
          </MenuItem>
        )}
      </ListMenu>
      <Suspense>{imports && <ImportDialog onClose={() => setImports(false)} />}</Suspense>
    </>
  );
}
