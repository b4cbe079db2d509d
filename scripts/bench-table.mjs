// Prints the table of docs/benchmarks.md from what the steps of scripts/bench.sh left in a folder.
// Usage: node scripts/bench-table.mjs FOLDER
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const text = name => (existsSync(join(folder, `${name}.txt`)) ? readFileSync(join(folder, `${name}.txt`), 'utf8') : '');

/** Benchmark name (without the number of processors) to its metrics by unit. */
function benchmarks(output) {
  const found = new Map();
  for (const line of output.split('\n')) {
    const [name, , ...rest] = line.trim().split(/\s+/);
    if (!name?.startsWith('Benchmark') || rest.length < 2) continue;
    const metrics = {};
    for (let i = 0; i + 1 < rest.length; i += 2) metrics[rest[i + 1]] = Number(rest[i]);
    found.set(name.replace(/-\d+$/, ''), metrics);
  }
  return found;
}

const rows = [];
const whole = n => Math.round(n).toLocaleString('en-US').replaceAll(',', ' ');
const ms = n => n.toFixed(n < 10 ? 2 : 1);
const verdict = met => (met === undefined ? '' : met ? 'yes' : '**no**');
const row = (name, figure, comparison = '', goal = '', met = undefined) => rows.push([name, figure, comparison, goal, verdict(met)]);

const ingest = new Map([...benchmarks(text('ingest')), ...benchmarks(text('postgres'))]);
const run = (engine, things, clients, streets, sync = '0s', alone = false, rate = 0, late = '') =>
  ingest.get(`BenchmarkIngest/${engine}/things=${things}/clients=${clients}/sync=${sync}/streets=${streets}/alone=${alone}/rate=${rate}${late}`);

function ingestRow(name, m, goals) {
  if (!m) return;
  const met = [];
  const said = [];
  if (goals.rate) said.push(`≥ ${whole(goals.rate)}/s`) && met.push(m['points/s'] >= goals.rate);
  if (goals.p99) said.push(`p99 ≤ ${goals.p99} ms`) && met.push(m['p99-ms'] <= goals.p99);
  if (goals.p50) said.push(`p50 ≤ ${goals.p50} ms`) && met.push(m['p50-ms'] <= goals.p50);
  row(name, `${whole(m['points/s'])} points/s, p50 ${ms(m['p50-ms'])} ms, p99 ${ms(m['p99-ms'])} ms`,
    `${m['of-bare'].toFixed(2)} of the bare insert (${whole(m['bare-points/s'])}/s)`, said.join(', '), met.length ? met.every(Boolean) : undefined);
}

const lite = run('sqlite', 500, 64, true);
ingestRow('ingest, SQLite, 500 things, 64 clients, all laws and streets', lite, { rate: 100_000, p99: 50 });
ingestRow('ingest, SQLite, 100 000 things, 64 clients, all laws and streets', run('sqlite', 100_000, 64, true), { rate: 60_000, p99: 50 });
ingestRow('ingest, SQLite, 100 000 things, 64 clients, all laws and streets, 60 000 points/s by timetable',
  run('sqlite', 100_000, 64, true, '0s', false, 60_000), { rate: 59_000, p99: 50 });
ingestRow('ingest, SQLite, 500 things, 1 client, all laws and streets', run('sqlite', 500, 1, true), { p50: 1 });
ingestRow('ingest, SQLite, 500 things, 64 clients, without streets', run('sqlite', 500, 64, false), {});
ingestRow('ingest, SQLite, 100 000 things, 64 clients, without streets', run('sqlite', 100_000, 64, false), {});
const grouped = run('sqlite', 500, 64, false, '5ms');
const alone = run('sqlite', 500, 64, false, '5ms', true);
if (grouped && alone) {
  const ratio = grouped['points/s'] / alone['points/s'];
  row('group commit on a disk with a 5 ms sync, 64 clients', `${whole(grouped['points/s'])} points/s`,
    `× ${ratio.toFixed(1)} of one transaction a request (${whole(alone['points/s'])}/s)`, '≥ × 15', ratio >= 15);
}
const pg = run('postgres', 500, 64, true);
ingestRow('ingest, PostgreSQL (fsync on), 500 things, 64 clients, all laws and streets', pg, {});
ingestRow('ingest, PostgreSQL (fsync on), 100 000 things, 64 clients, all laws and streets, 60 000 points/s by timetable',
  run('postgres', 100_000, 64, true, '0s', false, 60_000), {});
