import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { hovers } from '~/lib/media';
import { freeOrder, type HeldOrder, HOLD_MS, holdOrder } from './hold';

/** Handlers that tell that the list is being read. */
export interface ReadingProps {
  onPointerEnter: () => void;
  onPointerMove: () => void;
  onPointerLeave: (event: { pointerType: string }) => void;
  onWheel: () => void;
  onTouchMove: () => void;
  onKeyDown: () => void;
}

/**
 * Keeps rows in their places while the list is read: the pointer moved over it, it was scrolled, or keys were pressed
 * in it within the last 4 s. The fresh order is taken when the reading ends, when the pointer leaves, or at once by
 * `release` (the pill, a new filter). `reset` changes with everything the user asked for (search, filter, grouping):
 * an order that the user asked for is never held back.
 */
export function useHeldOrder(
  fresh: readonly string[],
  exists: (id: string) => boolean,
  reset: unknown,
): { order: HeldOrder; reading: ReadingProps; release: () => void } {
  const [isReading, setReading] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const held = useRef<{ ids: readonly string[]; reset: unknown }>({ ids: fresh, reset });

  const release = useCallback(() => {
    clearTimeout(timer.current);
    setReading(false);
  }, []);
  const touch = useCallback(() => {
    setReading(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setReading(false), HOLD_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const isAsked = held.current.reset !== reset;
  const order = useMemo(
    () => (isReading && !isAsked ? holdOrder(held.current.ids, fresh, exists) : freeOrder(fresh)),
    [isReading, isAsked, fresh, exists],
  );
  useEffect(() => {
    held.current = { ids: order.ids, reset };
  }, [order, reset]);

  const reading = useMemo<ReadingProps>(
    () => ({
      onPointerEnter: touch,
      onPointerMove: touch,
      // Under a finger that taps, rows stay where they are until the tap has found its own.
      onPointerLeave: event => hovers(event) && release(),
      onWheel: touch,
      onTouchMove: touch,
      onKeyDown: touch,
    }),
    [touch, release],
  );
  return { order, reading, release };
}
