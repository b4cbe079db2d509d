// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { CopyButton } from './Codes';

// spec: 9.ui.06
it('a copy in a list is confirmed for 1 s', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText }, userAgent: 'Firefox/150.0' });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  await act(async () => root.render(<CopyButton text="one-1" />));
  await act(async () => host.querySelector('button')?.click());
  expect(writeText).toHaveBeenCalledExactlyOnceWith('one-1');
  expect(host.textContent).toBe('Copied');
  await act(async () => vi.advanceTimersByTime(999));
  expect(host.textContent).toBe('Copied');
  await act(async () => vi.advanceTimersByTime(1));
  expect(host.textContent).toBe('Copy');
  await act(async () => root.unmount());
  host.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