ingestRow('ingest, PostgreSQL (fsync on), 500 things, 1 client, all laws and streets', run('postgres', 500, 1, true), {});
if (lite && pg) {
  const ratio = pg['points/s'] / lite['points/s'];
  row('ingest, PostgreSQL against SQLite', `× ${ratio.toFixed(2)}`, 'the first row of each', '≥ × 0.7', ratio >= 0.7);
}

for (const [engine, name] of [['sqlite', 'SQLite'], ['postgres', 'PostgreSQL (fsync on)']]) {
  const m = run(engine, 100_000, 64, true, '0s', false, 0, '/late=1h23m0s');
  if (m) row(`ingest, ${name}, 100 000 things, 64 clients, points 83 minutes late, as after an outage`,
    `${whole(m['points/s'])} points/s, p50 ${ms(m['p50-ms'])} ms, p99 ${ms(m['p99-ms'])} ms`,
    m['of-timely'] ? `× ${m['of-timely'].toFixed(2)} of timely ones` : '', '≥ × 0.7', m['of-timely'] && m['of-timely'] >= 0.7);
}
for (const things of [2_000, 100_000]) {
  const [l, p] = [run('sqlite', things, 64, true), run('postgres', things, 64, true)];
  if (l && p) row(`ingest, PostgreSQL against SQLite, ${whole(things)} things, 64 clients, all laws and streets`,
    `× ${(p['points/s'] / l['points/s']).toFixed(2)}; p99 × ${(p['p99-ms'] / l['p99-ms']).toFixed(1)}`, '', '≥ × 0.7; p99 ≤ × 3',
    p['points/s'] >= 0.7 * l['points/s'] && p['p99-ms'] <= 3 * l['p99-ms']);
}

const incidents = benchmarks(text('incidents'));
for (const things of [2_000, 100_000]) {
  const m = incidents.get(`BenchmarkIncidents/sqlite/things=${things}`);
  if (m) row(`ingest, SQLite, ${whole(things)} things, 64 clients, an incident for every fifty reports`,
    `${whole(m['points/s'])} points/s, p99 ${ms(m['p99-ms'])} ms`, `× ${m['of-without'].toFixed(2)} of the same without (${whole(m['without-points/s'])}/s)`);
}

const lists = benchmarks(text('lists')).get('BenchmarkLists');
if (lists) for (const [list, words] of [['closure', 'closures, a line of 100 points each'], ['exclusion_zone', 'areas of 40 corners']]) {
  row(`a list of 25 ${words}`, `${ms(lists[`${list}-us`] / 1000)} ms`, `× ${lists[`${list}-of-things`].toFixed(1)} of a list of 25 assets (${ms(lists['things-us'] / 1000)} ms)`);
}

