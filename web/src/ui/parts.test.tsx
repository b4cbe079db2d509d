// @vitest-environment jsdom
import { act, createRef, type ReactNode, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { ConfirmDialog } from './Dialog';
import { OPTION_PX, OptionList } from './options';
import { SearchField } from './SearchField';
import { Select } from './Select';
import { Spinner } from './Spinner';
import { announce, ToastRegion, toast } from './Toast';
import { VirtualList, type VirtualListHandle } from './VirtualList';

function Search() {
  const [value, setValue] = useState('engine');
  return <SearchField label="Search for an asset..." value={value} onChange={setValue} shortcut="/" />;
}

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  // jsdom has no layout: every element is as large as this.
  for (const [name, px] of [
    ['offsetWidth', 400],
    ['offsetHeight', 600],
    ['clientWidth', 400],
    ['clientHeight', 320],
  ] as const) {
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(px);
  }
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
    if (typeof options === 'object') this.scrollTop = options.top ?? 0;
  };
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const render = (node: ReactNode) => act(async () => root.render(node));

describe('VirtualList', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}`);
  const height = (key: string) => (key === 'k1' ? 90 : 65);
  const list = createRef<VirtualListHandle>();
  const opened = vi.fn();
  const show = (shown = keys) =>
    render(
      <VirtualList
        ref={list}
        label="Assets"
        keys={shown}
        rowHeight={height}
        renderRow={key => key}
        onOpen={opened}
        isSkipped={key => key === 'k0'}
        empty="No results found."
      />,
    );
  const grid = () => page.querySelector<HTMLElement>('[role=treegrid]') ?? page;
  const press = (key: string) =>
    act(async () => void grid().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));

  it('holds only the rows in sight, each of its own height', async () => {
    await show();
    const rows = [...page.querySelectorAll<HTMLElement>('[role=row]')];
    expect(rows.length).toBeLessThan(30);
    expect(rows.slice(0, 3).map(row => row.style.height)).toEqual(['65px', '90px', '65px']);
    expect(rows[2]?.style.transform).toBe('translateY(155px)');
    expect(grid().getAttribute('aria-rowcount')).toBe('10000');
  });

  it('is walked by keys, passes over what is skipped and opens with Enter', async () => {
    await show();
    await press('ArrowDown');
    expect(list.current?.current()).toBe('k1');
    await press('ArrowDown');
    expect(grid().getAttribute('aria-activedescendant')).toBe(page.querySelectorAll('[role=row]')[2]?.id);
    await press('Enter');
    expect(opened).toHaveBeenLastCalledWith('k2');
    await press('End');
    expect(list.current?.current()).toBe('k9999');
    await act(async () => void list.current?.step(-1));
    expect(list.current?.current()).toBe('k9998');
  });

  const ring = () => page.querySelectorAll('[role=row][data-current]');

  it('has a current row as soon as it has the focus, so that the ring stands on one row', async () => {
    await show();
    await act(async () => grid().focus());
    expect([...ring()].map(row => row.textContent)).toEqual(['k0']);
    await act(async () => {
      list.current?.step(3);
      list.current?.focus();
    });
    expect([...ring()].map(row => row.textContent)).toEqual(['k3']);
  });

  describe('with heads', () => {
    const grouped = Array.from({ length: 400 }, (_, index) => (index % 100 === 0 ? `head ${index}` : `k${index}`));
    const even = () => 50;
    const folded = new Set(['head 100']);
    const showHeads = () =>
      render(
        <VirtualList
          ref={list}
          label="Assets"
          keys={grouped}
          rowHeight={even}
          renderRow={key => key}
          onOpen={opened}
          heads={[0, 100, 200, 300]}
          isUnfolded={key => (key.startsWith('head') ? !folded.has(key) : undefined)}
        />,
      );
    const rowOf = (key: string) =>
      [...page.querySelectorAll<HTMLElement>('[role=row]')].find(e => e.textContent === key);

    it('keeps the head of the rows in sight at the top edge', async () => {
      await showHeads();
      await act(async () => {
        grid().scrollTop = 50 * 250;
        grid().dispatchEvent(new Event('scroll'));
      });
      expect(rowOf('k255')?.style.transform).toBe(`translateY(${50 * 255}px)`);
      expect(rowOf('head 200')?.className).toContain('stuck');
      expect(rowOf('head 200')?.style.transform).toBe('');
      expect(rowOf('head 100')).toBeUndefined();
    });

    it('says which heads are folded, and folds by the arrows', async () => {
      await showHeads();
      expect(rowOf('head 0')?.getAttribute('aria-expanded')).toBe('true');
      expect(rowOf('k1')?.hasAttribute('aria-expanded')).toBe(false);
      expect([rowOf('head 0'), rowOf('k1')].map(row => row?.getAttribute('aria-level'))).toEqual(['1', '2']);
      await act(async () => grid().focus());
      opened.mockClear();
      await press('ArrowRight');
      expect(opened).not.toHaveBeenCalled();
      await press('ArrowLeft');
      expect(opened).toHaveBeenLastCalledWith('head 0');
      await act(async () => {
        list.current?.scrollTo('head 100');
        grid().scrollTop = 50 * 99;
        grid().dispatchEvent(new Event('scroll'));
      });
      expect(rowOf('head 100')?.getAttribute('aria-expanded')).toBe('false');
      await press('ArrowRight');
      expect(opened).toHaveBeenLastCalledWith('head 100');
    });
  });

  it('says that it is empty', async () => {
    await show([]);
    expect(grid().textContent).toBe('No results found.');
  });
});

// spec: 9.ui.01
describe('options', () => {
  // The label is the select's, which is not here.
  beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `o${index}`, label: `Option ${index}` }));

  it('are all there up to 20', async () => {
    await render(<OptionList options={options(20)} chosen={null} empty="No Options" />);
    expect(page.querySelectorAll('[role=option]')).toHaveLength(20);
  });

  it('are virtual above 20, at 40 px', async () => {
    await render(<OptionList options={options(500)} chosen={null} empty="No Options" />);
    const shown = [...page.querySelectorAll<HTMLElement>('[role=option]')];
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(30);
    expect(OPTION_PX).toBe(40);
    expect(shown[1]?.parentElement?.style.top).toBe('40px');
  });

  // spec: 8.empty.01
  it('of a select say that there are none', async () => {
    await render(<Select label="New owner" options={[]} value={null} onChange={() => undefined} />);
    await act(async () => page.querySelector('button')?.click());
    expect(document.querySelector('[role=listbox]')?.textContent).toBe('No Options');
  });
});

// spec: 2.chrome.07
describe('search and spinner', () => {
  it('clears with its button and then shows its key', async () => {
    await render(<Search />);
    expect(page.querySelector('input')?.value).toBe('engine');
    await act(async () => page.querySelector<HTMLButtonElement>('[aria-label="Clear search"]')?.click());
    expect(page.querySelector('input')?.value).toBe('');
    expect(page.querySelector('kbd')?.textContent).toBe('/');
  });

  it('spins with a name', async () => {
    await render(<Spinner label="Loading assets" />);
    expect(page.querySelector('[role=progressbar]')?.getAttribute('aria-label')).toBe('Loading assets');
  });
});

describe('toasts', () => {
  it('pass, and are announced', async () => {
    vi.useFakeTimers();
    await render(<ToastRegion />);
    await act(async () => toast('Asset not found', { tone: 'danger' }));
    expect(page.querySelector('[role=status]')?.textContent).toBe('Asset not found');
    await act(async () => vi.advanceTimersByTimeAsync(4000));
    expect(page.querySelector('[role=status]')?.textContent).toBe('');
  });

  it('says the same words twice', async () => {
    await render(<ToastRegion />);
    const words = () => page.querySelector('.visually-hidden')?.textContent;
    await act(async () => announce('12 assets shown'));
    const first = words();
    await act(async () => announce('12 assets shown'));
    expect(words()).not.toBe(first);
    expect(words()?.trim()).toBe('12 assets shown');
  });
});

// spec: 8.dialog.05
it('a confirmation has Confirm, Cancel and a red line', async () => {
  const close = vi.fn();
  const confirm = vi.fn();
  await render(
    <ConfirmDialog
      isOpen
      title="Are you sure you want to delete Area?"
      onClose={close}
      onConfirm={confirm}
      error="Area not found"
    />,
  );
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[role=alertdialog] button')];
  expect(buttons.map(button => button.textContent)).toEqual(['Cancel', 'Confirm']);
  expect(document.querySelector('[role=alert]')?.textContent).toBe('Area not found');
  for (const button of buttons) await act(async () => button.click());
  expect([close.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 1]);
});
