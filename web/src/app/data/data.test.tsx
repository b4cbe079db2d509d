// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { all, answer, find, press, type Stage, says, see, stage, text } from '../accounts/testing';
import { MAY_ALL, signInTo, wireExport } from './testing';

const FORBIDDEN = 'Sorry, you are not currently authorized to access this page.';
const LIST = '/dashboard/data/exports';
const REPORTS = '/dashboard/data/reports';
const REPORT_LIST = 'GET /reports/o1/organization_monthly_report_list';

let server: Stage;
beforeEach(() => {
  server = stage();
  signInTo();
  server.answers['GET /organization/export'] = answer('listExports.ok', [wireExport()]);
  server.answers[REPORT_LIST] = answer('listMonthlyReports.empty');
});
afterEach(() => server.close());

describe('Data', () => {
  // spec: 2.route.16
  it('leads to reports for who may read them, else to exports', async () => {
    const router = await server.open('/dashboard/data', 'Data Exports');
    await see(() => expect(router.state.location.pathname).toBe(LIST));
    signInTo({ permissions: ['export:read', 'report:read'] });
    await router.navigate({ to: '/dashboard/data' as '/' });
    await see(() => expect(router.state.location.pathname).toBe(REPORTS));
  });

  // spec: 2.route.13 2.route.14
  it('lists exports for who may see them, and says to the others that they may not', async () => {
    signInTo({ permissions: ['export:read'] });
    const router = await server.open(LIST, 'point Exports 21-Nov-2026');
    signInTo({ permissions: ['report:read'] });
    await says(FORBIDDEN);
    await router.navigate({ to: REPORTS as '/' });
    await says('No reports yet.');
    signInTo({ permissions: ['export:read'] });
    await says(FORBIDDEN);
  });

  // spec: 2.route.15
  it('makes exports for who may, and says to the others that they may not', async () => {
    await server.open(`${LIST}/new`, 'What should the files be about?');
    signInTo({ permissions: ['export:read', 'trip:read'] });
    await says(FORBIDDEN);
  });

  it.each(['export:read', 'export:manage', 'haas:manage', 'report:read', 'report:manage'])(
    'offers a link at the top right with %s',
    async permission => {
      signInTo({ permissions: [permission] });
      await server.open('/dashboard/data', 'Data');
      expect((await find('[data-over-map] a', 'Data')).getAttribute('href')).toBe('/dashboard/data');
      signInTo({ permissions: ['thing:read'] });
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
    // spec: 2.route.17 2.route.18
    signInTo({ permissions: [...MAY_ALL, 'report:read'] });
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    const links = () => all('nav a', '').map(link => [link.textContent, link.getAttribute('href')]);
    await vi.waitFor(() =>
      expect(links()).toEqual([
        ['Monthly Reports', REPORTS],
        ['Data Exports', LIST],
        ['Close', '/dashboard'],
      ]),
    );
    signInTo({ permissions: ['report:read'] });
    await vi.waitFor(() => expect(all('nav a', 'Data Exports')).toEqual([]));
    signInTo({ permissions: MAY_ALL });
    await vi.waitFor(() => expect(all('nav a', 'Monthly Reports')).toEqual([]));
    expect((await find('nav a', 'Data Exports')).getAttribute('aria-current')).toBe('page');
    await press('Close', 'nav a');
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things'));
    await see(() => expect(all('nav a', 'Close')).toEqual([]));
    root.unmount();
    host.remove();
  });
});
