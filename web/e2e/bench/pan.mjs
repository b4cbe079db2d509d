// Measures what panning the map costs the page's main thread with few and with many closures, or areas: real binary,
// real browser, the same drags of a mouse, few and many in one run. Figures are time of the thread's processor, because
// the clock of two cores that also draw in software says little; each step of a drag waits for its frame, so that both
// draw as many. PROFILE=/tmp/name writes profiles of the processor beside.
// Usage: node e2e/bench/pan.mjs closure|area [folder of pictures]
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startFleet } from './fleet.mjs';
import { CHROMIUM } from './server.mjs';

const pictures = process.argv[3] ?? fileURLToPath(new URL('../screens/pan', import.meta.url));
const FEW = 50;
const NOUNS = [
  { noun: 'closure', many: 5000, path: '/organization/closure', section: 'closures', list: 'Closures', body: closure },
  { noun: 'area', many: 10_000, path: '/organization/exclusion_zone', section: 'areas', list: 'Areas', body: area },
];
/** A town, where some stand in view, and all of them in view. */
const VIEWS = { near: 13, far: 9 };
const CENTER = { lat: 39.2, lng: -75.5 };
/** Degrees around the center in which they stand. */
const SPREAD = { lat: 0.7, lng: 0.8 };
const DRAGS = 6;
const STEPS = 20;
/** Requests under way at once, and how long a pointer rests before it lets go: the map then does not coast. */
const AT_ONCE = 4;
const REST_MS = 250;
const PARALLEL = Array.from({ length: AT_ONCE });
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const say = text => process.stderr.write(`${text}\n`);

/** The first few stand in the middle of the view, so that few and many both have something there. */
function placeOf(i) {
  const turn = 2.399963 * i;
  const reach = Math.sqrt((i + 0.5) / 5000) / 2;
  return {
    lat: CENTER.lat + SPREAD.lat * reach * Math.sin(turn),
    lng: CENTER.lng + SPREAD.lng * reach * Math.cos(turn),
  };
}

function closure(i) {
  const { lat, lng } = placeOf(i);
  const line = Array.from({ length: 12 }, (_, k) => ({
    lat: lat + k * 0.0004,
    lng: lng + 0.0003 * k + 0.0002 * Math.sin(k),
  }));
  return {
    description: `Closure ${i} of the benchmark`,
    direction: 'N',
    road_name: `Street ${i % 400}`,
    impacted_lanes: [1],
    user_route: line,
    is_active: i % 2 === 0,
    start_time: new Date(Date.now() + 3_600_000).toISOString(),
    end_time: new Date(Date.now() + 86_400_000).toISOString(),
  };
}

function area(i, type) {
  const { lat, lng } = placeOf(i / 2);
  const corners = Array.from({ length: 24 }, (_, k) => {
    const reach = 0.0012 + 0.0004 * (k % 2);
    return [lng + reach * Math.cos((k * Math.PI) / 12), lat + reach * 0.78 * Math.sin((k * Math.PI) / 12)];
  });
  return {
    name: `Area ${i}`,
    ez_type_id: type,
    ...(i % 2 === 0
      ? { radius_dist: 120, point_geom: { lat, lon: lng } }
      : { point_geom: { lat, lon: lng }, area_geom: { type: 'Polygon', coordinates: [[...corners, corners[0]]] } }),
  };
}

/** The API as the demo's administrator uses it. */
async function office({ url, demo }) {
  let token = '';
  const call = async (method, path, body) => {
    for (;;) {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text || '{}');
      if (answer.status === 401 && path !== '/user_token') await signIn();
      else if (answer.status === 429 || answer.status === 503)
        await pause(1000 * Number(answer.headers.get('Retry-After') ?? 1));
      else throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
  };
  const signIn = async () => {
    const body = {
      grant_type: 'password',
      application: 'dashboard',
      username: 'admin@demo.example',
      password: demo.password,
    };
    token = (await call('POST', '/user_token', body)).access_token;
  };
  await signIn();
  return { get: async path => (await call('GET', path)).data, post: (path, body) => call('POST', path, body) };
}

async function make({ path, body }, api, from, to, type) {
  let next = from;
  await Promise.all(
    PARALLEL.map(async () => {
      while (next < to) {
        const i = next++;
        await api.post(path, body(i, type));
        if (i % 1000 === 999) say(`${i + 1} made`);
      }
    }),
  );
}

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

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];

async function visit(browser, fleet, { section, list, noun }, n) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', error => say(`page error: ${error.message}`));
  await page.addInitScript(watch);
  await page.goto(`${fleet.url}/dashboard/${section}`);
  await page.getByLabel('Email').fill('admin@demo.example');
  await page.getByLabel('Password', { exact: true }).fill(fleet.demo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForFunction(
    ([label, count]) =>
      window.map &&
      Number(document.querySelector(`[role=treegrid][aria-label=${label}]`)?.getAttribute('aria-rowcount')) >= count,
    [list, n],
    { polling: 200, timeout: 120_000 },
  );
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  const thread = async () =>
    1000 * ((await cdp.send('Performance.getMetrics')).metrics.find(m => m.name === 'ThreadTime')?.value ?? 0);
  const found = {};
  for (const [name, zoom] of Object.entries(VIEWS)) {
    await page.evaluate(
      ([at, z]) => {
        const { map } = window;
        map.jumpTo({ center: [at.lng, at.lat], zoom: z });
        return new Promise(resolve => map.once('idle', () => resolve()));
      },
      [CENTER, zoom],
    );
    await pan(page, thread); // what is made once
    if (process.env.PROFILE) {
      await cdp.send('Profiler.enable');
      await cdp.send('Profiler.start');
    }
    const times = [];
    for (let drag = 0; drag < DRAGS; drag++) times.push(await pan(page, thread));
    if (process.env.PROFILE) {
      const { profile } = await cdp.send('Profiler.stop');
      writeFileSync(`${process.env.PROFILE}-${noun}-${n}-${name}.cpuprofile`, JSON.stringify(profile));
    }
    await page.screenshot({ path: `${pictures}/${noun}-${n}-${name}.png` });
    found[name] = median(times);
    say(`${noun} ${n} ${name}: ${times.map(t => t.toFixed(2)).join(' ')} ms a frame`);
  }
  await context.close();
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
  await make(noun, api, 0, FEW, type);
  const few = await visit(browser, fleet, noun, FEW);
  await make(noun, api, FEW, noun.many, type);
  const many = await visit(browser, fleet, noun, noun.many);
  const figures = {
    noun: noun.noun,
    few: FEW,
    many: noun.many,
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
