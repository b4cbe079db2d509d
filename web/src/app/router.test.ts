// @vitest-environment jsdom
import { createMemoryHistory } from '@tanstack/react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { createAppRouter } from './router';

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined));

/** Where an address leads. */
async function follow(address: string): Promise<string> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  return router.state.location.href;
}

const signIn = () => session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });

describe('signed out', () => {
  beforeEach(() => session.state.set({ phase: 'signedOut' }));

  // spec: 2.pub.01 2.pub.10 2.dash.01
  it.each([
    ['/', '/welcome/signin'],
    ['/welcome', '/welcome/signin'],
    ['/welcome/signin', '/welcome/signin'],
    ['/dashboard', '/welcome/signin'],
    ['/dashboard/things/7', '/welcome/signin?origin=%2Fdashboard%2Fthings%2F7'],
    ['/welcome?origin=%2Fdashboard%2Fthings', '/welcome/signin?origin=%2Fdashboard%2Fthings'],
  ])('%s leads to %s', async (from, to) => {
    expect(await follow(from)).toBe(to);
  });
});

describe('signed in', () => {
  beforeEach(signIn);

  // spec: 2.pub.10 2.pub.11 2.dash.02 2.dash.03 2.route.23
  it.each([
    ['/', '/dashboard/things'],
    ['/welcome', '/dashboard/things'],
    ['/welcome/signin', '/dashboard/things'],
    ['/welcome/signin?origin=%2Fdashboard%2Fthings%2F7', '/dashboard/things/7'],
    ['/welcome/signin?origin=%2Fdashboard%2Fclosures', '/dashboard/things'],
    ['/welcome/signin?origin=https%3A%2F%2Fevil.example', '/dashboard/things'],
    ['/dashboard', '/dashboard/things'],
    ['/dashboard/404', '/dashboard/things'],
    ['/dashboard/things/7/edit/profile', '/dashboard/things/7/edit/profile'],
  ])('%s leads to %s', async (from, to) => {
    expect(await follow(from)).toBe(to);
  });
});
