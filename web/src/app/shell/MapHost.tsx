import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { api } from '~/api';
import { bindMap } from '~/features/things/layer';
import { detailPath } from '~/features/things/paths';
import { serverClock } from '~/lib/clock';
import { isBehind, useStreamState } from '~/live';
import { type Insets, LiveChip, MapController, MapStage, MapTypeControl, parseMapConfig } from '~/map';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { brand, theme, useOrganization, useTheme } from '~/session';

/** The map of the page with what the sections draw on it. `bar` takes the map type control. */
export default function MapHost({ insets, bar }: { insets: Insets; bar: HTMLElement | null }) {
  const router = useRouter();
  const mode = useTheme();
  const controller = useMemo(
    () => new MapController({ theme: theme.get(), now: () => serverClock.now(), name: brand.get().name }),
    [],
  );
  const { data: config } = useQuery({
    queryKey: ['map', 'config'],
    queryFn: ({ signal }) => api.request<unknown>('/map/config', { signal }).then(parseMapConfig),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => bindMap(controller, id => void router.navigate({ href: detailPath(id) })), [controller, router]);
  return (
    <>
      <MapStage controller={controller} theme={mode} config={config} insets={insets} chip={<Chip />} />
      {bar && createPortal(<MapTypeControl controller={controller} />, bar)}
    </>
  );
}

/** How old the picture is. */
function Chip() {
  const state = useStreamState();
  const { timezone } = useOrganization();
  const behind = isBehind(state) || !state.online;
  const label = behind ? (state.online ? 'Reconnecting' : 'Offline') : state.asOf === 0 ? 'Loading' : 'Live';
  const asOf = state.asOf === 0 ? '' : dateText(state.asOf, timezone, DATE_PATTERNS.timeSeconds);
  return <LiveChip state={behind ? 'behind' : 'live'} label={label} asOf={asOf} />;
}
