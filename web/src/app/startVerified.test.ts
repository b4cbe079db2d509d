// @vitest-environment jsdom

import { afterAll, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { session } from '~/session';
import { start } from './start';

afterAll(() => vi.unstubAllGlobals());

it("leaves the session to the other windows in the one of a provider's step-up", async () => {
  const asked: string[] = [];
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return replayed('nothing.not_found');
  });
  const marker = JSON.stringify({ expiresAt: Date.now() + 3_600_000 });
  localStorage.setItem('lightbar.session', marker);
  window.history.replaceState(null, '', '/welcome/verified');
  start();
  await vi.waitFor(() => expect(session.state.get().phase).toBe('signedOut'));
  expect(localStorage.getItem('lightbar.session')).toBe(marker);
  expect(asked.filter(one => one.includes('user_token'))).toEqual([]);
  expect(window.location.pathname).toBe('/welcome/verified');
});
