// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { hearVerdicts, type Verdict } from './verified';
import { type PublicPage, publicPage } from './welcome.fakes';

let page: PublicPage;
let heard: Verdict[];
let stop: () => void;

beforeEach(() => {
  page = publicPage();
  heard = [];
  stop = hearVerdicts(verdict => heard.push(verdict));
});
afterEach(() => {
  stop();
  page.close();
  window.history.replaceState(null, '', '/');
});

async function visit(address: string) {
  window.history.replaceState(null, '', address);
  await page.visit(address);
}

it('tells the page that opened it, and that it may be closed', async () => {
  await visit('/welcome/verified');
  await page.sees('You can close this window.');
  await vi.waitFor(() => expect(heard).toEqual([{}]));
});

it('says what has failed', async () => {
  await visit('/welcome/verified?problem=sso_not_fresh');
  await page.sees("Your provider didn't confirm that you just signed in.");
  await vi.waitFor(() => expect(heard).toEqual([{ problem: 'sso_not_fresh' }]));
});

it('has words for a code that nobody knows', async () => {
  await visit('/welcome/verified?problem=constructor');
  await page.sees('Sign-in with your provider failed.');
});

it('stays where it is in a window that is signed in', async () => {
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });
  await visit('/welcome/verified');
  expect(page.router.state.location.pathname).toBe('/welcome/verified');
});
