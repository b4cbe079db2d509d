// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Failure } from '~/api';
import { session } from '~/session';
import { SignInPage } from './SignInPage';

let root: Root;
let page: HTMLElement;
const query = <E extends Element>(selector: string): E => {
  const found = page.querySelector<E>(selector);
  if (!found) throw new Error(`${selector} is not on the page`);
  return found;
};

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <SignInPage />
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

async function type(selector: string, text: string) {
  const input = query<HTMLInputElement>(selector);
  await act(async () => {
    // React listens to the native setter's event, not to a plain assignment.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const submit = () => act(async () => query<HTMLFormElement>('form').requestSubmit());

// spec: 2.pub.02
it('has email, password and a toggle that shows the password', async () => {
  expect(query<HTMLInputElement>('input[name=email]').type).toBe('email');
  expect(query<HTMLInputElement>('input[name=password]').type).toBe('password');
  await act(async () => query<HTMLButtonElement>('[aria-label="Show password"]').click());
  expect(query<HTMLInputElement>('input[name=password]').type).toBe('text');
  await act(async () => query<HTMLButtonElement>('[aria-label="Hide password"]').click());
  expect(query<HTMLInputElement>('input[name=password]').type).toBe('password');
});

// spec: 2.pub.04 2.pub.05
it('has the notice, its two links and the year', () => {
  const footer = query('footer');
  expect(footer.textContent).toContain('Confidential.');
  expect([...footer.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([
    '/legal/license',
    '/legal/terms',
  ]);
  expect(footer.textContent).toContain(`© ${new Date().getFullYear()}`);
});

// spec: 5.signin.01 5.signin.03
it('sends nothing that is not filled in', async () => {
  const signIn = vi.spyOn(session, 'signIn').mockResolvedValue();
  await submit();
  expect(page.textContent?.match(/Required/g)).toHaveLength(2);
  expect(signIn).not.toHaveBeenCalled();
});

// spec: 8.signin.13 8.signin.15
it('says Pending, then Success', async () => {
  let resolve = () => {};
  vi.spyOn(session, 'signIn').mockReturnValue(new Promise<void>(done => (resolve = done)));
  await type('input[name=email]', 'dana@fire.example');
  await type('input[name=password]', 'secret');
  await submit();
  expect(query('[role=status]').textContent).toBe('Pending...');
  expect(session.signIn).toHaveBeenCalledWith('dana@fire.example', 'secret');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false); // what comes later comes by itself
  resolve();
  await vi.waitFor(() => expect(query('[role=status]').textContent).not.toBe('Pending...'));
  expect(query('[role=status]').textContent).toBe("Success! You're being redirected...");
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});

// spec: 8.signin.12
it('announces what went wrong, with the support address where it helps', async () => {
  vi.spyOn(session, 'signIn').mockRejectedValue(new Failure({ status: 403, code: '', message: '' }));
  await type('input[name=email]', 'dana@fire.example');
  await type('input[name=password]', 'secret');
  await submit();
  expect(query('[role=alert]').textContent).toBe(
    'Your user is not authorized to access Safety Cloud Dashboard. Please contact support@localhost',
  );
});
