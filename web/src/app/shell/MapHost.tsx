import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { api } from '~/api';
import { serverClock } from '~/lib/clock';
import { lazyPart } from '~/lib/lazyPart';
import { useStore } from '~/lib/store';
import { type Insets, MapController, MapStage, MapTypeControl, parseMapConfig } from '~/map';
import type { PlaceItem } from '~/map/types';
import { searchOf } from '~/model/search';
import { LayerSwitches } from '~/section/LayerSwitches';
import { type BoundMap, bindMap, mapParts } from '~/section/map';
import { useActsHere } from '~/section/reach';
import { selection } from '~/section/view';
import {
  brand,
  homeOf,
  meets,
  preferences,
  setPreference,
  theme,
  useIsPhone,
  usePreference,
  useProfile,
  useTheme,
} from '~/session';
import { isOpen, shownSections } from '../guards';
import { useSections } from '../sections';
import { AgeChip } from './AgeChip';
import type { OnMap } from './sectionMaps';
import { isLive, layersOf, visibleMaps } from './visibleMaps';

const ReportHazard = lazyPart(() => import('~/features/hazards/ReportHazard'), 'ReportHazard');

interface MapHostProps {
  maps: Promise<readonly OnMap[]>;
  /** the section that is shown */
  section: string;
  insets: Insets;
  /** takes the map type control */
  bar: HTMLElement | null;
  /** a place was pinned, its pin has gone, or a form begins to place something; it never changes */
  onPin: (what: 'pinned' | 'gone' | 'placing') => void;
}

/** The map of the page with what the sections draw on it. */
export default function MapHost({ maps, section, insets, bar, onPin }: MapHostProps) {
  const router = useRouter();
  const mode = useTheme();
  const controller = useMemo(
    () =>
      new MapController({ theme: theme.get(), now: () => serverClock.now(), name: brand.get().name, home: homeOf() }),
    [],
  );
  const { data: config } = useQuery({
    queryKey: ['map', 'config'],
    queryFn: ({ signal }) => api.request('GET /map/config', { signal }).then(parseMapConfig),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isPhone = useIsPhone();
  const all = use(maps);
  const { layers, standing } = useStanding(all, section);
  const mayGo = useMayGo(isPhone);
  const [isReporting, setReporting] = useState(false);
  const mayReport = useMayReport(isPhone);
  const bound = useRef<BoundMap>(undefined);
  useEffect(() => {
    const map = bindMap(
      controller,
      mapParts(
        href => void router.navigate({ href }),
        path => mayGo.current(path),
      ),
    );
    bound.current = map;
    return map.end;
  }, [controller, router, mayGo]);
  useEffect(() => bound.current?.show(standing.flatMap(map => map.nouns)), [standing]);
  const isBehind = !isLive(all, section);
  useEffect(() => controller.assets.setBehind(isBehind), [controller, isBehind]);
  useEffect(() => (config ? keepMapType(controller) : undefined), [controller, config]);
  useEffect(() => followPin(controller, onPin), [controller, onPin]);
  return (
    <>
      <MapStage
        controller={controller}
        theme={mode}
        config={config}
        insets={insets}
        section={section}
        layers={layers.length > 0 && <LayerSwitches layers={layers} />}
        onReport={mayReport ? () => setReporting(true) : undefined}
        items={usePlaceItems(all, href => void router.navigate({ href }))}
        own={useOwnRows(all)}
        chip={<Chips maps={standing} controller={controller} />}
      />
      {isReporting && mayReport && (
        <Suspense fallback={null}>
          <ReportHazard onClose={() => setReporting(false)} />
        </Suspense>
      )}
      {bar && createPortal(<MapTypeControl controller={controller} />, bar)}
    </>
  );
}

/** Shows the map type that was chosen last, if it is on offer, and remembers the next choice. */
function keepMapType(controller: MapController): () => void {
  const stored = preferences.get().mapType;
  if (controller.getState().types.some(option => option.id === stored)) controller.setType(stored);
  let type = controller.getState().type;
  return controller.subscribe(() => {
    const now = controller.getState().type;
    if (now === type) return;
    type = now;
    setPreference('mapType', now);
  });
}

/** Tells of each place that is pinned, unless a form looked for it, and when its pin goes. */
function followPin(controller: MapController, onPin: MapHostProps['onPin']): () => void {
  let was = controller.getState();
  return controller.subscribe(() => {
    const now = controller.getState();
    const { found, isPlacing } = was;
    was = now;
    if (now.isPlacing && !isPlacing) onPin('placing');
    else if (now.found !== found && !now.isPlacing) onPin(now.found ? 'pinned' : 'gone');
  });
}

/** What stands on the map, and the layers that are offered there. */
function useStanding(maps: readonly OnMap[], shown: string) {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const on = usePreference('layers');
  const layers = useMemo(() => layersOf(maps, shown, profile), [maps, shown, profile]);
  const standing = useMemo(
    () => visibleMaps(maps, shown, { profile, isPhone, on }),
    [maps, shown, profile, isPhone, on],
  );
  return { layers, standing };
}

/** What may begin at a place of the map, as far as the user may do it on this screen. */
function usePlaceItems(maps: readonly OnMap[], go: (path: string) => void): readonly PlaceItem[] {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const acts = useActsHere();
  return shownSections(profile, isPhone, maps).flatMap(({ here }) => {
    if (!here || (here.isChange && !acts)) return [];
    const requires = (isPhone && here.onPhone) || here.requires;
    if (!meets(profile.permissions, requires)) return [];
    return { label: here.label, Icon: here.Icon, isOfPins: here.isOfPins ?? false, act: place => go(here.path(place)) };
  });
}

/** On a phone a hazard is reported from the map: its section needs the room of a desk. */
function useMayReport(isPhone: boolean): boolean {
  const { permissions } = useProfile();
  const acts = useActsHere();
  return isPhone && acts && meets(permissions, 'ADD_HAZARD') && meets(permissions, 'VIEW_HAZARDS');
}

/** What a search of the map finds of the sections that the user may see on this screen. */
function useOwnRows(maps: readonly OnMap[]) {
  const profile = useProfile();
  const isPhone = useIsPhone();
  return useCallback(
    (text: string) => shownSections(profile, isPhone, maps).flatMap(({ find }) => find?.(searchOf(text)) ?? []),
    [profile, isPhone, maps],
  );
}

/** Whether the user may go to an address on this screen, asked when somebody wants to. */
function useMayGo(isPhone: boolean) {
  const profile = useProfile();
  const sections = useSections();
  const mayGo = (path: string) => isOpen(profile, path.split('/')[2] ?? '', isPhone, sections);
  const latest = useRef(mayGo);
  latest.current = mayGo;
  return latest;
}

/** What is hidden, and how old the picture is. On a phone the detail says the first just below. */
function Chips({ maps, controller }: { maps: readonly OnMap[]; controller: MapController }) {
  const isPhone = useIsPhone();
  const isDetail = useStore(selection, view => view.selected !== null);
  return (
    <>
      {!(isPhone && isDetail) && maps.map(({ id, Chip }) => Chip && <Chip key={id} />)}
      <AgeChip controller={controller} />
    </>
  );
}