const areas = benchmarks(text('areas'));
for (const [many, goal] of [[100_000, 1_500_000], [1_000, undefined]]) {
  const m = areas.get(`BenchmarkMatchAreas/areas=${many}`);
  if (m) row(`station of a position among ${whole(many)} areas of one organization, one core`, `${whole(m['points/s'])} points/s`,
    `${m['of-bare'].toFixed(2)} of a bare search of their boxes (${whole(m['bare/s'])}/s)`,
    goal ? `≥ ${whole(goal)}/s, ≥ 0.5` : '', goal && m['points/s'] >= goal && m['of-bare'] >= 0.5);
}
for (const [way, words] of [['single', 'made one by one'], ['file', 'imported from a file']]) for (const things of [500, 100_000]) {
  const m = areas.get(`BenchmarkCreateAreas/sqlite/things=${things}/${way}`);
  if (m) row(`5 000 points/s while 10 000 areas are ${words}, ${whole(things)} things`, `p50 ${ms(m['p50-ms'])}, p99 ${ms(m['p99-ms'])} ms`,
    `p99 × ${m['of-before'].toFixed(1)} of before (${ms(m['before-p99-ms'])} ms); ${whole(m['areas/s'])} areas/s`, '≤ × 2', m['of-before'] <= 2);
}

const stream = benchmarks(text('stream'));
for (const [window, goal] of [[1, 1.3], [8, undefined]]) {
  const m = stream.get(`BenchmarkDeliveries/under-way-${window}`);
  if (m) row(`stream to 1 000 sockets, ${window} frame${window > 1 ? 's' : ''} under way`, `${whole(m['deliveries/s'])} deliveries/s`,
    `time × ${m['wall-ratio'].toFixed(2)}, CPU × ${m['cpu-ratio'].toFixed(2)} of bare writes of the same bytes`, goal ? `≤ × ${goal}` : '', goal && m['wall-ratio'] <= goal);
}
const idle = stream.get('BenchmarkIdleSockets');
if (idle) row('stream, memory of an idle socket with its session', `${idle['kB/socket'].toFixed(1)} kB`, '', '≤ 12 kB', idle['kB/socket'] <= 12);
const deaf = /commit to \d+ sockets.*\| (p50 \S+, p99 \S+ ms) \| with a deaf client (p50 \S+, p99 \S+ ms)/.exec(text('stream'));
if (deaf) row('stream, a 16 kB frame to 1 000 sockets', deaf[1], `with a client that never reads: ${deaf[2]}`);

for (const [step, followers] of [['alerts', '1 000'], ['alerts5000', '5 000']]) {
  const alerts = benchmarks(text(step));
  const told = (key, raw, bytes, name, goal) => {
    const [m, bare] = [alerts.get(key), alerts.get(raw)];
    if (!m || !bare) return;
    const ratio = m['cpu-ms/op'] / bare['cpu-ms/op'];
    row(`500 alerts change, told to ${followers} followers ${name}`, `${ms(m['ns/op'] / 1e6)} ms`,
      `time × ${(m['ns/op'] / bare['ns/op']).toFixed(2)}, CPU × ${ratio.toFixed(2)} of writing ${bytes} (${ms(bare['ns/op'] / 1e6)} ms)`,
      goal ? 'CPU ≤ × 1.3' : '', goal ? ratio <= 1.3 : undefined);
  };
  told('BenchmarkAlertFollowers/all', 'BenchmarkAlertFollowers/raw', 'the same bytes', 'of all of the organization', true);
  told('BenchmarkAlertFollowers/circle', 'BenchmarkAlertFollowers/raw', 'the same bytes', 'of a circle that holds all', false);
  told('BenchmarkAlertFollowersMQTT/told', 'BenchmarkAlertFollowersMQTT/raw', 'the same packets', 'over MQTT, QoS 0', true);
}

