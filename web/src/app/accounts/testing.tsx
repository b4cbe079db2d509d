import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import { type AnswerName, answered, refused, replayed } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireOrganization, wireProfile } from '~/session/session.fakes';
import { ToastRegion } from '~/ui/Toast';
import { dataRoutes } from '../data/routes';
import { accountsRoutes, newAccountsRoutes, ownRoute } from './routes';

export const role = (n: number) => `01900000-0000-7000-8000-30000000000${n}`;

/** What an administrator of the catalog may do. */
export const ADMIN = [
  ...['thing:read', 'thing:update', 'thing:manage', 'thing:admin:manage', 'thing:invoke_r2r', 'zone:read', 'trip:read'],
  ...['thing:ha5_light_intensity_change', 'incident:read', 'incident:update', 'exclusion:manage', 'closure:manage'],
  ...['mobile:closure:manage', 'heatmap:read', 'hazard:read', 'report:manage', 'export:manage', 'user:admin:manage'],
  ...['user:manage', 'organization:manage', 'integration_configuration:manage', 'billing:read', 'user:read'],
];

/** Signs someone in with these permissions; organization o1 is their own and may say more, o2 is managed, o3 accessed. */
export function signIn(permissions: readonly string[], own: Parameters<typeof wireOrganization>[1] = {}): void {
  const wire = wireProfile({ permissions: [...permissions], dashboard_access: ['things', 'accounts', 'accounts-new'] });
  wire.organization = { ...wire.organization, ...own };
  wire.accessed_organizations = [wireOrganization('o3')];
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
}

export interface Sent {
  method: string;
  path: string;
  query: string;
  body: Record<string, unknown> | undefined;
  ifMatch: string | null;
}

type Answer = (sent: Sent) => Response | Promise<Response>;

/** What the server has said once, with some of it otherwise. */
export const answer =
  <Name extends AnswerName>(...parts: Parameters<typeof answered<Name>>) =>
  () =>
    answered(...parts);
export const refusal =
  (...parts: Parameters<typeof refused>) =>
  () =>
    refused(...parts);
/** No answer comes. */
export const silence = () => Promise.reject(new TypeError('fetch failed'));

/** Makes a server want a proof of who is there before it answers a call. */
export function wary(server: Stage, call: string, answer: Answer): void {
  let proved = false;
  server.answers[call] = sent => (proved ? answer(sent) : refused('beginTOTP.step_up_required'));
  server.answers['POST /session/step_up'] = () => {
    proved = true;
    return replayed('stepUp.ok');
  };
}

/** The user is asked who they are, and answers; or turns away. */
export async function confirm(turnsAway = false): Promise<void> {
  await see(() => {
    if (session.stepUp.question.get() !== 'action') throw new Error('nobody is asked who they are');
  });
  if (turnsAway) session.stepUp.cancel();
  else await session.stepUp.prove({ password: 'Secret-1' });
}

/** The sections without a map with a server that answers what `answers` says; everything sent is kept. */
export function stage() {
  const sent: Sent[] = [];
  const answers: Record<string, Answer> = {};
  stubBrowser();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const [path = '', query = ''] = url.replace('/api', '').split('?');
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : undefined;
    const one: Sent = {
      method: init.method ?? 'GET',
      path,
      query,
      body,
      ifMatch: new Headers(init.headers).get('If-Match'),
    };
    sent.push(one);
    const answer = answers[`${one.method} ${path}`];
    return answer ? answer(one) : replayed('nothing.not_found');
  });
  Element.prototype.scrollIntoView = () => undefined;
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);

  /** Draws the section at an address and waits until a text stands there. */
  const open = async (path: string, until: string) => {
    const rootRoute = createRootRoute({ component: Outlet });
    const dashboard = createRoute({ getParentRoute: () => rootRoute, path: 'dashboard' });
    const router = createRouter({
      routeTree: rootRoute.addChildren([
        dashboard.addChildren([
          ownRoute(dashboard),
          ...accountsRoutes(dashboard),
          ...newAccountsRoutes(dashboard),
          ...dataRoutes(dashboard),
        ]),
      ]),
      history: createMemoryHistory({ initialEntries: [path] }),
    });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    root.render(
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
        <ToastRegion />
      </QueryClientProvider>,
    );
    await says(until);
    return router;
  };

  const close = () => {
    root.unmount();
    host.remove();
    vi.unstubAllGlobals();
  };

  return { sent, answers, open, close, writes: () => sent.filter(call => call.method !== 'GET') };
}

export type Stage = ReturnType<typeof stage>;

export const text = () => document.body.textContent ?? '';
/** What React and the router do comes by itself: an expectation is asked again until it holds. */
export const see = (check: () => void) => vi.waitFor(check);
export const says = (words: string) =>
  see(() => {
    if (!text().includes(words)) throw new Error(`"${words}" is not in: ${text()}`);
  });

/** Elements by selector whose name or text holds the words. */
export const all = (selector: string, words: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(element =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').includes(words),
  );

export async function find(selector: string, words: string): Promise<HTMLElement> {
  let found: HTMLElement | undefined;
  await see(() => {
    [found] = all(selector, words);
    if (!found) throw new Error(`no ${selector} says "${words}" in: ${text()}`);
  });
  return found as HTMLElement;
}

export const press = async (words: string, selector = 'button, a, [role=menuitem]') => {
  (await find(selector, words)).click();
};

/** Types into the field with a label. */
export async function type(label: string, value: string): Promise<void> {
  const field = await find('label[for]', label);
  const input = document.getElementById(field.getAttribute('for') ?? '') as HTMLInputElement | null;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input?.dispatchEvent(new Event('input', { bubbles: true }));
  await see(() => {
    if (input?.value !== value) throw new Error(`${label} holds ${input?.value}`);
  });
}

/** The value in the field with a label. */
export const heldBy = (label: string): string | undefined => {
  const [field] = all('label[for]', label);
  return (document.getElementById(field?.getAttribute('for') ?? '') as HTMLInputElement | null)?.value;
};

/** Chooses from the select with a label. */
export async function choose(label: string, option: string): Promise<void> {
  const [field] = all('.field, div', label).filter(element => element.querySelector(':scope > button[aria-haspopup]'));
  const button = (field ?? (await find('button[aria-haspopup=listbox]', label))).querySelector<HTMLElement>('button');
  (button ?? (await find('button[aria-haspopup=listbox]', label))).click();
  (await find('[role=option]', option)).click();
}
