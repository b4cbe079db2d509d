// What the journeys of a file share: a server, a browser, and tabs that must not complain.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openTab, type Process, type Server, startBrowser, startDemo, type Tab } from './harness';

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

export function setScene(): Scene;
export function setScene<S extends Process>(begin: () => Promise<S>): Scene<S>;
/**
 * Sets the scene for a file's journeys: the server that `begin` starts, a quiet demo if nothing else. What tabs complained
 * of during a journey fails it; the server has to end well.
 */
export function setScene(begin: () => Promise<Process> = () => startDemo({ quiet: true })): Scene<Process> {
  let server: Process | undefined;
  let browser: Browser | undefined;
  let tabs: Tab[] = [];
  const kept: Tab[] = [];
  let restore: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    [server, browser] = await Promise.all([begin(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    expect(await server?.stop()).toBe(0);
  });
  afterEach(async () => {
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
