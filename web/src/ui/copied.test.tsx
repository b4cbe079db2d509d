// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CopyButton } from './Codes';
import { ToastRegion } from './Toast';

let host: HTMLElement;
let root: Root;
const button = () => host.querySelector('button');

/** The button of "one-1" in a browser with this clipboard, and what it says in passing. */
async function open(clipboard: object | undefined): Promise<void> {
  vi.stubGlobal('navigator', { clipboard, userAgent: 'Firefox/150.0' });
  await act(async () => {
    root.render(
      <>
        <CopyButton text="one-1" />
        <ToastRegion />
      </>,
    );
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  Reflect.deleteProperty(document, 'execCommand');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

// spec: 9.ui.06
it('a copy in a list is confirmed for 1 s', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  await open({ writeText });
  await act(async () => button()?.click());
  expect(writeText).toHaveBeenCalledExactlyOnceWith('one-1');
  expect(button()?.textContent).toBe('Copied');
  await act(async () => vi.advanceTimersByTime(999));
  expect(button()?.textContent).toBe('Copied');
  await act(async () => vi.advanceTimersByTime(1));
  expect(button()?.textContent).toBe('Copy');
});

it('a page without TLS has no clipboard: the text is copied as a selection, and the focus stays', async () => {
  let selected = '';
  document.execCommand = command => {
    const field = document.activeElement as HTMLTextAreaElement;
    selected = `${command} ${field.value.slice(field.selectionStart, field.selectionEnd)}`;
    return true;
  };
  await open(undefined);
  button()?.focus();
  await act(async () => button()?.click());
  expect(selected).toBe('copy one-1');
  expect(button()?.textContent).toBe('Copied');
  expect(document.activeElement).toBe(button());
  expect(document.querySelector('textarea')).toBeNull();
});

it('a browser that refuses both is not said to have copied', async () => {
  document.execCommand = () => false;
  await open({ writeText: () => Promise.reject(new Error('refused')) });
  await act(async () => button()?.click());
  expect(button()?.textContent).toBe('Copy');
  expect(host.textContent).toContain('Unable to copy');
  await act(async () => vi.advanceTimersByTime(4000));
});
