// Live everywhere: what one client makes, changes and deletes, a second browser's list, detail and map show, noun by noun.
import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { client, ingest, mapReady, register, row, type Server, signIn, until } from './harness';
import { setScene } from './scene';
import { findMap } from './stage';

const scene = setScene();

/** In the ocean, where no street gives an event another name. */
const SEA = { lat: 35.5, lng: -60.5 };
const MOVED = { lat: 35.52, lng: -60.48 };
const iso = () => new Date().toISOString();

/** What shows that a record is gone, or has ended. */
interface Noun {
  what: string;
  section: string;
  /** Makes one that stands at SEA; its id. */
  make: (server: Server, name: string) => Promise<string>;
  /** Renames it, where names can be changed, and moves it to MOVED. */
  change: (server: Server, id: string, name: string, next: string) => Promise<void>;
  end: (server: Server, id: string, name: string) => Promise<void>;
  /** what the detail says of one that is gone */
  ended: string | RegExp;
  /** what the list and the detail say of the change beside its name */
  said?: string;
  /** what the detail is headed by, where that is not the name */
  title?: string;
}

const AREAS = '/organization/exclusion_zone';
const ZONES = '/organization/alerting_zones';
const CLOSURES = '/organization/closure';
const typeOf = async (server: Server) =>
  (await (await client(server)).get<{ id: string; db_name: string }[]>('/ez_types')).find(t => t.db_name === 'poi')?.id;
const find = async (server: Server, path: string, is: (one: Record<string, unknown>) => boolean) =>
  until('the server to have it', async () => {
    const rows = await (await client(server)).get<Record<string, unknown>[]>(path);
    return rows.find(is)?.id as string | undefined;
  });
const event = (id: string, more: object) => ({ type: 'event', id, at: iso(), ...more });
const hazard = (id: string, more: object) => ({ type: 'hazard', id, at: iso(), hazard_type: 'debris', ...more });
/** A zone of one circle. */
const zone = (description: string, { lat, lng }: typeof SEA) => ({
  description,
  alerting_zone_type_name: 'work',
  features: {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { radius_dist: 80 }, geometry: { type: 'Point', coordinates: [lng, lat] } },
    ],
  },
});
/** A line of 44 m about a place. */
const lineAt = ({ lat, lng }: typeof SEA) => [-0.0002, 0.0002].map(by => ({ lat: lat + by, lng }));
const point = (asset: string, at: object) => ({ type: 'point', asset, at: iso(), speed: 0, accuracy: 4, ...at });

/** Every noun on the map: one row each. */
const NOUNS: readonly Noun[] = [
  {
    what: 'an asset',
    section: 'things',
    make: async (server, name) => {
      await register(server, [{ haas_id: `HA7-${name}`, nickname: name, thing_type: 'fire', device_type: 'ha7' }]);
      await ingest(server, [point(`HA7-${name}`, SEA)]);
      return find(server, '/organization/things', one => one.nickname === name);
    },
    change: async (server, id, name, next) => {
      await (await client(server)).put(`/things/${id}`, {
        nickname: next,
        in_service: true,
        is_publicly_alerting: true,
      });
      await ingest(server, [point(`HA7-${name}`, MOVED)]);
    },
    end: async (server, id) => (await client(server)).remove(`/things/${id}`),
    ended: 'Asset not found',
  },
  {
    what: 'an incident',
    section: 'events?time=active',
    make: async (server, name) => {
      await ingest(server, [event(name, SEA)]);
      return find(server, '/locations/active', one => one.external_id === name);
    },
    change: (server, _, name) => ingest(server, [event(name, { ...MOVED, alert_message: 'Keep right' })]),
    end: (server, _, name) => ingest(server, [event(name, { is_active: false })]),
    ended: 'No assets.',
    said: 'Keep right',
  },
  {
    what: 'an area',
    section: 'areas',
    make: async (server, name) => {
      const at = { lat: SEA.lat, lon: SEA.lng };
      const body = { name, ez_type_id: await typeOf(server), point_geom: at, radius_dist: 80 };
      return (await (await client(server)).post<{ id: string }>(AREAS, body)).id;
    },
    change: async (server, id, _, next) => {
      const point_geom = { lat: MOVED.lat, lon: MOVED.lng };
      await (await client(server)).put(`${AREAS}/${id}`, { name: next, point_geom });
    },
    end: async (server, id) => (await client(server)).remove(`${AREAS}/${id}`),
    ended: 'Area not found',
  },
  {
    what: 'a zone',
    section: 'zones',
    make: async (server, name) => (await (await client(server)).post<{ id: string }>(ZONES, zone(name, SEA))).id,
    change: async (server, id, _, next) => (await client(server)).put(`${ZONES}/${id}`, zone(next, MOVED)),
    end: async (server, id) => (await client(server)).remove(`${ZONES}/${id}`),
    ended: 'Zone not found',
  },
  {
    what: 'a hazard',
    section: 'hazards',
    title: 'Debris',
    make: async (server, name) => {
      await ingest(server, [hazard(name, { ...SEA, description: name })]);
      return find(server, '/organization/hazards', one => one.external_id === name);
    },
    change: (server, _, name, next) => ingest(server, [hazard(name, { ...MOVED, description: next })]),
    end: (server, _, name) => ingest(server, [hazard(name, { is_active: false })]),
    ended: /^Ended by/,
  },
  {
    what: 'a closure',
    section: 'closures',
    make: async (server, name) => {
      const body = { description: name, direction: 'N', user_route: lineAt(SEA) };
      return (await (await client(server)).post<{ id: string }>(CLOSURES, body)).id;
    },
    change: async (server, id, _, next) =>
      (await client(server)).put(`${CLOSURES}/${id}`, { description: next, user_route: lineAt(MOVED) }),
    end: async (server, id) => (await client(server)).remove(`${CLOSURES}/${id}`),
    ended: 'Closure not found',
  },
];

