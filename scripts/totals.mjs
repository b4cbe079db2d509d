// Recomputes what the server says of trips from the raw points of an export, by the rules as docs/decisions.md (78) words them and with
// nothing of the server's code: points, distance, top speed, and time with lights on of each run; distance of each movement beside them.
// Usage: node scripts/totals.mjs URL EMAIL PASSWORD FROM TO [ASSET …]   (instants; whole days are asked one by one; assets by name)
// Prints a line for each day and asset, and exits with 1 if any figure differs.
import { inflateRawSync } from 'node:zlib';

const [url, username, password, from, to, ...named] = process.argv.slice(2);
if (!to) {
  console.error('usage: node scripts/totals.mjs URL EMAIL PASSWORD FROM TO [ASSET …]');
  process.exit(2);
}
const DAY = 86_400_000;
const GAP = 120_000; // above it nothing is known of what lies between two points
const RADIUS = 6_371_008.8;

let token = '';
async function call(method, path, body) {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  if (answer.status === 429) {
    await new Promise(resolve => setTimeout(resolve, 1000 * Number(answer.headers.get('Retry-After') ?? 1)));
    return call(method, path, body);
  }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The texts of a ZIP file by their names, read by its central directory (APPNOTE.TXT, 4.3.12). */
function unpacked(zip) {
  const texts = new Map();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const body = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(body, body + zip.readUInt32LE(at + 20));
    texts.set(zip.toString('utf8', at + 46, at + 46 + name), inflateRawSync(packed).toString('utf8'));
    at += 46 + name + extra + comment;
  }
  return texts;
}

/** The cells of a table's lines (RFC 4180). */
const cells = line =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(m => m[1].replace(/^"|"$/g, '').replaceAll('""', '"'));

/** All points of an asset in the time, oldest first, by the instants that trips go by. */
async function pointsOf({ id, owner }, start, end) {
  const ask = {
    organization_id: owner,
    export_type: 'point',
    title: 'Totals',
    export_start_time: start,
    export_end_time: end,
    use_utc: true,
  };
  let { data } = await call('POST', '/organization/export', { ...ask, thing_uuids: [id], formats: ['csv'] });
  while (data.completed_at === null) {
    await new Promise(resolve => setTimeout(resolve, 200));
    ({ data } = await call('GET', `/organization/export/${data.id}`));
  }
  if (data.status !== 'completed') throw new Error(`the export errored: ${data.error}`);
  const link = await call(
    'GET',
    `/reports/organization_monthly_report_pdf_link?is_downloadable=true&filename=${data.file_id}`,
  );
  const zip = Buffer.from(await (await fetch(new URL(link.file_url, url))).arrayBuffer());
  await call('DELETE', `/organization/export/${data.id}`).catch(() => {});
  const points = [];
  for (const [name, text] of unpacked(zip)) {
    if (!name.endsWith('.csv')) continue;
    const [head, ...lines] = text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split(/\r?\n/);
    const columns = cells(head);
    for (const line of lines) {
      const row = Object.fromEntries(cells(line).map((cell, i) => [columns[i], cell]));
      const [at, received] = [Date.parse(row.timestamp), Date.parse(row.received_at)];
      points.push({
        at: row.is_clock_skewed === 'true' ? Math.min(at, received) : at,
        lat: Number(row.lat),
        lng: Number(row.lng),
        speed: row.speed_mps === '' ? null : Number(row.speed_mps),
        lights: row.is_alerting === '' ? null : row.is_alerting === 'true',
      });
    }
  }
  return points.sort((a, b) => a.at - b.at);
}

function meters(a, b) {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lng - a.lng) * rad) / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** How far it was driven to each point from the one before: by the speeds that were said, else by leaving the surroundings. */
function driven(points) {
  const legs = points.map(() => 0);
  let stood = 0;
  for (let i = 1; i < points.length; i += 1) {
    const [a, b, place] = [points[i - 1], points[i], points[stood]];
    const said = a.speed !== null && b.speed !== null;
    if (b.at - a.at > GAP) stood = i;
    else if (said && Math.max(a.speed, b.speed) >= 1) {
      legs[i] = meters(a, b);
      stood = i;
    } else {
      const away = meters(place, b);
      const took = b.at - place.at;
      if (away >= (said ? 100 : 25) && away >= took / 1000) legs[i] = away;
      if (legs[i] > 0 || took > GAP) stood = i;
    }
  }
  return legs;
}

/** What of [start, end] lies in the stretches. */
const within = (stretches, start, end) =>
  stretches.reduce(
    (sum, s) => sum + Math.max(0, Math.min(Date.parse(s.end), end) - Math.max(Date.parse(s.start), start)),
    0,
  );

/** The figures of the points from one instant to another, both included. */
function figures(points, legs, start, end, lights) {
  const first = points.findIndex(p => p.at >= start);
  const out = { points: 0, meters: 0, top: null, lit: 0 };
  for (let i = first; i >= 0 && i < points.length && points[i].at <= end; i += 1) {
    const { at, speed } = points[i];
    out.points += 1;
    if (speed !== null) out.top = Math.max(out.top ?? 0, speed);
    if (i === first) continue;
    out.meters += legs[i];
    if (at - points[i - 1].at <= GAP) out.lit += within(lights, points[i - 1].at, at);
  }
  return out;
}

const grant = { grant_type: 'password', application: 'dashboard', username, password };
token = (await call('POST', '/user_token', grant)).access_token;
const things = [];
for (let page = 1; ; page += 1) {
  const { data, meta } = await call('GET', `/organization/things?page=${page}&per_page=100`);
  things.push(...data.map(t => ({ id: t.id, name: t.nickname || t.haas_id, owner: t.organization.id })));
  if (data.length === 0 || page * meta.per_page >= meta.total) break;
}
let [compared, wrong] = [0, 0];
for (const thing of things.filter(t => named.length === 0 || named.includes(t.name))) {
  const { id, name } = thing;
  for (let start = Date.parse(from); start < Date.parse(to); start += DAY) {
    const end = Math.min(start + DAY, Date.parse(to));
    const [since, until] = [new Date(start).toISOString(), new Date(end).toISOString()];
    const points = (await pointsOf(thing, since, until)).filter(p => p.at >= start && p.at < end);
    const { data } = await call('GET', `/things/${id}/trips?start_time=${since}&end_time=${until}`);
    const legs = driven(points);
    const differing = [];
    for (const trip of [...data.runs, ...data.other]) {
      const ours = figures(
        points,
        legs,
        Math.max(start, Date.parse(trip.run_start)),
        Math.min(end - 1, Date.parse(trip.run_end)),
        data.lights,
      );
      compared += 1;
      const same =
        ours.points === trip.points.length &&
        Math.abs(ours.meters - trip.distance) <= 0.01 + ours.meters * 1e-6 &&
        Math.abs((ours.top ?? -1) - (trip.top_speed ?? -1)) < 0.001 &&
        Math.trunc(ours.lit / 1000) === trip.lights_on;
      if (!same)
        differing.push({
          trip: trip.run_id,
          said: [trip.points.length, trip.distance, trip.top_speed, trip.lights_on],
          ours,
        });
    }
    wrong += differing.length;
    const told = data.runs.length + data.other.length;
    const what = `${points.length} points, ${data.runs.length} runs, ${data.other.length} movements`;
    console.log(`${since.slice(0, 10)} ${name}: ${what}, ${told - differing.length} alike`);
    for (const d of differing) console.log('  differs:', JSON.stringify(d));
  }
}
console.log(`${compared} trips compared, ${wrong} differ`);
process.exit(wrong > 0 || compared === 0 ? 1 : 0);
