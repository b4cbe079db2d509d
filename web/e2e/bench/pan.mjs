// Measures a page over few and over many closures, or areas: real binary, real browser, few and many in one run. How
// long it loads and its longest tasks, what a frame of panning costs the main thread, the list scrolled, the search, the
// heap. Figures of panning are time of the thread's processor, because the clock of two cores that also draw in software
// says little; each step of a drag waits for its frame, so that both draw as many. PROFILE=/tmp/name writes profiles of
// the processor beside: of loading, each panning, the search. MANY=50 visits the same few a second time: the noise.
// Usage: node e2e/bench/pan.mjs closure|area [folder of pictures]
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startFleet } from './fleet.mjs';
import { CATEGORIES, DEBOUNCE_MS, MB, median, p95, pause, say, searchFor, tasksOf, threadOf } from './measure.mjs';
import { CENTER, make, NOUNS, office } from './seed.mjs';
import { CHROMIUM } from './server.mjs';

const pictures = process.argv[3] ?? fileURLToPath(new URL('../screens/pan', import.meta.url));
/** A town, where some stand in view, and all of them in view. */
const VIEWS = { near: 13, far: 9 };
/** Fewer by the environment, where software draws each frame for seconds. */
const DRAGS = Number(process.env.DRAGS ?? 6);
const STEPS = Number(process.env.STEPS ?? 20);
/** How long a pointer rests before it lets go: the map then does not coast. */
const REST_MS = 250;
const STEADY_MS = 10_000;
const SCROLLS = 60;
/** Each finds another number of rows than the one before. */
const SEARCHES = [
  '1',
  '12',
  '',
  '7',
  '77',
  '',
  '99',
  'nothing',
  '4',
  '40',
  '',
  '3',
  '33',
  '',
  '8',
  '81',
  '',
  '5',
  '55',
  '',
];

/** In the page: finds the map's controller. */
function watch() {
  localStorage.setItem('lightbar.preferences', '{"version":1,"hideSupportDialog":true}');
  const timer = setInterval(() => {
    const stage = document.querySelector('[data-map="ready"]');
    const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
    for (let fiber = key && stage[key]; fiber; fiber = fiber.return) {
      if (!fiber.memoizedProps?.controller) continue;
      window.map = fiber.memoizedProps.controller.engineMap();
      if (window.map) clearInterval(timer);
      return;
    }
  }, 50);
}

const framed = page => page.evaluate(() => new Promise(resolve => window.map.once('render', () => resolve())));

/** One drag there and back; answers ms of the thread a frame. */
async function pan(page, thread) {
  const [x, y, far] = [980, 450, 260];
  let frames = 0;
  const before = await thread();
  for (const way of [1, -1]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= STEPS; step++) {
      const frame = framed(page);
      await page.mouse.move(x - (way * far * step) / STEPS, y + (way * 40 * step) / STEPS);
      await frame;
      frames++;
    }
    await pause(REST_MS);
    await page.mouse.up();
  }
  return ((await thread()) - before) / frames;
}

/** Scrolls the list step by step; answers ms of the thread a step. */
async function scroll(page, thread, list) {
  const before = await thread();
  await page.evaluate(
    async ([label, steps]) => {
      const grid = document.querySelector(`[role=treegrid][aria-label=${label}]`);
      for (let i = 0; i < steps; i++) {
        grid.scrollTop += 400;
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      }
      grid.scrollTop = 0;
    },
    [list, SCROLLS],
  );
  return ((await thread()) - before) / SCROLLS;
}

/** Signs in, and waits until the list has all rows and the map has drawn what is in view. */
async function load(page, fleet, { section, list }, n) {
  await page.goto(`${fleet.url}/dashboard/${section}`);
  await page.getByLabel('Email').fill('admin@demo.example');
  await page.getByLabel('Password', { exact: true }).fill(fleet.demo.password);
  await page.context().browser().startTracing(page, { categories: CATEGORIES });
  const began = Date.now();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForFunction(
    ([label, count]) =>
      window.map &&
      Number(document.querySelector(`[role=treegrid][aria-label=${label}]`)?.getAttribute('aria-rowcount')) >= count,
    [list, n],
    { polling: 50, timeout: 120_000 },
  );
  const rows_ms = Date.now() - began;
  await rested(page);
  const drawn_ms = Date.now() - began;
  return { rows_ms, drawn_ms, ...(await traced(page, 'loading_task_ms')) };
}