const mqtt = benchmarks(text('mqtt'));
for (const each of [1, 10]) {
  const [m, http] = ['mqtt', 'http'].map(protocol => mqtt.get(`BenchmarkMQTT/${protocol}/${each}`));
  if (m && http) row(`ingest over MQTT, SQLite, 50 devices, points a message: ${each}`, `${Math.round(m['points/s'])} points/s`,
    `× ${m['of-http'].toFixed(2)} of the same over HTTP (${Math.round(http['points/s'])} points/s)`, '≥ × 0.7', m['of-http'] >= 0.7);
}
const held = benchmarks(text('connected'));
for (const [kind, name] of [['plain', 'without TLS'], ['tls', 'with TLS']]) {
  const m = held.get(`BenchmarkMQTTFleet/${kind}`);
  if (!m) continue;
  row(`memory of a device connected over MQTT, of ${whole(m.devices)}, ${name}`, `${(m['B/device'] / 1000).toFixed(1)} kB`,
    `heap and stacks of the server; ${(m['stack-B/device'] / 1000).toFixed(1)} kB of it are stack`, '≤ 20 kB', m['B/device'] <= 20_000);
  row(`${whole(m.devices)} devices over MQTT, ${name}: all are back after a restart`, `${m['back-s'].toFixed(1)} s`,
    `the server stopped within ${m['stop-s'].toFixed(1)} s`, '≤ 10 s', m['back-s'] <= 10);
}

const answers = benchmarks(text('told'));
const waits = (m, name = '') => `p50 ${whole(m[`${name}p50-ms`])}, p95 ${whole(m[`${name}p95-ms`])} ms`;
for (const way of ['http', 'mqtt']) {
  const [quiet, m] = [false, true].map(load => answers.get(`BenchmarkLightsOn/beside=${load}/from=${way}`));
  if (quiet && m) for (const [reader, name] of [['sse-', "a driver's stream"], ['mqtt-', 'a follower over MQTT']])
    row(`lights on, reported over ${way.toUpperCase()}, until ${name} tells it, beside 5 000 points/s`, waits(m, reader), `quiet: ${waits(quiet, reader)}`,
      'p95 ≤ 2 s', m[`${reader}p95-ms`] <= 2000);
}
for (const [connected, load] of [[1, false], [1000, false], [1000, true]]) {
  const m = answers.get(`BenchmarkPress/connected=${connected}/beside=${load}`);
  if (m) row(`a press until the device's word is on the presser's stream, ${whole(connected)} connected${load ? ', beside 5 000 points/s' : ''}`, waits(m),
    `at most ${whole(m['max-ms'])} ms`, 'p95 ≤ 500 ms', m['p95-ms'] <= 500);
}

const people = benchmarks(text('people'));
const signIns = people.get('BenchmarkSignIn');
if (signIns) row('sign-ins with a password', `${signIns['sign-ins/s'].toFixed(1)}/s`, 'bound by the hash: 19 MiB and two passes each');
for (const [call, name] of [['sign-in', 'sign-in of an unknown address'], ['forgot', 'forgotten password of an unknown address']]) {
  const m = people.get(`BenchmarkUnknownAddress/${call}`);
  if (m) row(name, `× ${m['of-known'].toFixed(2)} of a known one`, `${ms(m['unknown-ms'])} ms against ${ms(m['known-ms'])} ms, alternating medians`);
}
const known = people.get('BenchmarkAuthorize/known');
const asked = people.get('BenchmarkAuthorize/asked');
if (known && asked) row('one authorization check: token, permission and reach', `${(known['ns/op'] / 1e3).toFixed(2)} µs`,
  `${(asked['ns/op'] / 1e3).toFixed(0)} µs when the database is asked, every 4 s a token`);

const geo = benchmarks(text('geo'));
const ns = name => geo.get(name)?.['ns/op'];
const geoRow = (name, key, unit, per, goal) => {
  if (ns(key) !== undefined) row(name, `${(ns(key) / per).toFixed(2)} ${unit}`, '', `≤ ${goal} ${unit}`, ns(key) / per <= goal);
};
geoRow('nearest street, with heading (Delaware)', 'BenchmarkNearest/heading', 'µs', 1e3, 10);
geoRow('route of up to 20 km (Delaware)', 'BenchmarkRoute/20km', 'ms', 1e6, 5);
geoRow('import of Delaware: tiles and road index', 'BenchmarkImport/delaware', 's', 1e9, 5);

