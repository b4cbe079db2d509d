// Tabs of a real browser, and other clients of the server before it.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Download, Locator, Page } from 'playwright-core';
import { PATIENCE_MS, until } from './process';
import type { Role, Server } from './world';

export { binary, start, until } from './process';
export type { Server } from './world';

const here = dirname(fileURLToPath(import.meta.url));
export const screens = join(here, 'screens');
/** Pictures are taken for people to look at; no journey compares them. */
export const wantsPictures = process.env.SHOTS === '1';

export const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
  /** The phone on its side. */
  side: { width: 844, height: 390 },
} as const;

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Errors of the console, failed scripts and policy violations so far. */
  complaints: string[];
}

/**
 * Opens a tab that remembers every complaint of the browser; `firstUse` leaves out what a known user has dismissed,
 * `still` is of somebody who wants no motion: assets jump to where they are instead of gliding there in software, and
 * `sharp` draws the map in all its pixels, for journeys that look at them.
 */
export async function openTab(
  browser: Browser,
  options: {
    size?: keyof typeof sizes;
    theme?: 'dark' | 'light';
    firstUse?: boolean;
    still?: boolean;
    touch?: boolean;
    sharp?: boolean;
  } = {},
): Promise<Tab> {
  const size = options.size ?? 'desktop';
  const isTouch = options.touch ?? size === 'phone';
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: options.theme ?? 'dark',
    hasTouch: isTouch,
    isMobile: isTouch,
    reducedMotion: options.still ? 'reduce' : 'no-preference',
    timezoneId: 'America/New_York',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await listen(page);
  if (!options.sharp && !wantsPictures) await page.addInitScript(drawCoarsely);
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(`page error: ${error.message}`));
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', message => {
    // The browser's own words for a request that failed, and for a network that a journey has cut.
    if (message.type() === 'error' && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      const { complain } = globalThis as unknown as { complain: (text: string) => void };
      complain(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  // The support dialog opens at first use and would stand before every journey.
  if (!options.firstUse) await page.addInitScript(knowSupport);
  return { page, context, complaints };
}

/** The map takes the most time by far, and it is drawn in software: a sixteenth of its pixels stands in the same place. */
function drawCoarsely(): void {
  Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.25 });
}

/** What pages have said in passing. */
const said = new WeakMap<Page, string[]>();

