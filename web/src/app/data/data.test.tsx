// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { all, answer, find, press, type Stage, says, see, stage, text } from '../accounts/testing';
import { MAY_ALL, signInTo, wireExport } from './testing';

const FORBIDDEN = 'Sorry, you are not currently authorized to access this page.';
const LIST = '/dashboard/data/exports';

let server: Stage;
beforeEach(() => {
  server = stage();
  signInTo();
  server.answers['GET /organization/export'] = answer('listExports.ok', [wireExport()]);
});
afterEach(() => server.close());

describe('Data', () => {
  // spec: 2.route.16
  it('leads to the first of its entries that is permitted', async () => {
    const router = await server.open('/dashboard/data', 'Data Exports');
    await see(() => expect(router.state.location.pathname).toBe(LIST));
  });

  // spec: 2.route.14
  it('lists exports for who may see them, and says to the others that they may not', async () => {
    signInTo({ permissions: ['export:read'] });
    const router = await server.open(LIST, 'point Exports 21-Nov-2026');
    signInTo({ permissions: ['report:read'] });
    await says(FORBIDDEN);
    await router.navigate({ to: '/dashboard/data' as '/' });
    await says(FORBIDDEN);
  });

  // spec: 2.route.15
  it('makes exports for who may, and says to the others that they may not', async () => {
    await server.open(`${LIST}/new`, 'What should the files be about?');
    signInTo({ permissions: ['export:read', 'trip:read'] });
    await says(FORBIDDEN);
  });

  it.each(['export:read', 'export:manage', 'haas:manage'])(
    'offers a link at the top right with %s',
    async permission => {
      signInTo({ permissions: [permission] });
      await server.open(LIST, 'Data Exports');
      expect((await find('[data-over-map] a', 'Data')).getAttribute('href')).toBe('/dashboard/data');
      // Reports are not there yet: a link would lead nowhere.
      signInTo({ permissions: ['report:read'] });
      await see(() => expect(all('[data-over-map] a', 'Data')).toEqual([]));
    },
  );

  it('is not for phones', async () => {
    stubBrowser(() => ({ width: 390, pointer: 'coarse' }));
    await server.open(LIST, "This page isn't available on mobile devices.");
    expect(server.sent).toEqual([]);
  });

  it('shows the exports of an organization to who acts for it alone', async () => {
    signInTo({ at: 'o2' });
    await server.open(LIST, "You can't see the exports of Organization o2.");
    expect(server.sent).toEqual([]);
    expect(text()).not.toContain('New export');
  });
});

describe('its navigation', () => {
  it('stands in place of the one of the dashboard, and leads back', async () => {
    const { createAppRouter } = await import('../router');
    const { createMemoryHistory, RouterProvider } = await import('@tanstack/react-router');
    const { QueryClient, QueryClientProvider } = await import('@tanstack/react-query');
    const { createRoot } = await import('react-dom/client');
    const router = createAppRouter(createMemoryHistory({ initialEntries: [LIST] }));
    const host = document.body.appendChild(document.createElement('div'));
    const root = createRoot(host);
    signInTo({ permissions: MAY_ALL });
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    const links = () => all('nav a', '').map(link => [link.textContent, link.getAttribute('href')]);
    await vi.waitFor(() =>
      expect(links()).toEqual([
        ['Data Exports', LIST],
        ['Close', '/dashboard'],
      ]),
    );
    expect((await find('nav a', 'Data Exports')).getAttribute('aria-current')).toBe('page');
    await press('Close', 'nav a');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things'));
    await see(() => expect(all('nav a', 'Close')).toEqual([]));
    root.unmount();
    host.remove();
  });
});
