// Measures the Trips page with a day of N assets that reported each second: real binary, real browser, both on this machine.
// A link to the trips is opened in a browser that knows the app: time until the first answer and until the lines are on the map
// (as software draws them), tasks of the main thread meanwhile and while it plays, heap.
// Usage: node e2e/bench/trips.mjs [N] [folder of pictures]   (N: 5)
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startFleet } from './fleet.mjs';
import { CATEGORIES, MB, pause, say, tasksOf } from './measure.mjs';
import { CHROMIUM } from './server.mjs';

const n = Number(process.argv[2] ?? 5);
const pictures = process.argv[3] ?? fileURLToPath(new URL('../screens/trips', import.meta.url));
const DAY_S = 86_400;
const LOT = 5000;
const nameOf = i => `TR-${i}`;

/** A unit's day: half of each half hour it drives around town, and the first ten minutes of each hour with its lights on. */
function* day(i, beginMs) {
  let turn = i;
  for (let s = 0; s < DAY_S; s += 1) {
    const drives = s % 1800 < 900;
    if (drives) turn += 0.0006;
    const [lat, lng] = [39.74 + 0.05 * Math.sin(turn) * Math.cos(turn / 7), -75.55 + 0.06 * Math.cos(turn + i)];
    const noise = ((s * 7919) % 13) * 2e-6;
    yield {
      type: 'point',
      asset: nameOf(i),
      at: new Date(beginMs + s * 1000).toISOString(),
      lat: lat + noise,
      lng: lng - noise,
      speed: drives ? 10 + ((s * 31) % 70) / 10 : 0,
      course: Math.round((turn * 57.3) % 360),
      accuracy: 4,
      alerting: s % 3600 < 600,
    };
  }
}

/** Registers the assets and sends their day; answers when it began. */
async function fill(fleet) {
  const things = Array.from({ length: n }, (_, i) => ({
    haas_id: nameOf(i),
    nickname: `Bench ${i + 1}`,
    thing_type: 'fire',
    device_type: 'ha7',
  }));
  await fleet.post('/api/ingest/assets', { things });
  const begin = Math.floor(Date.now() / 60_000 - 5) * 60_000 - DAY_S * 1000;
  for (let i = 0; i < n; i += 1) {
    const items = [...day(i, begin)];
    for (let at = 0; at < items.length; at += LOT) {
      const { data } = await fleet.post('/api/ingest', { items: items.slice(at, at + LOT) });
      if (data.refused.length > 0) throw new Error(`refused: ${JSON.stringify(data.refused[0])}`);
    }
  }
  return begin;
}

/** In the page: whether lines of trips are on the map. */
function hasLines() {
  const stage = document.querySelector('[data-map="ready"]');
  const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
  let fiber = key && stage[key];
  while (fiber && !fiber.memoizedProps?.controller) fiber = fiber.return;
  const map = fiber?.memoizedProps.controller.engineMap();
  const layers = map?.getStyle()?.layers.filter(({ id, type }) => id.includes('trip') && type === 'line') ?? [];
  return layers.length > 0 && map.queryRenderedFeatures({ layers: layers.map(({ id }) => id) }).length > 0;
}

async function drawn(page) {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(50)) {
    if (await page.evaluate(hasLines).catch(() => false)) return;
  }
  await page.screenshot({ path: `${pictures}/none.png` });
  throw new Error('no line came');
}

mkdirSync(pictures, { recursive: true });
const binary = process.env.LIGHTBAR_BINARY ?? fileURLToPath(new URL('../../../bin/lightbar', import.meta.url));
const fleet = await startFleet({ binary, port: Number(process.env.PORT ?? 8205), map: process.env.LIGHTBAR_REGION });
const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, '--enable-precise-memory-info'] });
try {
  const begin = await fill(fleet);
  say(`${n * DAY_S} points stored`);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http'))
      localStorage.setItem('lightbar.preferences', '{"version":1,"hideSupportDialog":true}');
  });
  const grant = { grant_type: 'password', application: 'dashboard', username: 'admin@demo.example' };
  const token = await (
    await fetch(`${fleet.url}/api/user_token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...grant, password: fleet.demo.password }),
    })
  ).json();
  const headers = { Authorization: `Bearer ${token.access_token}` };
  const { data: things } = await (await fetch(`${fleet.url}/api/organization/things?per_page=500`, { headers })).json();
  const ids = things.filter(thing => thing.haas_id.startsWith('TR-')).map(thing => thing.id);
  const cdp = await context.newCDPSession(page);
  await page.goto(`${fleet.url}/welcome/signin`);
  await page.getByLabel('Email').fill('admin@demo.example');
  await page.getByLabel('Password', { exact: true }).fill(fleet.demo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForSelector('[data-map="ready"]', { timeout: 60_000 });
  const [from, to] = [begin, begin + DAY_S * 1000].map(at => new Date(at).toISOString().replace('.000Z', 'Z'));
  await page.goto(`${fleet.url}/dashboard/trips?things=${ids.join(',')}&from=${from}&to=${to}`);
  await drawn(page);
  await page.screenshot({ path: `${pictures}/day.png` });
  await browser.startTracing(page, { categories: CATEGORIES });
  const began = Date.now();
  await page.goto(page.url());
  await page.waitForResponse(answer => answer.url().includes('/trips?') && answer.ok());
  const answered = Date.now() - began;
  await drawn(page);
  const lines = Date.now() - began;
  const loading = tasksOf(await browser.stopTracing());
  await pause(3000);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await browser.startTracing(page, { categories: CATEGORIES });
  await pause(Number(process.env.PLAY_MS ?? 20_000));
  const playing = tasksOf(await browser.stopTracing());
  await page.screenshot({ path: `${pictures}/playing.png` });
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const figures = {
    assets: n,
    points: n * DAY_S,
    first_answer_ms: answered,
    lines_ms: lines,
    loading_task_ms: loading.worst,
    loading_tasks: loading.top,
    playing_task_ms: playing.worst,
    playing_tasks: playing.top,
    heap_MB: usedSize / MB,
    load_average: loadavg()[0],
  };
  process.stdout.write(`${JSON.stringify(figures, (_, v) => (typeof v === 'number' ? Math.round(v * 10) / 10 : v))}\n`);
  for (const error of errors) say(`page error: ${error}`);
} finally {
  await browser.close();
  await fleet.stop();
}
