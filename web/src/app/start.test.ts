// @vitest-environment jsdom

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { queries } from './queries';
import { router } from './router';
import { start } from './start';

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async () => replayed('lookUpSignInLink.session_expired'));
  window.history.replaceState(null, '', '/welcome/sso?origin=%2Fdashboard%2Fthings');
  start();
});
afterAll(() => vi.unstubAllGlobals());

it('says on the sign-in screen why the return of a provider has brought no session', async () => {
  await vi.waitFor(() => expect(window.location.pathname + window.location.search).toContain('sso=session_expired'));
  expect(session.state.get().phase).toBe('signedOut');
});

// spec: 2.nav.08
it('forgets what it knew of one organization when another one is looked at', () => {
  vi.spyOn(router, 'invalidate').mockResolvedValue();
  const reset = vi.spyOn(queries, 'resetQueries').mockResolvedValue();
  const profile = profileOf(wireProfile());
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
  expect(reset).not.toHaveBeenCalled();
  session.switchOrganization('o2');
  expect(reset).toHaveBeenCalledTimes(1);
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o2' });
  expect(reset).toHaveBeenCalledTimes(1);
});

it('marks the page while the screen is locked', () => {
  session.lock.locked.set(true);
  expect(document.documentElement.hasAttribute('data-locked')).toBe(true);
  session.lock.locked.set(false);
  expect(document.documentElement.hasAttribute('data-locked')).toBe(false);
});
