// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { addShortcuts, shortcutFor } from './shortcuts';

const offs: (() => void)[] = [];
const add = (keys: Record<string, () => void>) => offs.push(addShortcuts({ keys }));
afterEach(() => {
  for (const off of offs.splice(0)) off();
  document.body.replaceChildren();
});

const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
};

it('runs the innermost handler of a key', () => {
  const outer = { '?': vi.fn(), Escape: vi.fn() };
  const inner = { Escape: vi.fn() };
  add(outer);
  add(inner);
  press('Escape');
  press('?');
  expect([outer.Escape, outer['?'], inner.Escape].map(handler => handler.mock.calls.length)).toEqual([0, 1, 1]);
});

it('leaves keys with modifiers, typing and open windows alone', () => {
  const j = vi.fn();
  add({ j });
  for (const html of ['<input>', '<textarea></textarea>', '<div role="dialog"><button></button></div>']) {
    document.body.innerHTML = html;
    press('j', {}, document.querySelector('input, textarea, button') ?? document.body);
  }
  press('j', { ctrlKey: true });
  expect(j).not.toHaveBeenCalled();
  press('j');
  expect(j).toHaveBeenCalledTimes(1);
});

it('switches single characters off, but not Escape', () => {
  add({ j: vi.fn(), Escape: vi.fn() });
  const event = (key: string) => new KeyboardEvent('keydown', { key });
  expect(shortcutFor(event('j'), false)).toBeUndefined();
  expect(shortcutFor(event('Escape'), false)).toBeDefined();
});
