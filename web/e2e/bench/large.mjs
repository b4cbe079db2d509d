// Measures the Live page with N assets in one organization: real binary, real browser, both on this machine.
// Times of tasks are time of the main thread's processor, because the clock of two cores that also draw in software and
// run the server says little. The same page without assets is measured first in the same run.
// PROFILE=/tmp/name writes profiles of the processor in place of measuring tasks; DEBUG=1 says everything.
// Usage: node e2e/bench/large.mjs [N] [folder of pictures]   (N: 100000)
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { fill, move, startFleet } from './fleet.mjs';
import { CATEGORIES, DEBOUNCE_MS, MB, p95, pause, say, searchFor, tasksOf, threadOf } from './measure.mjs';
import { CHROMIUM } from './server.mjs';

const n = Number(process.argv[2] ?? 100_000);
const pictures = process.argv[3] ?? fileURLToPath(new URL('../screens/large', import.meta.url));
const STEADY_MS = Number(process.env.STEADY_MS ?? 60_000);
const MOVING = 0.02;

/** In the page: notes when the password was accepted, when the first row stood and when the first mark was drawn. */
function watch() {
  const seen = { accepted: 0, row: 0, mark: 0, all: 0 };
  window.seen = seen;
  const fetched = window.fetch;
  window.fetch = async (...args) => {
    const answer = await fetched(...args);
    if (String(args[0]?.url ?? args[0]).includes('/user_token') && answer.ok) seen.accepted ||= performance.now();
    return answer;
  };
  const controllerOf = () => {
    const stage = document.querySelector('[data-map="ready"]');
    const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
    for (let fiber = key && stage[key]; fiber; fiber = fiber.return) {
      if (fiber.memoizedProps?.controller) return fiber.memoizedProps.controller;
    }
  };
  const timer = setInterval(() => {
    if (!seen.row && document.querySelector('[role=treegrid] [aria-rowindex] [title]')) seen.row = performance.now();
    window.controller ??= controllerOf();
    const layer = window.controller?.layer;
    if (!seen.mark && layer?.fill.visible > 0) seen.mark = performance.now();
    if (layer?.table.size >= window.expected) {
      seen.all = performance.now();
      clearInterval(timer);
    }
  }, 20);
}

