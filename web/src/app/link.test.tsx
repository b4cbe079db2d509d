// @vitest-environment jsdom

import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { wireProfile } from '~/session/session.fakes';
import { App } from './App';
import { enterByLink } from './linkEntry';
import { linkQuestion } from './signInLink';

const link = { access: 'a'.repeat(401), refresh: 'lb_lkr_1' };
const texts = { access_token: link.access, refresh_token: link.refresh };
const beacon = vi.fn();

let root: Root;
let asked: { path: string; body: unknown }[];
let answers: Map<string, () => Response | Promise<Response>>;

beforeEach(() => {
  asked = [];
  answers = new Map();
  beacon.mockReset().mockReturnValue(true);
  localStorage.clear();
  Object.defineProperty(navigator, 'sendBeacon', { value: beacon, configurable: true });
  stubBrowser();
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const path = address.replace('/api', '');
    if (init?.method === 'POST') asked.push({ path, body: init.body && JSON.parse(String(init.body)) });
    return answers.get(path)?.() ?? replayed('nothing.not_found');
  });
  confirms(true);
  answers.set('/sign_in_link', () =>
    answered('lookUpSignInLink.ok', {
      firstname: 'Mary',
      lastname: 'Jones',
      email: 'mary@fire.example',
      organization: 'City Fire',
    }),
  );
  answers.set('/user_token', () => answered('createUserToken.link', { created_at: Date.now() / 1000 }));
  answers.set('/profile', () => answered('getProfile.ok', wireProfile()));
  session.state.set({ phase: 'restoring' });
  window.history.replaceState(null, '', '/welcome/signin');
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<App />);
});
afterEach(() => {
  linkQuestion.set(undefined);
  session.state.set({ phase: 'signedOut' });
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function confirms(on: boolean) {
  answers.set('/sign_in_methods', () => answered('getSignInMethods.none', { link_confirmation: on }));
}
const sees = (words: string) => vi.waitFor(() => expect(document.body.textContent).toContain(words));
function press(words: string) {
  const button = [...document.querySelectorAll('button')].find(one => one.textContent === words);
  if (!button) throw new Error(`there is no ${words}: ${document.body.textContent}`);
  button.click();
}
const exchanged = () => asked.filter(one => one.path === '/user_token');

// spec: D.auth.07
it('asks before a link signs in, and keeps nothing until Continue', async () => {
  await enterByLink(link);
  await sees('Continue as Mary Jones');
  await sees('mary@fire.example');
  await sees('City Fire');
  expect(asked).toEqual([{ path: '/sign_in_link', body: texts }]);
  expect([localStorage.length, session.accessToken()]).toEqual([0, undefined]);
  press('Continue');
  await vi.waitFor(() => expect(session.state.get().phase).toBe('signedIn'));
  expect(exchanged()).toHaveLength(1);
  expect(exchanged()[0]?.body).toMatchObject({ grant_type: 'link', ...texts });
  expect(linkQuestion.get()).toBeUndefined();
  expect(beacon).not.toHaveBeenCalled();
});

it('uses the link up for who is not meant, and leads to the sign-in', async () => {
  await enterByLink(link);
  await sees('Continue as Mary Jones');
  press('Not you? Sign in');
  await vi.waitFor(() => expect(session.state.get().phase).toBe('signedOut'));
  expect(beacon).toHaveBeenCalledTimes(1);
  const [path, body] = beacon.mock.calls[0] as [string, Blob];
  expect([path, body.type, JSON.parse(await textOf(body))]).toEqual([
    '/api/sign_in_link/discard',
    'application/json',
    texts,
  ]);
  expect(exchanged()).toEqual([]);
  expect(linkQuestion.get()).toBeUndefined();
});

it('uses the link up when the page is left', async () => {
  await enterByLink(link);
  await sees('Continue as Mary Jones');
  await vi.waitFor(() => {
    window.dispatchEvent(new Event('pagehide'));
    expect(beacon).toHaveBeenCalledWith('/api/sign_in_link/discard', expect.any(Blob));
  });
});

// spec: 8.token.01
it('says that a link has expired while it was asked, and offers the sign-in', async () => {
  await enterByLink(link);
  await sees('Continue as Mary Jones');
  answers.set('/user_token', () => Promise.reject(new TypeError('fetch failed')));
  press('Continue');
  await sees('Connection failed.');
  // What may pass can be tried again.
  answers.set('/user_token', () => replayed('getSecondFactor.internal'));
  press('Continue');
  await sees('Unknown failure.');
  answers.set('/user_token', () => replayed('lookUpSignInLink.session_expired'));
  press('Continue');
  await sees('Access token is expired or does not exist.');
  await sees('This link was already used or has expired.');
  expect([...document.querySelectorAll('button')].map(one => one.textContent)).toEqual(['Not you? Sign in']);
});

// spec: 8.token.01
it.each([
  [() => Promise.reject(new TypeError('fetch failed')), 'Connection failed.'],
  [() => replayed('getSecondFactor.internal'), 'Unknown failure.'],
] as const)(
  'says at the start why the session could not be brought back, and tries again (%#)',
  async (fails, words) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 100 });
    localStorage.setItem('lightbar.session', JSON.stringify({ expiresAt: Date.now() + 3_600_000 }));
    const signIn = answers.get('/user_token');
    answers.set('/user_token', fails);
    void session.restore();
    await sees(words);
    if (signIn) answers.set('/user_token', signIn);
    press('Retry');
    await vi.waitFor(() => expect(session.state.get().phase).toBe('signedIn'));
    vi.useRealTimers();
  },
);

it('signs in at once where the server does not want to ask', async () => {
  confirms(false);
  await enterByLink(link);
  expect(asked.map(one => one.path)).toEqual(['/user_token']);
  expect(session.state.get().phase).toBe('signedIn');
});

it('asks when the setting cannot be learned', async () => {
  answers.delete('/sign_in_methods');
  await enterByLink(link);
  await sees('Continue as Mary Jones');
});

it('leads to the sign-in when the link does not work', async () => {
  answers.set('/sign_in_link', () => replayed('lookUpSignInLink.session_expired'));
  await enterByLink(link);
  expect(session.state.get().phase).toBe('signedOut');
  expect(linkQuestion.get()).toBeUndefined();
  expect(exchanged()).toEqual([]);
});

const textOf = (blob: Blob) =>
  new Promise<string>(resolve => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
