// The closures and areas that a map is filled with for measuring, made through the API.
import { pause, say } from './measure.mjs';

export const NOUNS = [
  {
    noun: 'closure',
    few: 50,
    many: 5000,
    path: '/organization/closure',
    section: 'closures',
    list: 'Closures',
    body: closure,
  },
  {
    noun: 'area',
    few: 100,
    many: 10_000,
    path: '/organization/exclusion_zone',
    section: 'areas',
    list: 'Areas',
    body: area,
  },
];
export const CENTER = { lat: 39.2, lng: -75.5 };
/** Degrees around the center in which they stand. */
const SPREAD = { lat: 0.7, lng: 0.8 };
/** Requests under way at once. */
const PARALLEL = Array.from({ length: 4 });

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
export async function office({ url, demo }) {
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

/** Makes those from one number to another; they stand around the center. */
export async function make({ path, body }, api, from, to, type) {
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
