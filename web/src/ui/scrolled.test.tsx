// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDebounced } from '~/lib/debounce';
import { stubBrowser } from '~/lib/testing';
import { VirtualList } from './VirtualList';

const Settled = ({ value }: { value: string }) => <b>{useDebounced(value)}</b>;

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

// spec: 9.ui.05
it('the way back to the top comes 250 ms after scrolling away, and is not there for a short look', async () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `k${index}`);
  const height = () => 65;
  await act(async () =>
    root.render(<VirtualList label="Assets" keys={keys} rowHeight={height} renderRow={key => key} />),
  );
  const scroll = (top: number) =>
    act(async () => {
      const grid = page.querySelector('[role=treegrid]') as HTMLElement;
      grid.scrollTop = top;
      grid.dispatchEvent(new Event('scroll'));
    });
  const button = () => page.querySelector('[aria-label="Scroll to top"]');
  await scroll(5000);
  await pass(249);
  expect(button()).toBeNull();
  await scroll(0);
  await pass(1000);
  expect(button()).toBeNull();
  await scroll(5000);
  await pass(249);
  expect(button()).toBeNull();
  await pass(1);
  expect(button()).not.toBeNull();
});

// spec: 9.ui.05
it('a value settles 500 ms after its last change where nothing else is said', async () => {
  await act(async () => root.render(<Settled value="" />));
  for (const value of ['e', 'en', 'eng']) {
    await act(async () => root.render(<Settled value={value} />));
    await pass(499);
    expect(page.textContent).toBe('');
  }
  await pass(1);
  expect(page.textContent).toBe('eng');
});
