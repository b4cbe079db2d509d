// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { createAppRouter } from '../router';

// A network that is gone without a word: the code of an asset's detail is asked for and does not come.
vi.mock('~/features/things/ThingDetail', () => new Promise(() => undefined));
vi.mock('./MapHost', () => ({ default: () => null }));

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function visit(address: string, until: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  );
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  await vi.waitFor(() => expect(page.textContent).toContain(until));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return router;
}
const drawer = () => page.querySelector('section[aria-label="Live"]');
const later = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it('shows the shape of what will be there while the code of a section is on its way', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await visit('/dashboard/things/a', 'Loading');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const bones = () => drawer()?.querySelectorAll('[aria-busy] [class*=skeleton]').length ?? 0;
  await vi.waitFor(() => expect(bones()).toBeGreaterThan(10));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});

it.each([
  ['from the list', '/dashboard/things'],
  ['by its address', '/dashboard/things/a'],
])('says in words that an asset opened %s is still on its way, and tries again', async (_, begin) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const router = await visit(begin, begin.endsWith('a') ? 'Loading' : 'Live Assets');
  await act(async () => void router.navigate({ href: '/dashboard/things/a' } as never));
  await later(300);
  await later(5000);
  const alerts = [...(drawer()?.querySelectorAll('[role=alert]') ?? [])].map(one => one.textContent);
  expect(alerts).toContain('Still loadingYou may be offline. This opens as soon as it arrives.BackRetry');
});