/** The drawing benchmark prints a text table with columns two or more spaces apart. */
function drawing(output) {
  const lines = output.split('\n').filter(line => line.trim());
  const head = lines.findIndex(line => line.startsWith('view '));
  if (head < 0) return [];
  const names = [...lines[head].matchAll(/\S+(?: \S+)*/g)].map(match => ({ name: match[0], from: match.index }));
  return lines.slice(head + 1).map(line => Object.fromEntries(names.map(({ name, from }, i) => [name, line.slice(from, names[i + 1]?.from).trim()])));
}
const draw = drawing(text('drawing'));
const own = draw.filter(r => r.layer === 'own');
for (const r of own) {
  const symbols = draw.find(s => s.view === r.view && s.moving === r.moving && s.layer === 'GeoJSON symbols');
  const met = Number(r['update ms']) <= 5;
  row(`main thread, an update of ${whole(Number(r.assets))} assets, ${r.moving} moving, ${r.view}`, `${r['update ms']} ms`,
    symbols ? `a GeoJSON symbol layer: ${symbols['update ms']} ms` : '', '≤ 5 ms', met);
}

for (const noun of ['closure', 'area']) {
  const pan = text(`pan-${noun}`) ? JSON.parse(text(`pan-${noun}`)) : undefined;
  if (!pan) continue;
  for (const [view, seen] of [['near', 'zoom 13'], ['far', 'zoom 9, all in view']]) {
    const [few, many] = [pan.few_ms[view], pan.many_ms[view]];
    row(`main thread, a frame of panning over ${whole(pan.many)} ${noun}s, ${view} (${seen})`, `${ms(many)} ms`,
      `× ${(many / few).toFixed(2)} of ${pan.few} (${ms(few)} ms), at a load of ${Math.round(pan.load_average)}`);
  }
  const { few_ms: few, many_ms: many } = pan;
  const page = `a page of ${whole(pan.many)} ${noun}s`;
  row(`${page}: all rows after the password; the map drawn`, `${(many.rows_ms / 1000).toFixed(1)} s; ${(many.drawn_ms / 1000).toFixed(1)} s`,
    `${pan.few}: ${(few.rows_ms / 1000).toFixed(1)} s; ${(few.drawn_ms / 1000).toFixed(1)} s`);
  for (const [when, key, goal] of [
    ['while it loads', 'loading_task_ms', 200],
    ['afterwards', 'later_task_ms', 50],
    ['while the list is scrolled', 'scroll_task_ms', 50],
    ['while someone searches', 'search_task_ms', 50],
  ]) row(`${page}: longest main-thread task ${when}`, `${whole(many[key])} ms`, `${pan.few}: ${whole(few[key])} ms`, `≤ ${goal} ms`, many[key] <= goal);
  row(`${page}: a step of scrolling the list`, `${ms(many.scroll_ms)} ms`, `× ${(many.scroll_ms / few.scroll_ms).toFixed(2)} of ${pan.few} (${ms(few.scroll_ms)} ms)`);
  row(`${page}: a search, from the end of the pause to the rows, p95`, `${whole(many.search_ms)} ms`, `${pan.few}: ${whole(few.search_ms)} ms`, '≤ 150 ms', many.search_ms <= 150);
  row(`${page}: JavaScript heap`, `${whole(many.heap_MB)} MB`, `${pan.few}: ${whole(few.heap_MB)} MB`);
}

