// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useHeldOrder } from './useHeldOrder';

const exists = () => true;
let host: HTMLElement;
let show: (ids: readonly string[]) => Promise<void>;

function List({ ids }: { ids: readonly string[] }) {
  const { order, reading } = useHeldOrder(ids, exists, '');
  return <ul {...reading}>{order.ids.join(' ')}</ul>;
}

/** The pointer comes over the list, or leaves it: React tells both from what bubbles. */
const point = (type: 'pointerover' | 'pointerout', pointerType: string) =>
  act(async () => {
    const event = Object.assign(new MouseEvent(type, { bubbles: true }), { pointerType });
    host.querySelector('ul')?.dispatchEvent(event);
  });

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  show = ids => act(async () => root.render(<List ids={ids} />));
  await show(['a', 'b']);
});

afterEach(() => {
  vi.useRealTimers();
  host.remove();
});

it('holds the rows under a pointer, and lets them go when it leaves', async () => {
  await point('pointerover', 'mouse');
  await show(['b', 'a']);
  expect(host.textContent).toBe('a b');
  await point('pointerout', 'mouse');
  expect(host.textContent).toBe('b a');
});

it('holds them after a finger was lifted, until its tap has found its row', async () => {
  await point('pointerover', 'touch');
  await show(['b', 'a']);
  await point('pointerout', 'touch');
  expect(host.textContent).toBe('a b');
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(host.textContent).toBe('b a');
});