/** Where the map of a page has it; null where it has not. */
const placeOn = (page: Page, id: string) => page.evaluate(one => window.map.standing.placeOf(one), id);
const near = (a: { lat: number; lng: number } | null, b: { lat: number; lng: number }) =>
  a !== null && Math.abs(a.lat - b.lat) + Math.abs(a.lng - b.lng) < 1e-3; // a line's mark stands somewhere on it

/** How long each waited for what it shows, from the server's answer on; a loaded machine may take longer than people may. */
const took: string[] = [];
async function agree(what: string, checks: Record<string, () => Promise<boolean>>): Promise<void> {
  const answered = Date.now();
  const times = await Promise.all(
    Object.entries(checks).map(async ([where, check]) => {
      await until(`${what}: the ${where}`, check);
      return `${where} ${Date.now() - answered} ms`;
    }),
  );
  took.push(`${what}: ${times.join(', ')}`);
}

let list: Page;
let detail: Page;

beforeAll(async () => {
  [list, detail] = [(await scene.openForAll({ still: true })).page, (await scene.openForAll({ still: true })).page];
  await Promise.all([signIn(list, scene.server), signIn(detail, scene.server)]);
});

describe.each(NOUNS)('$what', ({ what, section, make, change, end, ended, said, title }) => {
  const [folder = ''] = section.split('?');
  const name = `Agree-${folder}`;
  const next = said ? name : `${name}-next`;
  const listed = (text: string) => async () => (await row(list, text).count()) === 1;

  it('made, changed and ended, is the same in the list, the detail and on the map of others', async () => {
    const { server } = scene;
    await list.goto(`${server.url}/dashboard/${section}`);
    await mapReady(list);
    await findMap(list, []);
    await list.getByText('Live', { exact: true }).first().waitFor();

    const id = await make(server, name);
    await agree(`${what} is made`, {
      list: listed(name),
      map: async () => near(await placeOn(list, id), SEA),
    });
    await detail.goto(`${server.url}/dashboard/${folder}/${id}`);
    await detail.getByRole('heading', { level: 1, name: title ?? name }).waitFor();

    await change(server, id, name, next);
    await agree(`${what} is changed`, {
      list: listed(said ?? next),
      detail: () =>
        detail
          .getByText(said ?? next, { exact: true })
          .first()
          .isVisible(),
      map: async () => near(await placeOn(list, id), MOVED),
    });

    await end(server, id, name);
    await agree(`${what} is ended`, {
      list: async () => (await row(list, next).count()) === 0,
      detail: () => detail.getByText(ended).first().isVisible(),
      map: async () => (await placeOn(list, id)) === null,
    });
    process.stdout.write(`${took.splice(0).join('\n')}\n`);
  });
});