async function visit(browser, fleet, role, expected, name) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('request', r => r.url().includes('/organization/things') && requests.push(r.url().replace(/.*\/api/, '')));
  await page.addInitScript(count => {
    window.expected = count;
    if (location.protocol.startsWith('http'))
      localStorage.setItem('lightbar.preferences', '{"version":1,"hideSupportDialog":true}');
  }, expected || Number.POSITIVE_INFINITY);
  await page.addInitScript(watch);
  const cdp = await context.newCDPSession(page);
  await page.goto(`${fleet.url}/welcome/signin`);
  await page.getByLabel('Email').fill(`${role}@demo.example`);
  await page.getByLabel('Password', { exact: true }).fill(fleet.demo.password);
  const heap = async () => (await cdp.send('Runtime.getHeapUsage')).usedSize / MB;
  let peak = 0;
  const meter = setInterval(
    () =>
      void heap().then(
        mb => {
          peak = Math.max(peak, mb);
        },
        () => undefined,
      ),
    250,
  );
  const profile = process.env.PROFILE;
  if (profile) {
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.setSamplingInterval', { interval: 500 });
    await cdp.send('Profiler.start');
  } else await browser.startTracing(page, { categories: CATEGORIES });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForFunction(() => window.seen.accepted > 0, undefined, { polling: 50 });
  if (expected) {
    await pause(3000);
    await page.screenshot({ path: `${pictures}/${name}-3s.png` });
    await page
      .waitForFunction(() => window.seen.all > 0, undefined, { polling: 100, timeout: 60_000 })
      .catch(e => errors.push(e.message));
  }
  await page.waitForFunction(() => window.controller?.getState().phase === 'ready', undefined, {
    polling: 100,
    timeout: 60_000,
  });
  await pause(2000);
  const tracing = async what => {
    if (!profile) return tasksOf(await browser.stopTracing());
    const { profile: p } = await cdp.send('Profiler.stop');
    writeFileSync(`${profile}-${name}-${what}.cpuprofile`, JSON.stringify(p));
    return { worst: 0, wall: 0, top: [], sum: 0 };
  };
  const loading = await tracing('loading');
  const seen = await page.evaluate(() => window.seen);
  if (profile) await cdp.send('Profiler.start');
  else await browser.startTracing(page, { categories: CATEGORIES });
  await pause(expected ? STEADY_MS : Math.min(STEADY_MS, 20_000));
  const steady = await tracing('steady');
  clearInterval(meter);
  const result = { name, seen, loading, steady, peak, errors, requests };
  if (expected) {
    await page.screenshot({ path: `${pictures}/${name}-60s.png` });
    result.title = await page.getByRole('heading', { level: 1 }).textContent();
    result.searches = [];
    if (profile) await cdp.send('Profiler.start');
    else await browser.startTracing(page, { categories: CATEGORIES });
    const thread = await threadOf(cdp);
    const texts = [
      'unit 7',
      'unit 77',
      'lg-000',
      '',
      'ext-9',
      'fire',
      'police unit 1',
      '',
      '99',
      'waste',
      'lg-0421',
      '',
      'ambulance unit 5',
      'tow',
      '',
      'ext-1',
      'maintenance',
      '12',
      '',
      'unit',
    ];
    for (const text of texts) {
      const before = await thread();
      const found = await page.evaluate(searchFor, ['Assets', text, DEBOUNCE_MS]);
      result.searches.push({ text, ...found, cpu: Math.round((await thread()) - before) });
      await pause(300);
    }
    result.searching = await tracing('search');
  }
  await cdp.send('HeapProfiler.collectGarbage');
  result.heap = await heap();
  await context.close();
  return result;
}

mkdirSync(pictures, { recursive: true });
const binary = process.env.LIGHTBAR_BINARY ?? fileURLToPath(new URL('../../../bin/lightbar', import.meta.url));
const fleet = await startFleet({ binary, port: Number(process.env.PORT ?? 8203), map: process.env.LIGHTBAR_REGION });
const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, '--enable-precise-memory-info'] });
try {
  const empty = await visit(browser, fleet, 'outsider', 0, 'empty');
  const began = Date.now();
  await fill(
    fleet,
    n,
    done =>
      done % 20_000 === 0 && say(`${done} registered and heard after ${Math.round((Date.now() - began) / 1000)} s`),
  );
  const mover = move(fleet, n, MOVING);
  await pause(3000);
  const full = await visit(browser, fleet, 'admin', n, 'large');
  const sent = await mover.stop();
  const { accepted, row, mark, all } = full.seen;
  const figures = {
    assets: n,
    reports: sent,
    first_row_ms: row - accepted,
    first_mark_ms: mark - accepted,
    all_marks_ms: all - accepted,
    loading_task_ms: full.loading.worst,
    loading_task_empty_ms: empty.loading.worst,
    later_task_ms: full.steady.worst,
    later_task_empty_ms: empty.steady.worst,
    search_task_ms: full.searching.worst,
    heap_MB: full.heap,
    heap_most_MB: full.peak,
    heap_empty_MB: empty.heap,
    search_p95_ms: p95(full.searches.map(s => s.ms)),
    search_frame_p95_ms: p95(full.searches.map(s => s.frame)),
    search_thread_p95_ms: p95(full.searches.map(s => s.cpu)),
    load_average: loadavg()[0],
  };
  process.stdout.write(`${JSON.stringify(figures, (_, v) => (typeof v === 'number' ? Math.round(v * 10) / 10 : v))}\n`);
  for (const error of [...empty.errors, ...full.errors]) say(`page error: ${error}`);
  if (process.env.DEBUG) say(JSON.stringify({ empty, full }, null, 1));
} finally {
  await browser.close();
  await fleet.stop();
}
