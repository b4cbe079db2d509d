import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createRoot, type Root } from 'react-dom/client';
import { expect, vi } from 'vitest';
import { refused, replayed } from '~/api/recorded';
import { session } from '~/session';
import { createAppRouter } from './router';

/** What the page has asked the server. */
interface Asked {
  method: string;
  path: string;
  body: Record<string, unknown> | undefined;
}

type Answer = (body: Record<string, unknown> | undefined) => Response | Promise<Response>;

/** A public screen in a page of its own, before a server that answers what the test says. */
export function publicPage() {
  const answers = new Map<string, Answer>();
  const asked: Asked[] = [];
  let root: Root | undefined;
  const host = document.body.appendChild(document.createElement('div'));
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const path = url.replace('/api', '');
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const method = init?.method ?? 'GET';
    if (method !== 'GET') asked.push({ method, path, body });
    const answer = answers.get(path);
    return answer ? answer(body) : replayed('nothing.not_found');
  });
  answers.set('/sign_in_methods', () => replayed('getSignInMethods.none'));
  session.state.set({ phase: 'signedOut' });
  session.alert.set(undefined);
  const page = {
    host,
    asked,
    router: undefined as unknown as ReturnType<typeof createAppRouter>,
    /** What the server says to a path. */
    answer: (path: string, say: Answer) => void answers.set(path, say),
    refuse: (path: string, ...refusal: Parameters<typeof refused>) => page.answer(path, () => refused(...refusal)),
    async visit(address: string) {
      page.router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
      root = createRoot(host);
      const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
      root.render(
        <QueryClientProvider client={queries}>
          <RouterProvider router={page.router} />
        </QueryClientProvider>,
      );
      await page.sees('Confidential');
    },
    sees: (text: string) => vi.waitFor(() => expect(host.textContent).toContain(text)),
    find<E extends Element>(selector: string): E {
      const found = host.querySelector<E>(selector);
      if (!found) throw new Error(`${selector} is not on the page: ${host.textContent}`);
      return found;
    },
    field(label: string): HTMLInputElement {
      const text = [...host.querySelectorAll('label')].find(one => one.textContent === label);
      const input = text && document.getElementById(text.htmlFor);
      if (!(input instanceof HTMLInputElement)) throw new Error(`there is no field ${label}: ${host.textContent}`);
      return input;
    },
    type(label: string, text: string) {
      const input = page.field(label);
      // React listens to the native setter's event, not to a plain assignment.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    submit: () => page.find<HTMLFormElement>('form').requestSubmit(),
    press(text: string) {
      const button = [...host.querySelectorAll<HTMLElement>('button, a')].find(one => one.textContent === text);
      if (!button) throw new Error(`there is no ${text}: ${host.textContent}`);
      button.click();
    },
    status: () => page.find('[role=status]').textContent,
    alert: () => page.find('[role=alert]').textContent,
    close() {
      root?.unmount();
      host.remove();
      vi.unstubAllGlobals();
    },
  };
  return page;
}

export type PublicPage = ReturnType<typeof publicPage>;
