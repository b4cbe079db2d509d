// A section drawn in a page of its own, for tests.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { liveStore, streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { showAllFilter } from '~/model/filter';
import type { SectionRow } from './section';
import { beginViews, mapHolder, selection, switchMap } from './view';

let root: Root;
let unfollow = () => {};
export let host: HTMLElement;

/** Before each test an empty page, a live picture of an organization with nothing in it, and nothing chosen. */
export function stageSection(organizationId: string): void {
  beforeEach(() => {
    stubBrowser();
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(650);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(400);
    liveStore.reset(organizationId);
    liveStore.setFilter(showAllFilter(''));
    streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
    beginViews();
    switchMap({ showAssets: true, showLocations: true });
    selection.set({ selected: null, last: null });
    host = document.body.appendChild(document.createElement('div'));
    root = createRoot(host);
  });
  afterEach(() => {
    vi.useRealTimers();
    unfollow();
    root.unmount();
    mapHolder.set(null);
    host.remove();
    vi.unstubAllGlobals();
  });
}

/** Draws a section at an address and waits until a text stands there. */
export async function openSection(section: SectionRow, path: string, until: string) {
  const rootRoute = createRootRoute();
  const dashboard = createRoute({ getParentRoute: () => rootRoute, path: 'dashboard' });
  const router = createRouter({
    routeTree: rootRoute.addChildren([dashboard.addChildren([...section.routes(dashboard)])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  unfollow = (await section.address?.())?.(router as never) ?? unfollow;
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await says(until);
  return router;
}

/** Forgets the page that stands, as a reload does. */
export function reload(): void {
  unfollow();
  root.unmount();
  root = createRoot(host);
}

export const text = () => document.body.textContent ?? '';
/** What React and the router do comes by itself: an expectation is asked again until it holds. */
export const see = (check: () => void) => vi.waitFor(check);
export const says = (words: string) => see(() => expect(text()).toContain(words));
export const byText = (selector: string, words: string) => {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(e => (e.textContent ?? '').includes(words));
  if (!found) throw new Error(`no ${selector} says "${words}" in: ${text()}`);
  return found;
};
export const press = async (selector: string, words: string) =>
  (await vi.waitFor(() => byText(selector, words))).click();

/** Ticks a checkbox, or takes the tick away. */
export const tick = async (words: string) =>
  (await vi.waitFor(() => byText('label', words))).querySelector('input')?.click();

/** Types a text into a field, as a keyboard does. */
export function type(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
