// @vitest-environment jsdom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { alertOf } from '~/session/alerts';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { appAlert, showAlert } from './alerts';
import SessionDialogs from './SessionDialogs';
import { updateWaits } from './version';

let root: Root;
let host: HTMLElement;
const asked: { path: string; body: unknown }[] = [];
const answers = new Map<string, () => Response>();

beforeEach(() => {
  asked.splice(0);
  answers.clear();
  stubBrowser();
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const path = url.replace('/api', '');
    if (init?.method === 'POST') asked.push({ path, body: init.body && JSON.parse(String(init.body)) });
    return answers.get(path)?.() ?? replayed('stepUp.ok');
  });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SessionDialogs />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  session.stepUp.cancel();
  session.lock.stop();
  session.alert.set(undefined);
  appAlert.set(undefined);
  updateWaits.set(false);
  root.unmount();
  host.remove();
  vi.unstubAllGlobals();
});

const sees = (text: string) => vi.waitFor(() => expect(document.body.textContent).toContain(text));
const gone = (text: string) => vi.waitFor(() => expect(document.body.textContent).not.toContain(text));
function press(text: string) {
  const button = [...document.querySelectorAll<HTMLElement>('button')].find(one => one.textContent === text);
  if (!button) throw new Error(`there is no ${text}: ${document.body.textContent}`);
  button.click();
}
function type(text: string) {
  const input = document.querySelector<HTMLInputElement>('input');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** A window takes the focus a moment after it shows, and a key goes to what has the focus. */
async function pressEscape() {
  const inWindow = () => document.activeElement?.closest('[role=dialog], [role=alertdialog]');
  await vi.waitFor(() => expect(inWindow()).toBeTruthy());
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
}
/** The veil of the window with a title. */
const windowOf = (title: string) =>
  [...document.body.children].find(one => one.textContent?.includes(title) && one.querySelector('[role=alertdialog]'));

function signIn(...parts: Parameters<typeof profileWith>) {
  session.state.set({ phase: 'signedIn', profile: profileOf(profileWith(...parts)), organizationId: 'o1' });
}

describe('step-up', () => {
  it('takes the password, says what is wrong with it, and lets the action go on', async () => {
    signIn({});
    const asking = session.stepUp.ask('action');
    await sees("Confirm it's you");
    answers.set('/session/step_up', () => replayed('stepUp.step_up_failed'));
    type('wrong');
    press('Confirm');
    await sees("That's not correct.");
    answers.clear();
    type('Secret-1');
    press('Confirm');
    await expect(asking).resolves.toBe(true);
    expect(asked.at(-1)).toEqual({ path: '/session/step_up', body: { password: 'Secret-1' } });
    await gone("Confirm it's you");
  });

  it('offers a code to those who have an app, and nothing but that to those without a password', async () => {
    answers.set('/session/second_factor', () => replayed('getSecondFactor.ok'));
    signIn({}, { method: 'sso' }, { second_factor: true });
    const asking = session.stepUp.ask('action');
    await sees('Code');
    expect(document.body.textContent).not.toContain('Password');
    type('123 456');
    press('Confirm');
    await expect(asking).resolves.toBe(true);
    expect(asked.at(-1)?.body).toEqual({ code: '123456' });
  });

  it('takes no password from who has a second factor, but a recovery code', async () => {
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal('PublicKeyCredential', () => undefined);
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      if (url === '/api/session/second_factor') return new Promise<Response>(resolve => (answer = resolve));
      asked.push({ path: url, body: JSON.parse(String(init?.body)) });
      return Promise.resolve(replayed('stepUp.ok'));
    });
    signIn({}, { method: 'password' }, { second_factor: true });
    const asking = session.stepUp.ask('action');
    await sees("Confirm it's you");
    await vi.waitFor(() => expect(document.querySelector('[role=status], [aria-label=Loading]')).not.toBeNull());
    expect(document.body.textContent).not.toMatch(/Password|sign out/);
    answer(answered('getSecondFactor.passkey', { recovery_codes_left: 3 }));
    await sees('Use passkey');
    press('Use a code');
    await sees('Code');
    expect(document.body.textContent).not.toContain('password');
    type('ABCD-EFGH-IJKL-MNOP');
    press('Confirm');
    await expect(asking).resolves.toBe(true);
    expect(asked.at(-1)?.body).toEqual({ code: 'ABCD-EFGH-IJKL-MNOP' });
  });

  it('says so when there is nothing to prove it with', async () => {
    signIn({}, { method: 'sso' });
    const asking = session.stepUp.ask('action');
    await sees('Sign out and sign in again to continue.');
    press('Cancel');
    await expect(asking).resolves.toBe(false);
  });

  it('sends no empty password, and forgets a wrong one', async () => {
    signIn({});
    void session.stepUp.ask('action');
    await sees("Confirm it's you");
    press('Confirm');
    await vi.dynamicImportSettled(); // a turn of the event loop: what is sent has been sent
    answers.set('/session/step_up', () => replayed('stepUp.step_up_failed'));
    type('wrong');
    press('Confirm');
    await sees("That's not correct.");
    expect(document.querySelector('input')?.value).toBe('');
    expect(asked.map(call => call.body)).toEqual([{ password: 'wrong' }]);
    expect(session.stepUp.question.get()).toBe('action');
  });

  it.each([
    ['Cancel', async () => press('Cancel')],
    ['Escape', () => pressEscape()],
  ])('lets the action go with %s, and asks anew the next time', async (_, turnAway) => {
    signIn({});
    const asking = session.stepUp.ask('action');
    await sees("Confirm it's you");
    type('Secret-1');
    await turnAway();
    await expect(asking).resolves.toBe(false);
    await gone("Confirm it's you");
    expect(asked).toEqual([]);
    void session.stepUp.ask('extend');
    await sees('Stay signed in');
    expect(document.querySelector('input')?.value).toBe('');
  });

  it('prolongs the session in its own words', async () => {
    signIn({});
    const asking = session.stepUp.ask('extend');
    await sees('Stay signed in');
    type('Secret-1');
    press('Confirm');
    await expect(asking).resolves.toBe(true);
    expect(asked.at(-1)?.body).toEqual({ password: 'Secret-1', extend: true });
  });
});

