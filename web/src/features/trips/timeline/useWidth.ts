import { useLayoutEffect, useState } from 'react';

/** Width of an element in CSS px, kept up to date; 0 before it is laid out. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    watch.observe(element);
    setWidth(element.clientWidth);
    return () => watch.disconnect();
  }, [element]);
  return width;
}
