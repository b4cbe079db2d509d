import { vi } from 'vitest';

/** Keeps what is thrown on its own (see notify) from the page; the answer ends that and says the errors. */
export function thrownAlone(): () => string[] {
  const errors: string[] = [];
  const real = globalThis.queueMicrotask;
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(run =>
    real(() => {
      try {
        run();
      } catch (error) {
        errors.push((error as Error).message);
      }
    }),
  );
  return () => {
    spy.mockRestore();
    return errors;
  };
}

/** A window of a test: how wide, in px, and what presses it. */
export interface TestWindow {
  width: number;
  pointer: 'fine' | 'coarse';
}

const holds = (one: string, { width, pointer }: TestWindow): boolean => {
  const [, sign, px] = /^\(width (<|>=) (\d+)px\)$/.exec(one) ?? [];
  if (px) return sign === '<' ? width < Number(px) : width >= Number(px);
  return one === `(pointer: ${pointer})`;
};

/**
 * What screens ask of a browser and jsdom lacks: a size that never changes, media queries (width and pointer; any other
 * feature is absent), a socket that never opens. `vi.unstubAllGlobals` takes it back.
 */
export function stubBrowser(now: () => TestWindow = () => ({ width: 1440, pointer: 'fine' })): void {
  vi.stubGlobal('scrollTo', () => undefined);
  // Overlays need it.
  vi.stubGlobal('CSS', { escape: (id: string) => id, supports: () => false });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal(
    'WebSocket',
    class {
      close() {}
    },
  );
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.split(' and ').every(one => holds(one, now())),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** What an alert says that stands in a form under its buttons; empty without one there. */
export function alertUnderButtons(): string {
  const alerts = [...document.querySelectorAll('form [role="alert"]')];
  const isUnder = (alert: Element, button: Element) =>
    (button.compareDocumentPosition(alert) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const under = alerts.find(alert => {
    const buttons = [...(alert.closest('form')?.querySelectorAll('button') ?? [])];
    return buttons.some(({ type }) => type === 'submit') && buttons.every(button => isUnder(alert, button));
  });
  return under?.textContent ?? '';
}
