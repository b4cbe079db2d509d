import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { api } from '~/api';
import { HidingChip } from '~/features/things/HidingChip';
import { assetsOn, locationsOn } from '~/features/things/layer';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { isBehind, isLoaded, type StreamState, useStreamState } from '~/live';
import { type Insets, LiveChip, MapController, MapStage, MapTypeControl, parseMapConfig } from '~/map';
import type { LatLng } from '~/map/types';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { bindMap, mapParts } from '~/section/map';
import { selection } from '~/section/view';
import {
  brand,
  currentOrganization,
  preferences,
  setPreference,
  theme,
  useIsPhone,
  useOrganization,
  useTheme,
} from '~/session';

/** The map of the page with what the sections draw on it. `bar` takes the map type control. */
export default function MapHost({ insets, bar }: { insets: Insets; bar: HTMLElement | null }) {
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
  useEffect(() => {
    const bound = bindMap(
      controller,
      mapParts(href => void router.navigate({ href })),
    );
    bound.show([assetsOn(), locationsOn()]);
    return bound.end;
  }, [controller, router]);
  useEffect(() => (config ? keepMapType(controller) : undefined), [controller, config]);
  return (
    <>
      <MapStage controller={controller} theme={mode} config={config} insets={insets} chip={<Chips />} />
      {bar && createPortal(<MapTypeControl controller={controller} />, bar)}
    </>
  );
}

/** Where the organization that is looked at has its address, if that is known. */
function homeOf(): LatLng | null {
  const { lat, lng } = currentOrganization();
  return lat === null || lng === null ? null : { lat, lng };
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

/** What is hidden, and how old the picture is. On a phone the detail says the first just below. */
function Chips() {
  const isPhone = useIsPhone();
  const isDetail = useStore(selection, view => view.selected !== null);
  return (
    <>
      {!(isPhone && isDetail) && <HidingChip />}
      <Chip />
    </>
  );
}

/** How old the picture is. */
function Chip() {
  const state = useStreamState();
  const { timezone } = useOrganization();
  const behind = isBehind(state);
  const loaded = isLoaded(state);
  const label = behind ? (state.online ? 'Reconnecting' : 'Offline') : loaded ? 'Live' : startWord(state.phase);
  const asOf = state.asOf === 0 ? '' : dateText(state.asOf, timezone, DATE_PATTERNS.timeSeconds);
  return <LiveChip state={behind || !loaded ? 'behind' : 'live'} label={label} asOf={asOf} />;
}

/** Nothing has been read yet: because it is under way, or because it did not work. */
function startWord(phase: StreamState['phase']): string {
  return phase === 'failed' ? 'Not loaded' : 'Loading';
}