const past = benchmarks(text('past'));
for (const [every, goal] of [['1s', 6], ['10s', 12]]) {
  const [seal, read] = ['seal', 'read'].map(way => past.get(`BenchmarkBlock/every=${every}/${way}`));
  if (!seal || !read) continue;
  const met = seal['B/point'] <= goal && read['Mpoints/s'] >= 20;
  row(`points at rest, one each ${every.replace('s', ' s')}`, `${seal['B/point'].toFixed(1)} bytes a point`,
    `decoded at ${read['Mpoints/s'].toFixed(0)} million points/s a core, encoded at ${seal['Mpoints/s'].toFixed(1)}`, `≤ ${goal} bytes, ≥ 20 million/s`, met);
}
for (const engine of ['sqlite', 'postgres']) {
  const seal = past.get(`BenchmarkSeal/${engine}`);
  if (seal) row(`points that go to rest, ${engine}`, `${whole(seal['points/s'])} points/s`);
}
const exported = past.get('BenchmarkExport');
if (exported) row('an export of points as CSV', `${whole(exported['rows/s'])} rows/s, ${exported['peak-MB'].toFixed(0)} MB of heap more`,
  `× ${exported['x-bare'].toFixed(2)} of reading, writing, and deflating the same rows`, '≥ × 0.5, ≤ 32 MB', exported['x-bare'] >= 0.5 && exported['peak-MB'] <= 32);
const besides = benchmarks(text('beside'));
const noise = m => `; the same without it × ${m['noise-ratio'].toFixed(2)}`;
for (const [engine, name] of [['sqlite', 'SQLite'], ['postgres', 'PostgreSQL']]) {
  const m = besides.get(`BenchmarkIngestBesidePurge/${engine}/rate=5000`);
  if (m) row(`5 000 points/s while blocks of long ago are purged, ${name}`, `p99 ${ms(m['beside-p99-ms'])} ms`,
    `p99 × ${m['p99-ratio'].toFixed(2)} of before, medians of five turns${noise(m)}`, '≤ × 1.5', m['p99-ratio'] <= 1.5);
}
const exporting = besides.get('BenchmarkIngestBesideExport');
if (exporting) row(`5 000 points/s while ${whole(exporting.rows)} points of 500 assets are exported`,
  `p99 ${ms(exporting['beside-p99-ms'])} ms; ${whole(exporting['rows/s'])} rows/s, ${whole(exporting['heap-more-MB'])} MB more heap`,
  `p99 × ${exporting['p99-ratio'].toFixed(2)} of before and after, medians${noise(exporting)}`, '≤ × 2', exporting['p99-ratio'] <= 2);

const trips = text('trips') ? JSON.parse(text('trips')) : undefined;
if (trips) {
  const page = `a link to the day of ${trips.assets} assets at a point a second (${whole(trips.points)} points)`;
  row(`${page}: first answer; lines on the map`, `${(trips.first_answer_ms / 1000).toFixed(1)} s; ${(trips.lines_ms / 1000).toFixed(1)} s`,
    'with the load of the app; software draws the map', '≤ 2 s', trips.lines_ms <= 2000);
  row(`${page}: longest main-thread task while it loads; while it plays`, `${whole(trips.loading_task_ms)} ms; ${whole(trips.playing_task_ms)} ms`, '',
    '≤ 50 ms while it plays', trips.playing_task_ms <= 50);
  row(`${page}: JavaScript heap`, `${whole(trips.heap_MB)} MB`, '', '≤ 200 MB', trips.heap_MB <= 200);
}

const browser = text('page') ? JSON.parse(text('page')) : undefined;
if (browser) {
  const page = `a page with ${whole(browser.assets)} assets, 2 % moving each second`;
  const first = Math.max(browser.first_row_ms, browser.first_mark_ms);
  row(`${page}: first rows and marks after the password`, `${(first / 1000).toFixed(1)} s`,
    `all of them ${(browser.all_marks_ms / 1000).toFixed(1)} s`, '≤ 3 s', first <= 3000);
  for (const [when, ours, theirs, goal] of [
    ['while it loads', browser.loading_task_ms, browser.loading_task_empty_ms, 200],
    ['afterwards', browser.later_task_ms, browser.later_task_empty_ms, 50],
    ['while someone searches', browser.search_task_ms, browser.later_task_empty_ms, 50],
  ]) row(`${page}: longest main-thread task ${when}`, `${whole(ours)} ms`, `without assets: ${whole(theirs)} ms`, `≤ ${goal} ms`, ours <= goal);
  row(`${page}: JavaScript heap`, `${whole(browser.heap_MB)} MB`, `at most ${whole(browser.heap_most_MB)} MB before it was collected; without assets: ${whole(browser.heap_empty_MB)} MB`,
    '≤ 200 MB', browser.heap_most_MB <= 200);
  row(`${page}: a search, from the end of the pause to the rows, p95`, `${whole(browser.search_p95_ms)} ms`,
    `the frame with them ${whole(browser.search_frame_p95_ms)} ms: software draws the map`, '≤ 150 ms', browser.search_p95_ms <= 150);
}

