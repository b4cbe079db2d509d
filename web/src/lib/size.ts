import { type RefObject, useLayoutEffect, useState } from 'react';

/** Height of an element in CSS px, kept up to date; 0 before it is laid out. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const watch = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)));
    watch.observe(element.current);
    setHeight(element.current.clientHeight);
    return () => watch.disconnect();
  }, [element]);
  return height;
}
