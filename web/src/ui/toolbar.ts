import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The controls that can be used now. */
const controlsOf = (bar: HTMLElement) => [...bar.querySelectorAll<HTMLButtonElement>('button:not([disabled])')];

/** One stop of the Tab key for the whole toolbar: the control that was used last, else the first. */
function keepStop(bar: HTMLElement | null, focused: Element | null): void {
  if (!bar) return;
  const all = controlsOf(bar);
  const stop = all.find(one => one === focused) ?? all.find(one => one.tabIndex === 0) ?? all[0];
  for (const one of bar.querySelectorAll('button')) one.tabIndex = one === stop ? 0 : -1;
}

/** Arrows go from one control to the next, and on from the last to the first; Home and End to the ends. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const all = controlsOf(event.currentTarget);
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  const by = STEPS[event.key];
  const next =
    event.key === 'Home' ? 0 : event.key === 'End' ? -1 : by === undefined ? undefined : (at + by) % all.length;
  if (next === undefined) return;
  event.preventDefault();
  all.at(next)?.focus();
}

interface ToolbarProps {
  ref: RefObject<HTMLDivElement | null>;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** The keys of an element with the role of a toolbar: Tab goes to one of its buttons, arrows go between them. */
export function useToolbar(): ToolbarProps {
  const ref = useRef<HTMLDivElement>(null);
  // After each drawing: the stop may have been turned off, and then another one takes its place.
  useLayoutEffect(() => keepStop(ref.current, null));
  return { ref, onKeyDown: step, onFocus: event => keepStop(event.currentTarget, event.target) };
}
