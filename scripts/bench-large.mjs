// Measures the shipped program with an organization of 100 000 assets: how long they take to be made known by key and by CSV,
// how long another tenant's heartbeats wait meanwhile, memory while 2 % of them move each second and a page polls, and a start after
// SIGKILL with what the map then shows.
// Usage: node scripts/bench-large.mjs   (LIGHTBAR_BINARY, LIGHTBAR_BENCH_PORT, LIGHTBAR_BENCH_LARGE_S seconds of movement; prints JSON)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const binary = process.env.LIGHTBAR_BINARY ?? join(root, 'bin/lightbar');
const port = Number(process.env.LIGHTBAR_BENCH_PORT ?? 8201);
const url = `http://localhost:${port}`;
const ASSETS = 100_000;
const BATCH = 10_000;
const MOVING_S = Number(process.env.LIGHTBAR_BENCH_LARGE_S ?? 90);
const steps = (process.env.LIGHTBAR_BENCH_STEPS ?? 'register,import,memory,kill').split(',');

const data = mkdtempSync(join(tmpdir(), 'lightbar-bench-'));
let server;
let ended;
function start() {
  server = spawn(binary, ['demo', '--quiet', '--history=0', '--data', data, '--listen', `localhost:${port}`], { stdio: 'ignore' });
  ended = new Promise(resolve => server.on('exit', resolve));
}
start();
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const memoryMB = name => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1000;
const numbers = n => Array.from({ length: n }, (_, i) => i);

/** Seconds of processor time that the server has taken. */
const cpuSeconds = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function ready() {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(50)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok && existsSync(join(data, 'demo.json'))) return;
  }
  throw new Error('the server did not become ready');
}

async function call(method, path, token, body) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}
const post = (path, token, body) => call('POST', path, token, body);