const rested = page =>
  page.evaluate(
    () =>
      new Promise(resolve => {
        window.map.once('idle', () => resolve());
        window.map.triggerRepaint();
      }),
  );

/** The longest task since tracing began. */
const traced = async (page, name) => ({ [name]: tasksOf(await page.context().browser().stopTracing()).worst });

async function search(page, list) {
  const found = [];
  for (const text of SEARCHES) {
    found.push({ text, ...(await page.evaluate(searchFor, [list, text, DEBOUNCE_MS])) });
    await pause(300);
  }
  for (const { text, ms } of found) if (Number.isNaN(ms)) say(`no other number of rows for "${text}"`);
  return p95(found.map(({ ms }) => ms));
}

async function visit(browser, fleet, noun, n) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', error => say(`page error: ${error.message}`));
  await page.addInitScript(watch);
  const cdp = await context.newCDPSession(page);
  const thread = await threadOf(cdp);
  const profiled = async (name, job) => {
    if (!process.env.PROFILE) return job();
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.start');
    const done = await job();
    const { profile } = await cdp.send('Profiler.stop');
    writeFileSync(`${process.env.PROFILE}-${noun.noun}-${n}-${name}.cpuprofile`, JSON.stringify(profile));
    return done;
  };
  const found = await profiled('load', () => load(page, fleet, noun, n));
  const tracing = () => browser.startTracing(page, { categories: CATEGORIES });
  await tracing();
  await pause(STEADY_MS);
  Object.assign(found, await traced(page, 'later_task_ms'));
  for (const [name, zoom] of Object.entries(VIEWS)) {
    await page.evaluate(([at, z]) => window.map.jumpTo({ center: [at.lng, at.lat], zoom: z }), [CENTER, zoom]);
    await rested(page);
    await pan(page, thread); // what is made once
    const times = [];
    await profiled(name, async () => {
      for (let drag = 0; drag < DRAGS; drag++) times.push(await pan(page, thread));
    });
    await page.screenshot({ path: `${pictures}/${noun.noun}-${n}-${name}.png` });
    found[name] = median(times);
    say(`${noun.noun} ${n} ${name}: ${times.map(t => t.toFixed(2)).join(' ')} ms a frame`);
  }
  await tracing();
  found.scroll_ms = await scroll(page, thread, noun.list);
  Object.assign(found, await traced(page, 'scroll_task_ms'));
  await tracing();
  found.search_ms = await profiled('search', () => search(page, noun.list));
  Object.assign(found, await traced(page, 'search_task_ms'));
  await cdp.send('HeapProfiler.collectGarbage');
  found.heap_MB = (await cdp.send('Runtime.getHeapUsage')).usedSize / MB;
  await context.close();
  say(JSON.stringify(found));
  return found;
}

const noun = NOUNS.find(one => one.noun === process.argv[2]);
if (!noun) throw new Error('usage: node e2e/bench/pan.mjs closure|area [folder of pictures]');
mkdirSync(pictures, { recursive: true });
const binary = process.env.LIGHTBAR_BINARY ?? fileURLToPath(new URL('../../../bin/lightbar', import.meta.url));
const fleet = await startFleet({ binary, port: Number(process.env.PORT ?? 8204), map: process.env.LIGHTBAR_REGION });
const browser = await chromium.launch(CHROMIUM);
try {
  const api = await office(fleet);
  const type = (await api.get('/ez_types')).find(one => one.db_name === 'no_enter')?.id;
  const n = Number(process.env.MANY ?? noun.many);
  await make(noun, api, 0, noun.few, type);
  const few = await visit(browser, fleet, noun, noun.few);
  await make(noun, api, noun.few, n, type);
  const many = await visit(browser, fleet, noun, n);
  const figures = {
    noun: noun.noun,
    few: noun.few,
    many: n,
    few_ms: few,
    many_ms: many,
    load_average: loadavg()[0],
  };
  process.stdout.write(
    `${JSON.stringify(figures, (_, v) => (typeof v === 'number' ? Math.round(v * 100) / 100 : v))}\n`,
  );
} finally {
  await browser.close();
  await fleet.stop();
}
