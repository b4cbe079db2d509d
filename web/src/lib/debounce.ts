import limits from '@catalog/limits.json';
import { useEffect, useRef, useState } from 'react';

/** The value as it was once it had stood still for `ms` (requirements 9.ui: 500 where nothing else is said). */
export function useDebounced<T>(value: T, ms: number = limits.ui.debounceMs.value): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** True once `ms` have passed while `on` held; false at once when it no longer does. */
export function useDelayed(on: boolean, ms: number): boolean {
  const [late, setLate] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (on) timer.current = setTimeout(() => setLate(true), ms);
    else setLate(false);
    return () => clearTimeout(timer.current);
  }, [on, ms]);
  return on && late;
}