async function signIn(email, password) {
  const answer = await fetch(`${url}/api/user_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username: email, password }),
  });
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).access_token;
}

/** Another tenant, in a thread of its own: a heartbeat every 20 ms until told to end; then how long each waited (ms). */
const OTHER = `
  const { parentPort, workerData: { url, key } } = require('node:worker_threads');
  const waited = [], under = [];
  const body = JSON.stringify({ items: [{ type: 'heartbeat', asset: 'OTHER-1' }] });
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ' + key };
  const beat = async () => {
    const began = performance.now();
    const answer = await fetch(url + '/api/ingest', { method: 'POST', headers, body });
    await answer.text();
    if (!answer.ok) throw new Error('a heartbeat was answered ' + answer.status);
    waited.push(performance.now() - began);
  };
  const timer = setInterval(() => under.push(beat()), 20);
  parentPort.once('message', async () => {
    clearInterval(timer);
    await Promise.all(under);
    parentPort.postMessage(waited.sort((a, b) => a - b));
  });`;

/** How long the work took, and another tenant's heartbeats meanwhile. */
async function besides(key, work) {
  const other = new Worker(OTHER, { eval: true, workerData: { url, key } });
  await once(other, 'online');
  const began = performance.now();
  const cpu = cpuSeconds();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const cpu_s = cpuSeconds() - cpu;
  other.postMessage('end');
  const [waited] = await once(other, 'message');
  await other.terminate();
  return { seconds, cpu_s, p50: waited[waited.length >> 1], p99: waited[Math.floor(waited.length * 0.99)], most: waited.at(-1) };
}

const named = (prefix, what) => Object.fromEntries(Object.entries(what).map(([name, value]) => [`${prefix}_${name}`, Math.round(value * 100) / 100]));

async function register(key, other) {
  const quiet = await besides(other, () => pause(5000));
  const busy = await besides(other, async () => {
    for (let from = 0; from < ASSETS; from += BATCH) {
      const things = numbers(BATCH).map(i => ({ haas_id: `M-${from + i}`, thing_type: 'fire', nickname: `Engine ${from + i}` }));
      const { data: made } = await post('/api/ingest/assets', key, { things });
      if (made.created !== BATCH) throw new Error(JSON.stringify(made));
    }
  });
  return { ...named('quiet', quiet), ...named('register', busy) };
}

async function importFiles(token, other) {
  const busy = await besides(other, async () => {
    for (let from = 0; from < ASSETS; from += BATCH) {
      const csv = ['haas_id,thing_type,nickname', ...numbers(BATCH).map(i => `C-${from + i},fire,Engine ${from + i}`)].join('\n');
      const { data: preview } = await post('/api/organization/things/import', token, { csv });
      const { data: done } = await post('/api/organization/things/import', token, { csv, digest: preview.digest });
      if (!done.applied || done.create !== BATCH) throw new Error(JSON.stringify(done).slice(0, 500));
    }
  });
  return named('import', busy);
}

/** Where an asset stands after so many seconds: 2 % of the fleet move each second, the same ones. */
function point(i, second, moving) {
  const heading = (i * 37) % 360;
  const along = moving ? second * 14 : 0;
  const lat = 39.0 + (i % 300) * 0.003 + (along * Math.cos((heading * Math.PI) / 180)) / 111_000;
  const lng = -75.8 + Math.floor(i / 300) * 0.002 + (along * Math.sin((heading * Math.PI) / 180)) / 86_000;
  return { type: 'point', asset: `M-${i}`, at: new Date().toISOString(), lat, lng, speed: moving ? 14 : 0, course: heading, accuracy: 5 };
}

async function memory(key, organization, token) {
  for (let from = 0; from < ASSETS; from += 5000) {
    await post('/api/ingest', key, { items: numbers(5000).map(i => point(from + i, 0, false)) });
  }
  const heard = { memory_registered_MB: memoryMB('VmRSS'), memory_registered_most_MB: memoryMB('VmHWM') };
  let asOf = '';
  let most = 0;
  const polls = [];
  for (let second = 1; second <= MOVING_S; second++) {
    const began = performance.now();
    if (second % 15 === 1) {
      const { size, answer } = await poll(`/api/organization/things/snapshot?org_ids[]=${organization}&last_updated_timestamp=${encodeURIComponent(asOf)}`, token);
      polls.push({ bytes: size, rows: answer.data.count });
      asOf = answer.data.as_of;
    }
    await post('/api/ingest', key, { items: numbers(ASSETS / 50).map(i => point(i * 50, second, true)) });
    most = Math.max(most, memoryMB('VmRSS'));
    await pause(1000 - (performance.now() - began));
  }
  const [load, last] = [polls[0], polls.at(-1)];
  return {
    ...heard, moving_s: MOVING_S, memory_MB: memoryMB('VmRSS'), memory_moving_most_MB: most, memory_most_MB: memoryMB('VmHWM'),
    load_bytes: load.bytes, load_rows: load.rows, poll_bytes: last.bytes, poll_rows: last.rows,
  };
}

/** All assets report, the server is killed at once and starts again: how long until it is ready, and how many reports it lost. */
async function kill(key, organization) {
  const last = new Map();
  for (let from = 0; from < ASSETS; from += 5000) {
    const items = numbers(5000).map(i => point(from + i, MOVING_S + 1, true));
    await post('/api/ingest', key, { items });
    for (const item of items) last.set(item.asset, item);
  }
  server.kill('SIGKILL');
  await ended;
  const began = performance.now();
  start();
  await ready();
  const ready_s = (performance.now() - began) / 1000;
  const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const token = await signIn('viewer@demo.example', demo.password);
  const { answer } = await poll(`/api/organization/things/snapshot?org_ids[]=${organization}`, token);
  return { killed_ready_s: Math.round(ready_s * 100) / 100, killed_lost: lostOf(answer.data, last) };
}

/** How many assets the map shows with an older report than their last one. */
function lostOf({ haas_id, at }, last) {
  const current = haas_id.filter((name, row) => last.has(name) && at[row] === Date.parse(last.get(name).at));
  return last.size - current.length;
}

/** A GET with its size over the wire: fetch would not tell it. */
function poll(path, token) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' };
    get(url + path, { headers }, answer => {
      const parts = [];
      answer.on('data', part => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        resolve({ size: body.length, answer: JSON.parse(text.toString()) });
      });
    }).on('error', reject);
  });
}

try {
  await ready();
  const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  const [key, other] = demo.keys;
  await post('/api/ingest/assets', other, { things: [{ haas_id: 'OTHER-1', thing_type: 'fire' }] });
  const out = { assets: ASSETS, memory_empty_MB: memoryMB('VmRSS') };
  if (steps.includes('register')) Object.assign(out, await register(key, other));
  if (steps.includes('memory')) Object.assign(out, await memory(key, demo.organization_id, await signIn('viewer@demo.example', demo.password)));
  if (steps.includes('import')) Object.assign(out, await importFiles(await signIn('outsider@demo.example', demo.password), other));
  if (steps.includes('kill')) Object.assign(out, await kill(key, demo.organization_id));
  process.stdout.write(`${JSON.stringify(out)}\n`);
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}
