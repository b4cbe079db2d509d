import { useEffect, useRef, useState } from 'react';
import { useStore } from '~/lib/store';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { useHoldup } from '~/ui';
import { mapHolder } from './view';

/**
 * A shape that is drawn on the map while the screen stands; null until there is a map and what draws has been loaded.
 * `kind` begins it anew; the rest is as it was when it began, but for the functions, which are always the newest ones.
 * What is typed of it and cannot be read holds up the form around.
 * An error is thrown while rendering, as of any part of the app that does not come.
 */
export function useDrawing(options: DrawOptions): Drawing | null {
  const map = useStore(mapHolder);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const newest = useRef(options);
  useEffect(() => {
    newest.current = options;
  });
  const { kind } = options;
  useEffect(() => {
    if (!map) return;
    let isLeft = false;
    let begun: Drawing | undefined;
    map
      .openDrawing({
        ...newest.current,
        kind,
        onChange: drawn => newest.current.onChange?.(drawn),
        check: drawn => newest.current.check?.(drawn) ?? null,
        describe: drawn => newest.current.describe?.(drawn) ?? '',
      })
      .then(
        opened => {
          if (isLeft) return opened.destroy();
          begun = opened;
          showFirst(map, opened);
          setDrawing(opened);
        },
        error => !isLeft && setFailure(error),
      );
    return () => {
      isLeft = true;
      begun?.destroy();
      setDrawing(null);
    };
  }, [map, kind]);
  useHoldup(() => drawing?.isHeld() ?? false);
  if (failure) throw failure;
  return drawing;
}

const M_PER_DEGREE = 111_195;

/** A form that is opened by its address: nothing else brings into sight what is edited in it. */
function showFirst(map: MapControl, drawing: Drawing): void {
  const { points, radiusM } = drawing.state.get().draft;
  if (!map.getState().expectsPlace || points.length === 0) return;
  const [lats, lngs] = [points.map(({ lat }) => lat), points.map(({ lng }) => lng)];
  const north = radiusM / M_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos(((lats[0] ?? 0) * Math.PI) / 180));
  map.fitBounds({
    south: Math.min(...lats) - north,
    north: Math.max(...lats) + north,
    west: Math.min(...lngs) - east,
    east: Math.max(...lngs) + east,
  });
}
