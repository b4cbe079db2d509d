// A demo of the real binary with a large fleet in one organization, filled and moved through the public ingest.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many assets and reports go in one request. */
const LOT = 5000;
const TYPES = ['fire', 'police', 'ambulance', 'maintenance', 'tow', 'waste'];
const CENTER = { lat: 39.2, lng: -75.5 };
/** Degrees around the center in which the fleet stands. */
const SPREAD = { lat: 0.7, lng: 0.8 };

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const nameOf = i => `LG-${String(i).padStart(6, '0')}`;
/** A repeatable number 0…1 of an asset. */
function share(i, salt) {
  let t = Math.imul(i + 1, 0x6d2b79f5) + Math.imul(salt, 0x9e3779b9);
  t = Math.imul(t ^ (t >>> 15), 1 | t);
  t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

/** Starts `lightbar demo --quiet` on a clean folder. */
export async function startFleet({ binary, port, map }) {
  const data = mkdtempSync(join(tmpdir(), 'lightbar-large-'));
  const flags = [
    'demo',
    '--quiet',
    '--history=0', // making it would be measured, too
    '--data',
    data,
    '--listen',
    `localhost:${port}`,
    '--password',
    'Kestrel-Harbour-94!x',
  ];
  if (map) flags.push('--region', map);
  const child = spawn(binary, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const keep = chunk => {
    log = (log + chunk).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise(resolve => child.on('exit', resolve));
  const url = `http://localhost:${port}`;
  const file = join(data, 'demo.json');
  for (
    let tries = 0;
    !existsSync(file) ||
    !(await fetch(`${url}/readyz`).then(
      a => a.ok,
      () => false,
    ));
    tries++
  ) {
    if (child.exitCode !== null || tries > 600) throw new Error(`the server did not start:\n${log}`);
    await pause(100);
  }
  const demo = JSON.parse(readFileSync(file, 'utf8'));
  const post = async (path, body) => {
    for (;;) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${demo.api_key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status === 429 || answer.status === 503) {
        await answer.text();
        await pause(1000 * Number(answer.headers.get('Retry-After') ?? 1));
        continue;
      }
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    }
  };
  return { url, demo, post, pid: child.pid, data, log: () => log, stop: () => stop(child, ended, data) };
}

async function stop(child, ended, data) {
  if (child.exitCode === null) child.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}

/** A report of an asset, `step` moves from where it began. */
export function report(i, step, at = new Date().toISOString()) {
  const drives = i % 3 !== 0;
  return {
    type: 'point',
    asset: nameOf(i),
    at,
    lat: CENTER.lat + (share(i, 1) - 0.5) * SPREAD.lat + step * 0.0004,
    lng: CENTER.lng + (share(i, 2) - 0.5) * SPREAD.lng + step * 0.0004,
    course: (i * 37) % 360,
    speed: drives ? 12 : 0,
    accuracy: 4,
    alerting: i % 50 === 0,
  };
}

/** Makes `n` assets known and has each report once. */
export async function fill(fleet, n, say = () => {}) {
  for (let from = 0; from < n; from += LOT) {
    const numbers = Array.from({ length: Math.min(LOT, n - from) }, (_, k) => from + k);
    await fleet.post('/api/ingest/assets', {
      things: numbers.map(i => ({
        haas_id: nameOf(i),
        nickname: i % 4 === 0 ? '' : `${TYPES[i % TYPES.length]} unit ${i}`,
        thing_type: TYPES[i % TYPES.length],
        device_type: i % 10 === 0 ? 'api' : 'ha7',
        external_id: `EXT-${i}`,
      })),
    });
    await fleet.post('/api/ingest', { items: numbers.map(i => report(i, 0)) });
    say(from + numbers.length);
  }
}

/** Moves a share of the fleet each second until stopped; answers how many reports went. */
export function move(fleet, n, part) {
  const each = Math.round(n * part);
  let running = true;
  let sent = 0;
  const steps = new Uint32Array(n);
  const done = (async () => {
    for (let next = 0; running; ) {
      const began = Date.now();
      const numbers = Array.from({ length: each }, (_, k) => (next + k * 7) % n);
      next = (next + each * 7 + 1) % n;
      const at = new Date().toISOString();
      await fleet.post('/api/ingest', { items: [...new Set(numbers)].map(i => report(i, ++steps[i], at)) });
      sent += each;
      await pause(Math.max(0, 1000 - (Date.now() - began)));
    }
  })();
  return {
    stop: async () => {
      running = false;
      await done;
      return sent;
    },
  };
}
