// Starts the real binary on a clean data folder and a real browser before it.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { binary } from './once';

export { binary };

const here = dirname(fileURLToPath(import.meta.url));
export const screens = join(here, 'screens');

export interface Demo {
  url: string;
  password: string;
  organization_id: string;
  api_key: string;
  users: { email: string; role: string }[];
  /** API keys of the demo's organizations: fire department, public works, towing. */
  keys: string[];
}

/** A guard against hanging, not a measure: a loaded machine may take long for what a quiet one does at once. */
const PATIENCE_MS = 60_000;

/** Waits until check gives a value, looking again every 50 ms; says what it waited for when time is up. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value as T;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export interface Process {
  url: string;
  data: string;
  log: () => string;
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts a command of the binary that serves; ready when it says so. `options.data` is kept at the end, a folder of our
 * own is not; `options.map` is copied into it.
 */
export async function start(
  command: string,
  flags: readonly string[],
  options: { data?: string; map?: string | undefined } = {},
): Promise<Process> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'lightbar-e2e-'));
  const map = join(data, 'map');
  if (options.map && !existsSync(map)) cpSync(options.map, map, { recursive: true });
  const args = [command, '--data', data, '--listen', 'localhost:0', ...flags];
  const child: ChildProcess = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const keep = (chunk: Buffer) => {
    log += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  let exit: number | null | undefined;
  const ended = new Promise<number | null>(resolve => {
    child.on('exit', code => {
      exit = code;
      resolve(code);
    });
  });
  const url = await until(
    `${command} to be ready`,
    async () => {
      if (exit !== undefined) throw new Error(`the server ended with ${exit}:\n${log}`);
      // The system chooses the port, so that nobody else can have it; the log says which.
      const address = / msg=serving url=(\S+) /.exec(log)?.[1];
      if (!address) return false;
      const isReady = await fetch(`${address}/readyz`).then(
        answer => answer.ok,
        () => false,
      );
      return isReady && address;
    },
    120_000,
  );
  return {
    url,
    data,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      if (exit === undefined) child.kill(signal);
      const code = await ended;
      if (!options.data) rmSync(data, { recursive: true, force: true });
      return code;
    },
  };
}

/** A demo that runs. */
export interface Server extends Process {
  demo: Demo;
}

/** Starts `lightbar demo`; `quiet` leaves the moving fleet out. */
export async function startDemo(options: { quiet?: boolean; data?: string } = {}): Promise<Server> {
  const flags = ['--password', 'Journey#Otter2026'];
  if (process.env.LIGHTBAR_REGION) flags.push('--region', process.env.LIGHTBAR_REGION);
  if (options.quiet) flags.push('--quiet');
  const server = await start('demo', flags, { ...options, map: inject('map') });
  const file = join(server.data, 'demo.json');
  const demo = await until('demo.json', () => existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as Demo));
  return { ...server, demo };
}

/**
 * Chromium with software WebGL, and none of its background traffic. Without a graphics card only the map is drawn as if
 * there was one; letters and boxes are painted directly, and pages put together directly too where no map moves.
 */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Letters stand where the type puts them, as on screens of today, not where whole pixels are.
      '--font-render-hinting=none',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      '--disable-gpu-rasterization',
      ...(inject('isOnPages') ? ['--disable-gpu-compositing'] : []),
    ],
  });
}

export const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Errors of the console, failed scripts and policy violations so far. */
  complaints: string[];
}

/**
 * Opens a tab that remembers every complaint of the browser; `firstUse` leaves out what a known user has dismissed, and
 * `still` is of somebody who wants no motion: assets jump to where they are instead of gliding there in software.
 */
export async function openTab(
  browser: Browser,
  options: {
    size?: keyof typeof sizes;
    theme?: 'dark' | 'light';
    firstUse?: boolean;
    still?: boolean;
    touch?: boolean;
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

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`) });
}

/** Signs in, at the Live section or on the way to another page of the dashboard (`to`), which needs no map. */
export async function signIn(page: Page, server: Server, role = 'admin', to?: string): Promise<void> {
  await page.goto(`${server.url}${to ? `/dashboard/${to}` : '/welcome/signin'}`);
  await page.getByLabel('Email').fill(`${role}@demo.example`);
  await page.getByLabel('Password', { exact: true }).fill(server.demo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(url => url.pathname === `/dashboard/${to ?? 'things'}`);
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
    server.demo.api_key,
  );
  if (data.refused.length > 0 || data.accepted !== items.length) throw new Error(`ingest: ${JSON.stringify(data)}`);
}

/** Makes assets known to the fire department's organization. */
export async function register(server: Server, things: readonly Record<string, unknown>[]): Promise<void> {
  await post(`${server.url}/api/ingest/assets`, { things }, server.demo.api_key);
}

async function post<T>(url: string, body: unknown, token?: string, method = 'POST'): Promise<T> {
  const response = await fetch(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Another client of the same account: reads and writes as one of the demo's roles. */
export async function client(server: Server, role = 'admin') {
  const { access_token: token } = await post<{ access_token: string }>(
    `${server.url}/api/user_token`,
    {
      grant_type: 'password',
      application: 'dashboard',
      username: `${role}@demo.example`,
      password: server.demo.password,
    },
    undefined,
  );
  return {
    get: async <T>(path: string): Promise<T> => {
      const response = await fetch(`${server.url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
      return ((await response.json()) as { data: T }).data;
    },
    remove: async (path: string): Promise<void> => {
      const response = await fetch(`${server.url}/api${path}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}` },
      });
      if (!response.ok) throw new Error(`DELETE ${path}: ${response.status} ${await response.text()}`);
    },
    put: <T>(path: string, body: unknown) => post<T>(`${server.url}/api${path}`, body, token, 'PUT'),
    post: async <T>(path: string, body: unknown): Promise<T> =>
      (await post<{ data: T }>(`${server.url}/api${path}`, body, token)).data,
  };
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
