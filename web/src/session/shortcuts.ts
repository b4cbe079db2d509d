import { useEffect, useRef } from 'react';
import { preferences } from './preferences';

/** Handlers by key as the browser names it ("/", "j", "Escape"). */
export type Shortcuts = Readonly<Record<string, () => void>>;

type Layer = { readonly keys: Shortcuts };

/** The innermost screen is last and hears first; a key that it does not know goes on to the one before. */
const layers: Layer[] = [];

/** What a key press belongs to instead of us: text fields, and whatever an open window, menu or list does with it. */
const OCCUPIED =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The handler for a key press; undefined when it is none of ours (typing, modifiers, switched off). */
export function shortcutFor(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing' | 'target'>,
  on: boolean,
): (() => void) | undefined {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // Only single characters can be switched off (WCAG 2.1.4): Esc is no character.
  if (event.key.length === 1 && !on) return undefined;
  const target = event.target as Partial<Element> | null;
  if (target?.closest?.(OCCUPIED)) return undefined;
  return layers.findLast(layer => event.key in layer.keys)?.keys[event.key];
}

function onKeyDown(event: KeyboardEvent): void {
  const act = shortcutFor(event, preferences.get().shortcuts);
  if (!act) return;
  event.preventDefault();
  act();
}

/** Adds a layer of shortcuts; returns the way to take it off. */
export function addShortcuts(layer: Layer): () => void {
  if (layers.length === 0) globalThis.document?.addEventListener('keydown', onKeyDown);
  layers.push(layer);
  return () => {
    layers.splice(layers.indexOf(layer), 1);
    if (layers.length === 0) globalThis.document?.removeEventListener('keydown', onKeyDown);
  };
}

/** Shortcuts while the component is mounted. Handlers may change on every render; inner components hear first. */
export function useShortcuts(keys: Shortcuts): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(
    () =>
      addShortcuts({
        get keys() {
          return now.current;
        },
      }),
    [],
  );
}