const many = run('sqlite', 100_000, 64, true);
if (many) row('Go heap that 100 000 assets take in the live picture, before they report', `${many['heap-MB'].toFixed(0)} MB`);
const server = text('server') ? JSON.parse(text('server')) : undefined;
if (server) {
  row('first load until the sign-in screen stands, from an empty cache', `${server.first_load_kB.toFixed(0)} kB`,
    `${server.settled_kB.toFixed(0)} kB in ${server.requests} requests when all is quiet`, '≤ 250 kB', server.first_load_kB <= 250);
  row(`server memory (resident) with ${whole(server.assets)} assets, each heard once`, `${server.memory_MB.toFixed(0)} MB`,
    `${server.memory_empty_MB.toFixed(0)} MB before them, at most ${server.memory_most_MB.toFixed(0)} MB while they came`);
}
const large = text('large') ? JSON.parse(text('large')) : undefined;
if (large) {
  const known = (what, name) => {
    const seconds = large[`${name}_seconds`];
    const waits = large[`${name}_p99`] / large.quiet_p99;
    row(`${whole(large.assets)} assets registered ${what}`, `${seconds.toFixed(1)} s`, `${large[`${name}_cpu_s`].toFixed(1)} s of processor time`, '≤ 15 s', seconds <= 15);
    row('another tenant\'s heartbeats meanwhile', `p50 ${ms(large[`${name}_p50`])}, p99 ${ms(large[`${name}_p99`])} ms`,
      `p99 × ${waits.toFixed(1)} of before: p50 ${ms(large.quiet_p50)}, p99 ${ms(large.quiet_p99)} ms`, '≤ × 2', waits <= 2);
  };
  known('by a key, 10 000 a request', 'register');
  known('by CSV, 10 000 a file, previewed and applied', 'import');
  row(`server memory (resident) with ${whole(large.assets)} assets, 2 % moving each second, a page polling`, `at most ${large.memory_moving_most_MB.toFixed(0)} MB`,
    `at most ${large.memory_most_MB.toFixed(0)} MB from the start on, at rest ${large.memory_MB.toFixed(0)} MB`, '≤ 500 MB', large.memory_moving_most_MB <= 500);
  if (large.killed_ready_s !== undefined) {
    row(`a start after SIGKILL, all ${whole(large.assets)} assets heard in the last seconds`, `ready after ${large.killed_ready_s.toFixed(1)} s`,
      `${whole(large.killed_lost)} assets without their last report`, 'none lost', large.killed_lost === 0);
  }
  row('one poll of it after 15 s', `${(large.poll_bytes / 1000).toFixed(0)} kB with gzip, ${whole(large.poll_rows)} rows`,
    `all: ${(large.load_bytes / 1000).toFixed(0)} kB, ${whole(large.load_rows)} rows`);
}
const size = Number(text('size'));
if (size) row('bin/lightbar', `${(size / 2 ** 20).toFixed(1)} MiB`, '', '≤ 90 MB', size <= 90 * 2 ** 20);

process.stdout.write('| what | figure | comparison | goal | met |\n|---|---|---|---|---|\n');
for (const cells of rows) process.stdout.write(`| ${cells.join(' | ')} |\n`);