describe('lock screen', () => {
  it('names its user, and goes after the password', async () => {
    signIn({ lock_screen_ms: 60_000 });
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    expect(document.body.textContent).toContain('Dana Moore · dana@fire.example');
    type('Secret-1');
    press('Unlock');
    await gone('Screen locked');
    expect(asked.at(-1)).toEqual({ path: '/session/step_up', body: { password: 'Secret-1', unlock: true } });
  });

  it('opens by the password beside a second factor too, which no action does', async () => {
    answers.set('/session/second_factor', () => replayed('getSecondFactor.ok'));
    signIn({ lock_screen_ms: 60_000 }, { method: 'password' }, { second_factor: true });
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    await sees('Use a code');
    type('Secret-1');
    press('Unlock');
    await gone('Screen locked');
    expect(asked.at(-1)).toEqual({ path: '/session/step_up', body: { password: 'Secret-1', unlock: true } });
  });
});

describe('the locked screen', () => {
  it('hides the page from assistive technology too, and opens to nothing but a proof', async () => {
    const page = document.body.insertBefore(document.createElement('main'), host);
    page.textContent = 'Engine 7';
    signIn({ lock_screen_ms: 60_000 });
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    const isHidden = () => page.inert || page.closest('[aria-hidden="true"]') !== null;
    expect(isHidden()).toBe(true);
    await pressEscape();
    document.querySelector('[role=alertdialog]')?.parentElement?.parentElement?.click();
    answers.set('/session/step_up', () => replayed('stepUp.step_up_failed'));
    type('wrong');
    press('Unlock');
    await sees("That's not correct.");
    expect(session.lock.locked.get()).toBe(true);
    answers.clear();
    type('Secret-1');
    press('Unlock');
    await gone('Screen locked');
    await vi.waitFor(() => expect(isHidden()).toBe(false));
    page.remove();
  });

  it('can be left by signing out', async () => {
    const signOut = vi.spyOn(session, 'signOut').mockResolvedValue();
    signIn({ lock_screen_ms: 60_000 });
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    press('Sign Out');
    expect(signOut).toHaveBeenCalledTimes(1);
  });
});

describe('the end of a session', () => {
  it('asks who is idle whether somebody is there, over the locked screen too', async () => {
    const stay = vi.spyOn(session, 'staySignedIn').mockReturnValue();
    signIn({ lock_screen_ms: 60_000 });
    session.lock.start('u1', 60_000, true);
    session.lock.lock();
    await sees('Screen locked');
    const notice = alertOf('idle');
    session.alert.set(notice);
    await sees(notice.text);
    expect(windowOf(notice.title)?.className).toContain('above');
    pressEscape();
    expect(windowOf(notice.title)).toBeDefined();
    press(notice.button ?? '');
    expect(stay).toHaveBeenCalledTimes(1);
  });

  it.each(['idleExpired', 'invalid', 'error'] as const)('is told (%s), and stays until OK', async kind => {
    const stay = vi.spyOn(session, 'staySignedIn').mockReturnValue();
    const notice = alertOf(kind);
    session.alert.set(notice);
    await sees(notice.title);
    await sees(notice.text);
    pressEscape();
    expect(session.alert.get()).toEqual(notice);
    press('OK');
    await gone(notice.title);
    expect(session.alert.get()).toBeUndefined();
    expect(stay).not.toHaveBeenCalled();
  });

  it('needs no button where it closes by itself', async () => {
    const notice = alertOf('expired');
    session.alert.set(notice);
    await sees(notice.text);
    expect(windowOf(notice.title)?.querySelector('button')).toBeNull();
  });
});

describe('windows', () => {
  // spec: 4.version.02 2.chrome.06
  it('announce a new version until OK', async () => {
    updateWaits.set(true);
    await sees('Update Notification');
    await sees('A new version is available. Click OK to continue.');
  });

  // spec: 8.update.02
  it('say Error and that OK tries again', async () => {
    const again = vi.fn();
    showAlert({ onOk: again });
    await sees('Click OK to try again.');
    expect(document.querySelector('[role="alertdialog"]')?.textContent).toContain('Error');
    press('OK');
    expect(again).toHaveBeenCalledTimes(1);
    await gone('Click OK to try again.');
  });
});
