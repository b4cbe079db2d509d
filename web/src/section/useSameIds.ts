import { useRef } from 'react';

/** The ids in order; another array only when they are others, so that a list renders only then. */
export function useSameIds(ids: readonly string[]): readonly string[] {
  const before = useRef<readonly string[]>([]);
  const isSame = ids.length === before.current.length && ids.every((id, i) => id === before.current[i]);
  if (!isSame) before.current = ids;
  return before.current;
}
