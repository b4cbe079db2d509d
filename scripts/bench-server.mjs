// Measures the shipped program: bytes until the sign-in screen stands, and memory with 100 000 assets.
// Usage: node scripts/bench-server.mjs   (LIGHTBAR_BINARY, CHROMIUM, LIGHTBAR_BENCH_PORT; prints JSON)
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { chromium } = createRequire(join(root, 'web/package.json'))('playwright-core');
const binary = process.env.LIGHTBAR_BINARY ?? join(root, 'bin/lightbar');
const port = Number(process.env.LIGHTBAR_BENCH_PORT ?? 8201);
const url = `http://localhost:${port}`;
const ASSETS = 100_000;
const BATCH = 5000;

const data = mkdtempSync(join(tmpdir(), 'lightbar-bench-'));
const server = spawn(binary, ['demo', '--quiet', '--history=0', '--data', data, '--listen', `localhost:${port}`], { stdio: 'ignore' });
const ended = new Promise(resolve => server.on('exit', resolve));

async function ready() {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('the server did not become ready');
}

/** Bytes over the wire (headers and bodies, compressed) from an empty cache until the password field shows. */
async function firstLoad() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    let bytes = 0;
    let requests = 0;
    cdp.on('Network.loadingFinished', event => {
      bytes += event.encodedDataLength;
      requests += 1;
    });
    const begin = performance.now();
    await page.goto(url);
    await page.locator('input[name="password"]').waitFor();
    const shownMs = performance.now() - begin;
    const kB = bytes / 1000;
    await page.waitForLoadState('networkidle');
    return { first_load_kB: kB, first_load_ms: shownMs, settled_kB: bytes / 1000, requests };
  } finally {
    await browser.close();
  }
}

async function post(path, key, body) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Resident memory in MB as the kernel counts it. */
function memoryMB() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const mb = name => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) / 1000;
  return { now: mb('VmRSS'), most: mb('VmHWM') };
}

/** Registers the assets, lets each report once, and reads the server's memory. */
async function memory() {
  const { api_key: key } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const empty = memoryMB().now;
  for (let from = 0; from < ASSETS; from += BATCH) {
    const names = Array.from({ length: BATCH }, (_, i) => `M-${from + i}`);
    await post('/api/ingest/assets', key, { things: names.map(name => ({ haas_id: name, thing_type: 'fire' })) });
    const at = new Date().toISOString();
    const items = names.map((asset, i) => ({ type: 'point', asset, at, lat: 39.1 + i * 1e-4, lng: -75.6 + from * 1e-6, speed: 12, course: 90 }));
    const { data: result } = await post('/api/ingest', key, { items });
    if (result.accepted !== BATCH) throw new Error(`accepted ${result.accepted} of ${BATCH}`);
  }
  await new Promise(resolve => setTimeout(resolve, 12_000)); // states are written, garbage is collected
  const { now, most } = memoryMB();
  return { assets: ASSETS, memory_empty_MB: empty, memory_MB: now, memory_most_MB: most };
}

try {
  await ready();
  const load = await firstLoad();
  process.stdout.write(`${JSON.stringify({ ...load, ...(await memory()) })}\n`);
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}