/** Keeps what a page says in its live regions, however soon it is gone again. */
async function listen(page: Page): Promise<void> {
  const words: string[] = [];
  said.set(page, words);
  await page.exposeFunction('hear', (text: string) => words.push(text));
  await page.addInitScript(() => {
    const { hear } = globalThis as unknown as { hear: (text: string) => void };
    new MutationObserver(changes => {
      for (const change of changes)
        for (const node of change.type === 'characterData' ? [change.target] : change.addedNodes) {
          const element = node instanceof Element ? node : node.parentElement;
          const isShown = element !== null && element.getClientRects().length > 0;
          if (isShown && element.closest('[role="status"], [aria-live]')) hear(node.textContent ?? '');
        }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/** Waits until the page has said a text in passing (a toast stands for 4 s, "Copied" for 1 s); each is heard once. */
export async function heard(page: Page, text: string | RegExp): Promise<void> {
  const words = said.get(page) ?? [];
  const take = () => {
    const at = words.findIndex(one => (typeof text === 'string' ? one.includes(text) : text.test(one)));
    return at >= 0 && words.splice(at, 1).length === 1;
  };
  await until(`the page to say "${text}"`, take).catch(error => {
    throw new Error(`${error.message}; it said ${JSON.stringify(words)}`);
  });
}

function knowSupport(): void {
  const key = 'lightbar.preferences';
  if (!location.protocol.startsWith('http')) return;
  if (localStorage.getItem(key) === null) localStorage.setItem(key, '{"version":1,"hideSupportDialog":true}');
}

/** Takes a picture into screens/ (not in git), if pictures are wanted. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!wantsPictures) return;
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`) });
}

/** What POST /user_token answers: the session's cookie comes beside it. */
interface Grant {
  access_token: string;
  created_at: number;
  expires_in: number;
}

const grantOf = async (server: Server, role: Role, more: object = {}) => ({
  grant_type: 'password',
  application: 'dashboard',
  username: await server.join(role),
  password: server.password,
  ...more,
});

/**
 * Signs in, at the Live section or at another page of the dashboard (`to`), which needs no map. The form is for journeys
 * that are about it: here the browser has the session's cookie already. Each tab gets a session of its own, since a
 * cookie that two browsers have would be taken for a stolen one.
 */
export async function signIn(page: Page, server: Server, role: Role = 'admin', to = 'things'): Promise<void> {
  const data = await grantOf(server, role, { token_delivery: 'cookie' });
  const answer = await page.context().request.post(`${server.url}/api/user_token`, { data });
  if (!answer.ok()) throw new Error(`sign in as ${role}: ${answer.status()} ${await answer.text()}`);
  const { created_at, expires_in } = (await answer.json()) as Grant;
  await page.goto(`${server.url}/api/version`); // a page of the same origin, whatever it shows
  await page.evaluate(marker => localStorage.setItem('lightbar.session', JSON.stringify(marker)), {
    expiresAt: (created_at + expires_in) * 1000,
    ahead: 0,
  });
  await Promise.all([
    page.waitForResponse(response => response.url().endsWith('/api/profile') && response.ok()),
    page.goto(`${server.url}/dashboard/${to}`),
  ]);
  await page.waitForURL(url => url.pathname === `/dashboard/${to}`);
}

/** The map has its style and draws. */
export async function mapReady(page: Page): Promise<void> {
  await page.waitForSelector('[data-map="ready"]');
}

/** The rows of the list that carry a text. */
export const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** What a device says, in the words of docs/ingest.md; all of it must be accepted. */
export async function ingest(server: Server, items: readonly Record<string, unknown>[]): Promise<void> {
  const { data } = await post<{ data: { accepted: number; refused: unknown[] } }>(
    `${server.url}/api/ingest`,
    { items },
    server.key,
  );
  if (data.refused.length > 0 || data.accepted !== items.length) throw new Error(`ingest: ${JSON.stringify(data)}`);
}

/** Makes assets known to the organization. */
export async function register(server: Server, things: readonly Record<string, unknown>[]): Promise<void> {
  await post(`${server.url}/api/ingest/assets`, { things }, server.key);
}

async function post<T>(url: string, body: unknown, token?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Tokens of other clients, by address. */
const tokens = new Map<string, Promise<string>>();

async function tokenOf(server: Server, role: Role): Promise<string> {
  return (await post<Grant>(`${server.url}/api/user_token`, await grantOf(server, role))).access_token;
}

/** Another client of the same account: reads and writes as one of the organization's people. */
export async function client(server: Server, role: Role = 'admin') {
  const who = `${role} ${server.url} ${server.organization}`;
  const call = async (method: string, path: string, body?: unknown, isAgain = false): Promise<Response> => {
    const signedIn = tokens.get(who) ?? tokenOf(server, role);
    tokens.set(who, signedIn);
    const url = `${server.url}/api${path}`;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await signedIn}` };
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    // A journey may have ended all sessions of this user, or time has.
    if (response.status === 401 && !isAgain) {
      tokens.delete(who);
      return call(method, path, body, true);
    }
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const dataOf = async <T>(response: Response) => ((await response.json()) as { data: T }).data;
  return {
    get: async <T>(path: string): Promise<T> => dataOf(await call('GET', path)),
    remove: async (path: string): Promise<void> => void (await call('DELETE', path)),
    put: async <T>(path: string, body: unknown): Promise<T> => (await (await call('PUT', path, body)).json()) as T,
    post: async <T>(path: string, body: unknown): Promise<T> => dataOf(await call('POST', path, body)),
  };
}

/** The text of a file that a page gives out. */
export async function textOf(download: Download): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** How many different colors a picture holds, and a number that changes with any pixel. Drawn by a blank page of the browser. */
export async function look(browser: Browser, png: Buffer): Promise<{ colors: number; sum: number }> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(async base64 => {
      const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
      let sum = 0;
      for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
      return { colors: new Set(pixels).size, sum };
    }, png.toString('base64'));
  } finally {
    await page.close();
  }
}
