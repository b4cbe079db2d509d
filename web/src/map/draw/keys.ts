import type { Drawing } from './drawing';

/** One step of an arrow key on the ground, and with Shift. */
export const STEP_M = 1;
export const LONG_STEP_M = 10;

const WAYS: Readonly<Record<string, readonly [north: number, east: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Undo and redo, wherever the focus is but in a text. Returns whether the key was one of them. */
export function undoKey(drawing: Drawing, event: Key): boolean {
  const { shiftKey, altKey } = event;
  if (altKey || !(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key !== 'z' && !(key === 'y' && event.ctrlKey)) return false;
  if (key === 'y' || shiftKey) drawing.redo();
  else drawing.undo();
  return true;
}

/** Arrow keys move the selected vertex, or a circle's center. Returns whether the key did. */
export function moveKey(drawing: Drawing, { key, shiftKey, ctrlKey, metaKey, altKey }: Key): boolean {
  const way = WAYS[key];
  if (!way || ctrlKey || metaKey || altKey || drawing.state.get().selected === null) return false;
  const step = shiftKey ? LONG_STEP_M : STEP_M;
  drawing.nudge(way[0] * step, way[1] * step);
  return true;
}

/** What the map itself does with keys while something is drawn on it. */
export function mapKey(drawing: Drawing, event: Key): boolean {
  if (moveKey(drawing, event)) return true;
  const { selected, draft } = drawing.state.get();
  if (event.key === 'Enter' && !draft.isClosed) drawing.finish();
  else if ((event.key === 'Delete' || event.key === 'Backspace') && selected !== null) drawing.remove();
  else if (event.key === 'Escape' && selected !== null && drawing.kind !== 'circle') drawing.select(null);
  else return false;
  return true;
}

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Listens on the page for undo and redo. Returns the undo. */
export function listenUndo(drawing: Drawing): () => void {
  const key = (event: KeyboardEvent): void => {
    if (!event.defaultPrevented && !isText(event.target) && undoKey(drawing, event)) event.preventDefault();
  };
  document.addEventListener('keydown', key);
  return () => document.removeEventListener('keydown', key);
}

/** Listens on the map, before the map's own keys. Returns the undo. */
export function listenMapKeys(drawing: Drawing, map: HTMLElement): () => void {
  const key = (event: KeyboardEvent): void => {
    if (!mapKey(drawing, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  map.addEventListener('keydown', key, true);
  return () => map.removeEventListener('keydown', key, true);
}
