// Every screen in both themes and three sizes: pictures to look at (screens/, not in git), and the laws of accessibility on each.
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  mapReady,
  openTab,
  row,
  type Server,
  shoot,
  signIn,
  sizes,
  startBrowser,
  startDemo,
  type Tab,
} from './harness';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const LAWS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const themes = ['dark', 'light'] as const;
type Size = keyof typeof sizes;

let server: Server;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemo(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  expect(tab.complaints).toEqual([]);
});

/** The violations of a page, in one line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    tags =>
      (globalThis as unknown as { axe: { run(c: Document, o: object): Promise<AxeResults> } }).axe.run(document, {
        runOnly: tags,
      }),
    LAWS,
  );
  return found.map(v => `${v.id}: ${v.nodes.map(n => `${n.target.join(' ')} ${n.failureSummary}`).join('; ')}`);
}

/** Takes a picture of what stands, and of the same in the other theme; collects what breaks a law. */
async function both(size: Size, name: string): Promise<string[]> {
  const found: string[] = [];
  const { page } = tab;
  await page.mouse.move(1, 1);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction(wanted => document.documentElement.dataset.theme === wanted, theme);
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter(a => a.effect?.getComputedTiming().endTime !== Infinity)
          .map(a => a.finished.catch(() => undefined)),
      ),
    );
    await shoot(page, `${name}-${theme}-${size}`);
    for (const line of await violations(page)) found.push(`${name}, ${theme}, ${size}: ${line}`);
  }
  return found;
}

describe.each(Object.keys(sizes) as Size[])('on a %s', size => {
  it('every screen looks right and breaks no law of accessibility', async () => {
    tab = await openTab(browser, { size });
    const { page } = tab;
    await page.addInitScript({ path: axe });
    const found: string[] = [];
    const see = async (name: string) => void found.push(...(await both(size, name)));

    await page.goto(`${server.url}/welcome/signin`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await see('signin');
    await page.getByLabel('Email').fill('nobody@demo.example');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email and/or password incorrect.').waitFor();
    await see('signin-refused');

    await signIn(page, server);
    await mapReady(page);
    await row(page, 'Engine').first().waitFor();
    // "Pending" is spoken in the name of the sign-in's button, which has gone; the words stay for some seconds.
    await page.waitForFunction(() => !document.querySelector('[data-live-announcer] [role="img"]'));
    await see('live');

    await page.getByRole('button', { name: size === 'phone' ? 'Account' : /^Profile/ }).click();
    await page.getByText('Sign Out').waitFor();
    await see('menu');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('form', { name: 'Filters' }).waitFor();
    await see('filters');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('searchbox', { name: 'Search for an asset...' }).fill('Attenuator 1');
    await row(page, 'Attenuator 1').click();
    await page.getByText('Plate#').waitFor();
    await see('detail');
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByRole('form', { name: 'Profile' }).waitFor();
    await see('edit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Edit Organization Access' }).click();
    await page.getByRole('form', { name: 'Organization Access' }).waitFor();
    await see('access');

    await page.goto(`${server.url}/nonsense`);
    await page.getByText('Sorry, the requested URL was not found here.').waitFor();
    await see('not-found');
    await tab.context.close();
    expect(found).toEqual([]);
  });
});
