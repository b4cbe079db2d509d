import { type RefObject, useEffect } from 'react';
import { preferences, useShortcuts } from '~/session';
import { clock, playOrPause, seek, setFollow, step } from '../clock';

const SECOND = 1000;
/** What keys belong to instead: text fields and what opens over the page. */
const TAKEN =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
/** What the space bar presses. */
const PRESSED =
  'button, a, summary, [role="button"], [role="tab"], [role="radio"], [role="switch"], [role="row"], [role="option"]';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing' | 'target'
>;

const MOVES: Readonly<Record<string, (isLong: boolean) => void>> = {
  ArrowLeft: isLong => step(isLong ? -60 * SECOND : -10 * SECOND),
  ArrowRight: isLong => step(isLong ? 60 * SECOND : 10 * SECOND),
  PageDown: () => step(-600 * SECOND),
  PageUp: () => step(600 * SECOND),
  Home: () => seek(clock.get().from),
  End: () => seek(clock.get().to),
};

/**
 * What a key does to the clock; undefined when it is none of its keys. Arrows move it where nothing else has them: in the
 * panel, and while nothing has the focus. The map and lists keep their own.
 */
export function clockKey(event: KeyPress, panel: Element | null, on: boolean): (() => void) | undefined {
  const { key, shiftKey, target } = event;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const element = target instanceof Element ? target : null;
  if (element?.closest(TAKEN)) return undefined;
  // A single character can be switched off (WCAG 2.1.4).
  if (key === ' ') return on && !shiftKey && !element?.closest(PRESSED) ? playOrPause : undefined;
  const isFree = element === null || element === document.body || element === document.documentElement;
  if (!isFree && !panel?.contains(element)) return undefined;
  const move = MOVES[key];
  return move && (() => move(shiftKey));
}

/** The keys of the clock, as long as the timeline stands. */
export function useClockKeys(panel: RefObject<HTMLElement | null>): void {
  useShortcuts({ f: () => setFollow(!clock.get().follow) });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = clockKey(event, panel.current, preferences.get().shortcuts);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [panel]);
}
