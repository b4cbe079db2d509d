import limits from '@catalog/limits.json';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { texts } from '~/api';
import { chunk } from '~/lib/chunk';
import { serverClock } from '~/lib/clock';
import { useTextScale } from '~/lib/textScale';
import { liveStore, useAtNow, useIsLoaded, useRows } from '~/live';
import { signGlyph } from '~/map/layers/signs';
import { countText, NONE } from '~/model/format';
import type { Hazard } from '~/model/hazard';
import { isHazardActive } from '~/model/hazardFilter';
import { AddOnMap } from '~/section/AddOnMap';
import { ChoiceFilter, countBy } from '~/section/ChoiceFilter';
import filter from '~/section/filter.module.css';
import { ListMenu } from '~/section/ListMenu';
import { ListFailed, ListWaiting } from '~/section/ListStates';
import list from '~/section/list.module.css';
import { useGo } from '~/section/paths';
import { RowList, type RowListHandle } from '~/section/RowList';
import { useActsHere } from '~/section/reach';
import screen from '~/section/screen.module.css';
import { selection, useNoneSelected } from '~/section/view';
import { useWords } from '~/section/words';
import { useCan, useShortcuts } from '~/session';
import { Button, Segmented } from '~/ui';
import { HazardMark } from './HazardMark';
import { HazardRow } from './HazardRow';
import { NothingFound } from './NothingFound';
import { detailPath, NEW_PATH } from './paths';
import { useShownIds } from './shown';
import { hazardsView, patchView, useHazardsView } from './view';
import { HAZARD_TYPES } from './words';

const ReportHazard = lazy(chunk(() => import('./ReportHazard').then(module => ({ default: module.ReportHazard }))));
const ImportDialog = lazy(chunk(() => import('./ImportDialog').then(module => ({ default: module.ImportDialog }))));

const { eventRowPx, eventRowExtraPx, liveAreas } = limits.lists;
const KEPT = liveAreas.value;
const NO_HEADS: readonly number[] = [];
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
  const go = useGo();
  const words = useWords();
  const scale = useTextScale();
  const isLoaded = useIsLoaded();
  const all = useRows('hazard');
  const ids = useShownIds();
  const types = useHazardsView(view => view.types);
  const ended = useHazardsView(view => view.ended);
  const rows = useRef<RowListHandle>(null);
  const returning = useRef(selection.get().last);
  useNoneSelected();
  useShortcuts({ j: () => rows.current?.step(1), k: () => rows.current?.step(-1) });
  const layout = useMemo(() => {
    const heights = new Map(all.map(row => [row.id, Math.ceil(rowPx(row) * scale)]));
    return (keys: readonly string[]) => ({ keys, heights: keys.map(id => heights.get(id) ?? 0), heads: NO_HEADS });
  }, [all, scale]);
  const open = useCallback((id: string) => go(detailPath(id)), [go]);
  const isSeveral = useMemo(() => all.some(row => row.organizationId !== all[0]?.organizationId), [all]);
  const renderRow = useCallback(
    (id: string) => <HazardRow id={id} words={words} isForeign={isSeveral} />,
    [words, isSeveral],
  );
  return (
    <section className={screen.screen} aria-labelledby="hazards-title">
      <header className={list.head} data-sheet-head>
        <h1 id="hazards-title" className={list.title}>
          Hazards <Shown shown={ids.length} rows={all} />
        </h1>
        <Tools />
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
      </header>
      <ListFailed operation="hazards.load" />
      {ids.length === 0 && !isLoaded ? (
        <ListWaiting label="Loading hazards" px={eventRowPx.value} />
      ) : (
        <RowList
          ref={rows}
          label="Hazards"
          ids={ids}
          exists={exists}
          asked={`${ended} ${types && [...types].join()}`}
          layout={layout}
          renderRow={renderRow}
          onOpen={open}
          empty={<NothingFound />}
          returning={returning}
        />
      )}
    </section>
  );
}

/** How many are shown, of how many that are active (or have ended). */
function Shown({ shown, rows }: { shown: number; rows: readonly Hazard[] }) {
  const isLoaded = useIsLoaded();
  const ended = useHazardsView(view => view.ended);
  const total = useAtNow(now => rows.filter(row => isHazardActive(row, now) !== ended).length);
  const text = `${countText(shown)} / ${countText(total)}${rows.length >= KEPT ? '+' : ''}`;
  return <small className="num">{isLoaded ? text : NONE}</small>;
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
    <div className={filter.tools}>
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
          <AddOnMap to={NEW_PATH} mayAdd />
        </>
      )}
      {reports && (
        <Suspense fallback={null}>
          <ReportHazard onClose={() => setReports(false)} />
        </Suspense>
      )}
      {mayImport && acts && (
        <>
          <Button size="small" onPress={() => setImports(true)}>
            Import
          </Button>
          <ListMenu />
        </>
      )}
      {imports && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImports(false)} />
        </Suspense>
      )}
    </div>
  );
}
