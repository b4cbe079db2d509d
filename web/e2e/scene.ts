// What the journeys of a file share where no map is looked at: a quiet demo, a browser, and tabs that must not complain.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openTab, type Server, startBrowser, startDemo, type Tab } from './harness';

export interface Scene {
  /** There from the first journey on. */
  readonly server: Server;
  /** Opens a tab for this journey: a browser of its own, which has seen nothing yet. */
  open(options?: Parameters<typeof openTab>[1]): Promise<Tab>;
  /** The same at the sign-in form. */
  atSignIn(): Promise<Tab>;
  /** Undoes after this journey what it changes for everybody, whatever comes of it. */
  restoreBy(undo: () => Promise<unknown>): void;
}

/** Sets the scene for a file's journeys. After each its tabs are closed, and what they complained of fails it. */
export function setScene(): Scene {
  let server: Server | undefined;
  let browser: Browser | undefined;
  let tabs: Tab[] = [];
  let restore: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo({ quiet: true }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    expect(await server?.stop()).toBe(0);
  });
  afterEach(async () => {
    await restore?.();
    restore = undefined;
    const complaints = tabs.flatMap(tab => tab.complaints);
    await Promise.all(tabs.map(tab => tab.context.close()));
    tabs = [];
    expect(complaints).toEqual([]);
  });
  const open: Scene['open'] = async options => {
    const tab = await openTab(browser as Browser, options);
    tabs.push(tab);
    return tab;
  };
  return {
    get server() {
      return server as Server;
    },
    open,
    atSignIn: async () => {
      const tab = await open();
      await tab.page.goto(`${server?.url}/welcome/signin`);
      await tab.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      return tab;
    },
    restoreBy: undo => {
      restore = undo;
    },
  };
}
