// What the journeys of a file share: a server, a browser, and tabs that must not complain.
import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { openTab, type Tab } from './harness';
import type { Process } from './process';
import { type Server, settle, shared } from './world';

type TabOptions = Parameters<typeof openTab>[1];

export interface Scene<S extends Process = Server> {
  /** There from the first journey on, and in hooks of the file itself. */
  readonly server: S;
  readonly browser: Browser;
  /** Opens a tab for this journey: a browser of its own, which has seen nothing yet. */
  open(options?: TabOptions): Promise<Tab>;
  /** Opens a tab for all journeys that follow. */
  openForAll(options?: TabOptions): Promise<Tab>;
  /** A tab for this journey at the sign-in form. */
  atSignIn(): Promise<Tab>;
  /** Undoes after this journey what it changes for everybody, whatever comes of it. */
  restoreBy(undo: () => Promise<unknown>): void;
}

/** The browser of the worker that runs this file. */
function ownBrowser(): string {
  const all = inject('browsers');
  const [browser = ''] = all.slice((Number(process.env.VITEST_POOL_ID) - 1) % all.length);
  return browser;
}

/** An organization of this file's own on the server that all share. */
const onShared = () => {
  const file = basename(expect.getState().testPath ?? '');
  return settle(shared(), file.replace('.e2e.ts', ''));
};

/** Says what a tab shows: a failure is often seen once, on a machine that nobody can look at. */
async function sayWhere({ page, complaints }: Tab): Promise<void> {
  const seen = await page.ariaSnapshot({ timeout: 5000 }).catch(String);
  process.stderr.write([`A tab stood at ${page.url()}`, seen.slice(0, 4000), ...complaints, ''].join('\n'));
}

export function setScene(): Scene;
export function setScene<S extends Process>(begin: () => Promise<S>): Scene<S>;
/**
 * Sets the scene for a file's journeys: the server that `begin` starts, an organization on the shared one if nothing
 * else. What tabs complained of during a journey fails it; a server of the file's own has to end well.
 */
export function setScene(begin: () => Promise<Process> = onShared): Scene<Process> {
  let server: Process | undefined;
  let browser: Browser | undefined;
  let tabs: Tab[] = [];
  const kept: Tab[] = [];
  let restore: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    [server, browser] = await Promise.all([begin(), chromium.connect(ownBrowser())]);
  });
  afterAll(async () => {
    await browser?.close(); // this file's contexts alone: others go on
    expect(await server?.stop()).toBe(0);
  });
  afterEach(async ({ task }) => {
    // Before anything is undone: a wait that ended in vain does not say what stood there instead.
    if (task.result?.state === 'fail') await Promise.all([...tabs, ...kept].map(sayWhere));
    await restore?.();
    restore = undefined;
    const complaints = [...tabs, ...kept].flatMap(tab => tab.complaints.splice(0));
    await Promise.all(tabs.map(tab => tab.context.close()));
    tabs = [];
    expect(complaints).toEqual([]);
  });
  const openIn = async (list: Tab[], options: TabOptions): Promise<Tab> => {
    const tab = await openTab(browser as Browser, options);
    list.push(tab);
    return tab;
  };
  return {
    get server() {
      return server as Process;
    },
    get browser() {
      return browser as Browser;
    },
    open: options => openIn(tabs, options),
    openForAll: options => openIn(kept, options),
    atSignIn: async () => {
      const tab = await openIn(tabs, undefined);
      await tab.page.goto(`${server?.url}/welcome/signin`);
      await tab.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      return tab;
    },
    restoreBy: undo => {
      restore = undo;
    },
  };
}
