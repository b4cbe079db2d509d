// @vitest-environment jsdom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import SessionDialogs from './SessionDialogs';
import { tellVerdict } from './verified';

const url = 'https://id.city.example/authorize?state=prove-1';
const city = { method: 'sso', step_up_provider: { id: 'city', title: 'City account' } } as const;

let root: Root;
let asked: { path: string; body: unknown }[];
let answers: Map<string, () => Response>;
/** The window that the browser opens; undefined when it keeps it closed. */
let opened: { location: { replace: ReturnType<typeof vi.fn> }; close: ReturnType<typeof vi.fn> } | undefined;
const windowOpen = vi.fn();

beforeEach(() => {
  asked = [];
  answers = new Map();
  opened = { location: { replace: vi.fn() }, close: vi.fn() };
  windowOpen.mockReset().mockImplementation(() => opened ?? null);
  vi.stubGlobal('open', windowOpen);
  stubBrowser();
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const path = address.replace('/api', '');
    asked.push({ path, body: init?.body && JSON.parse(String(init.body)) });
    return answers.get(path)?.() ?? replayed('stepUp.ok');
  });
  answers.set('/session/step_up/sso', () =>
    answered('beginStepUpProvider.ok', { url, begun_at: '2026-11-21T10:00:00.000Z' }),
  );
  verified('2026-11-21T09:00:00.000Z');
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SessionDialogs />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  session.stepUp.cancel();
  session.lock.stop();
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** What the server says of the session. */
function verified(at: string) {
  answers.set('/profile', () => answered('getProfile.ok', profileWith({}, { ...city, verified_at: at })));
}
function signIn() {
  session.state.set({ phase: 'signedIn', profile: profileOf(profileWith({}, city)), organizationId: 'o1' });
}
const text = () => document.body.textContent ?? '';
const sees = (words: string) => vi.waitFor(() => expect(text()).toContain(words));
const link = () => document.querySelector<HTMLAnchorElement>('a[target=_blank]');
const lookedUp = () => asked.filter(one => one.path === '/profile').length;
function press(words: string) {
  const button = [...document.querySelectorAll('button')].find(one => one.textContent === words);
  if (!button) throw new Error(`there is no ${words}: ${text()}`);
  button.click();
}

describe('a step-up at the identity provider', () => {
  it('opens a window at once, and goes on when the server knows who is there', async () => {
    signIn();
    const asking = session.stepUp.ask('action');
    await sees("Confirm it's you");
    expect(text()).not.toContain('Password');
    press('Confirm with City account');
    expect(windowOpen).toHaveBeenCalledWith('about:blank', '_blank', expect.stringContaining('popup'));
    await sees('Sign in again in the City account window');
    expect(opened?.location.replace).toHaveBeenCalledWith(url);
    expect(asked.at(-1)).toEqual({ path: '/session/step_up/sso', body: { extend: false } });
    // What a message says is not believed: the session was verified before the visit began.
    tellVerdict({});
    await vi.waitFor(() => expect(lookedUp()).toBe(1));
    expect(session.stepUp.question.get()).toBe('action');
    verified('2026-11-21T10:00:05.000Z');
    tellVerdict({});
    await expect(asking).resolves.toBe(true);
    expect(asked.some(one => one.path === '/session/step_up')).toBe(false);
  });

  it('looks when somebody comes back to this window, too', async () => {
    signIn();
    const asking = session.stepUp.ask('extend');
    await sees('Stay signed in');
    press('Confirm with City account');
    await sees('Sign in again in the');
    expect(asked.at(-1)?.body).toEqual({ extend: true });
    verified('2026-11-21T10:00:00.000Z');
    window.dispatchEvent(new Event('focus'));
    await expect(asking).resolves.toBe(true);
  });

  it('says why it has failed, and begins anew', async () => {
    signIn();
    const asking = session.stepUp.ask('action');
    await sees("Confirm it's you");
    press('Confirm with City account');
    await sees('Sign in again in the');
    tellVerdict({ problem: 'sso_other_person' });
    await sees('Your provider signed in someone else.');
    expect(lookedUp()).toBe(0);
    press('Confirm with City account');
    await sees('Sign in again in the');
    expect(text()).not.toContain('someone else');
    press('Cancel');
    await expect(asking).resolves.toBe(false);
  });

  it('offers a plain link when the browser keeps the window closed', async () => {
    opened = undefined;
    signIn();
    void session.stepUp.ask('action');
    await sees("Confirm it's you");
    press('Confirm with City account');
    await sees('Your browser blocked the window.');
    expect([link()?.textContent, link()?.href, link()?.rel]).toEqual(['Open City account', url, 'noopener noreferrer']);
  });

  it('closes the window again when the server refuses to begin', async () => {
    answers.set('/session/step_up/sso', () => replayed('verifyToken.rate_limited'));
    signIn();
    void session.stepUp.ask('action');
    await sees("Confirm it's you");
    press('Confirm with City account');
    await sees('Too many requests. Please wait a moment.');
    expect(opened?.close).toHaveBeenCalledTimes(1);
    expect(opened?.location.replace).not.toHaveBeenCalled();
  });

  it('unlocks the screen', async () => {
    signIn();
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    press('Confirm with City account');
    await sees('Sign in again in the');
    verified('2026-11-21T10:00:05.000Z');
    tellVerdict({});
    await vi.waitFor(() => expect(session.lock.locked.get()).toBe(false));
  });

  it('is one way among others for who has a second factor here', async () => {
    answers.set('/session/second_factor', () => answered('getSecondFactor.ok', { recovery_codes_left: 0 }));
    session.state.set({
      phase: 'signedIn',
      profile: profileOf(profileWith({}, city, { second_factor: true })),
      organizationId: 'o1',
    });
    const asking = session.stepUp.ask('action');
    await sees('Use a code');
    press('Use a code');
    await sees('Use City account');
    press('Use City account');
    await sees('Confirm with City account');
    press('Cancel');
    await expect(asking).resolves.toBe(false);
  });
});
