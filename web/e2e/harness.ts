// Starts the real binary on a clean data folder and a real browser before it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const screens = join(here, 'screens');

export interface Demo {
  url: string;
  password: string;
  organization_id: string;
  api_key: string;
  users: { email: string; role: string }[];
}

export interface Server {
  demo: Demo;
  url: string;
  data: string;
  log: () => string;
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Waits until check gives a value, looking again every 50 ms; says what it waited for when time is up. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value as T;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Starts `lightbar demo`; `quiet` leaves the moving fleet out. */
export async function startDemo(options: { quiet?: boolean; data?: string; port?: number } = {}): Promise<Server> {
  const binary = process.env.LIGHTBAR_BINARY ?? join(here, '../../bin/lightbar');
  if (!existsSync(binary)) throw new Error(`no binary at ${binary}: run make build, or set LIGHTBAR_BINARY`);
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'lightbar-e2e-'));
  const port = options.port ?? (await freePort());
  const args = ['demo', '--data', data, '--listen', `localhost:${port}`, '--password', 'Journey#2026'];
  if (process.env.LIGHTBAR_REGION) args.push('--region', process.env.LIGHTBAR_REGION);
  if (options.quiet) args.push('--quiet');
  const child: ChildProcess = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  let exit: number | null | undefined;
  const ended = new Promise<number | null>(resolve =>
    child.on('exit', code => {
      exit = code;
      resolve(code);
    }),
  );
  const url = `http://localhost:${port}`;
  await until(
    'the demo server to be ready',
    async () => {
      if (exit !== undefined) throw new Error(`the server ended with ${exit}:\n${log}`);
      return fetch(`${url}/readyz`).then(
        r => r.ok,
        () => false,
      );
    },
    120_000,
  );
  const demo = await until(
    'demo.json',
    () => existsSync(join(data, 'demo.json')) && (JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as Demo),
  );
  return {
    demo,
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

/** Chromium with software WebGL, and none of its background traffic. */
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
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
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

/** Opens a tab that remembers every complaint of the browser. */
export async function openTab(
  browser: Browser,
  options: { size?: keyof typeof sizes; theme?: 'dark' | 'light' } = {},
): Promise<Tab> {
  const size = options.size ?? 'desktop';
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: options.theme ?? 'dark',
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    reducedMotion: 'no-preference',
    timezoneId: 'America/New_York',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(`page error: ${error.message}`));
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => {
      const { complain } = globalThis as unknown as { complain: (text: string) => void };
      complain(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { page, context, complaints };
}

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`) });
}

export async function signIn(page: Page, server: Server, role = 'admin'): Promise<void> {
  await page.goto(`${server.url}/welcome/signin`);
  await page.getByLabel('Email').fill(`${role}@demo.example`);
  await page.getByLabel('Password', { exact: true }).fill(server.demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard/things**');
}
