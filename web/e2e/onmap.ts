// Every noun of the map, as another client of the same account makes, changes and ends it, and what others see of that.
import { randomUUID } from 'node:crypto';
import { formatLatLng } from '~/lib/coordinates';
import { type client, ingest, register, type Server, until } from './harness';
import { point } from './journey';
import type { Place } from './seen';

/** In the ocean, where no street gives an event another name. */
const SEA = { lat: 35.5, lng: -60.5 };
const MOVED = { lat: 35.52, lng: -60.48 };
/** As far as the marker of an incident may be moved, and less. */
const NEARBY = { lat: 35.5004, lng: -60.5 };

/** Who changes things: the devices of the organization, and somebody who is signed in. */
export interface Others {
  server: Server;
  admin: Awaited<ReturnType<typeof client>>;
}

/**
 * A text of its row in the list, a line of its detail (a pattern), and where it stands on the map; of what is gone the
 * text that is no more.
 */
export interface Seen {
  row: string;
  isListed: boolean;
  line: string;
  at: Place | null;
}

interface Act {
  does: string;
  do: (others: Others, id: string) => Promise<unknown>;
  /** What others see then; what it does not say stays as it was. */
  shows: Partial<Seen>;
}

export interface Noun {
  what: string;
  /** its list, as an address */
  section: string;
  /** Where its maker says its id: its detail is open before it is there, and says this. */
  awaited?: { id: string; line: string };
  make: (others: Others) => Promise<unknown>;
  find: (others: Others) => Promise<string>;
  made: Seen;
  acts: readonly Act[];
}

const iso = () => new Date().toISOString();
const gone = (line: string): Partial<Seen> => ({ isListed: false, line, at: null });
const find = (path: string, is: (one: Record<string, unknown>) => boolean) => async (others: Others) =>
  until('the server to have it', async () => {
    const rows = await others.admin.get<Record<string, unknown>[]>(path);
    return rows.find(is)?.id as string | undefined;
  });

/** A noun that people edit: each of its changes can be undone. */
function edited(
  what: string,
  section: string,
  path: string,
  idField: 'id' | 'uuid',
  missing: string,
  bodyOf: (name: string, at: Place, others: Others) => Promise<object> | object,
): Noun {
  const id = randomUUID();
  const [first, second] = [`Agree ${section} one`, `Agree ${section} two`];
  const undo = (version: number) => (others: Others) => others.admin.post(`${path}/${id}/undo`, { version });
  const change = async (others: Others) => others.admin.put(`${path}/${id}`, await bodyOf(second, MOVED, others));
  const made = { row: first, isListed: true, line: first, at: SEA };
  const changed = { row: second, isListed: true, line: second, at: MOVED };
  return {
    what,
    section,
    awaited: { id, line: missing },
    make: async others => others.admin.post(path, { ...(await bodyOf(first, SEA, others)), [idField]: id }),
    find: async () => id,
    made,
    // Each of them raises the version by one.
    acts: [
      { does: 'changed', do: change, shows: changed },
      { does: 'change undone', do: undo(2), shows: made },
      { does: 'deleted', do: others => others.admin.remove(`${path}/${id}`), shows: gone(missing) },
      { does: 'deletion undone', do: undo(4), shows: made },
    ],
  };
}

const areaBody = async (name: string, at: Place, { admin }: Others) => ({
  name,
  ez_type_id: (await admin.get<{ id: string; db_name: string }[]>('/ez_types')).find(t => t.db_name === 'poi')?.id,
  point_geom: { lat: at.lat, lon: at.lng },
  radius_dist: 80,
});

/** A zone of one circle. */
const zoneBody = (description: string, { lat, lng }: Place) => ({
  description,
  alerting_zone_type_name: 'work',
  features: {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { radius_dist: 80 }, geometry: { type: 'Point', coordinates: [lng, lat] } },
    ],
  },
});

/** A closure of a line of 44 m about a place. */
const closureBody = (description: string, { lat, lng }: Place) => ({
  description,
  direction: 'N',
  user_route: [-0.0002, 0.0002].map(by => ({ lat: lat + by, lng: lng + by })),
});

const report = (asset: string, at: Place, more: object = {}) => point(asset, 0, { ...at, ...more });

const ASSET: Noun = {
  what: 'asset',
  section: 'things',
  make: async ({ server }) => {
    await register(server, [{ haas_id: 'HA7-AGREE', nickname: 'Agree one', thing_type: 'fire', device_type: 'ha7' }]);
    await ingest(server, [report('HA7-AGREE', SEA)]);
  },
  find: find('/organization/things', one => one.nickname === 'Agree one'),
  made: { row: 'Agree one', isListed: true, line: 'Agree one', at: SEA },
  acts: [
    {
      does: 'changed',
      do: ({ admin }, id) =>
        admin.put(`/things/${id}`, { nickname: 'Agree two', in_service: true, is_publicly_alerting: true }),
      shows: { row: 'Agree two', line: 'Agree two' },
    },
    {
      does: 'moved',
      do: ({ server }) => ingest(server, [report('HA7-AGREE', MOVED, { speed: 15.2, course: 38, alerting: true })]),
      shows: { row: '34 mph', line: 'Responding.*', at: MOVED },
    },
    { does: 'deleted', do: ({ admin }, id) => admin.remove(`/things/${id}`), shows: gone('Asset not found') },
  ],
};

/** Of an asset that has stood for a minute with its lights on. It has no street: its place is its name. */
const INCIDENT: Noun = {
  what: 'incident',
  section: 'events?time=active',
  make: async ({ server }) => {
    await register(server, [{ haas_id: 'HA7-SCENE', nickname: 'Agree scene', thing_type: 'fire', device_type: 'ha7' }]);
    const stands = Array.from({ length: 16 }, (_, i) => point('HA7-SCENE', 78 - 5 * i, { ...SEA, alerting: true }));
    await ingest(server, stands);
  },
  find: find('/locations/active', one => JSON.stringify(one.things_active).includes('Agree scene')),
  made: { row: formatLatLng(SEA), isListed: true, line: formatLatLng(SEA), at: SEA },
  acts: [
    {
      does: 'changed',
      do: ({ admin }, id) => admin.put(`/locations/${id}`, NEARBY),
      shows: { row: formatLatLng(NEARBY), line: formatLatLng(NEARBY), at: NEARBY },
    },
    {
      does: 'change undone',
      do: async ({ admin }, id) => {
        const { version } = await admin.get<{ version: number }>(`/locations/${id}`);
        await admin.post(`/locations/${id}/undo`, { version });
      },
      shows: { row: formatLatLng(SEA), line: formatLatLng(SEA), at: SEA },
    },
    {
      does: 'ended',
      do: ({ server }) => ingest(server, [report('HA7-SCENE', MOVED, { speed: 15 })]),
      shows: gone('Recent.*'),
    },
  ],
};

const event = (more: object) => ({ type: 'event', id: 'AGREE-EVENT', at: iso(), ...more });
const EVENT: Noun = {
  what: 'reported incident',
  section: 'events?time=active',
  make: ({ server }) => ingest(server, [event(SEA)]),
  find: find('/locations/active', one => one.external_id === 'AGREE-EVENT'),
  made: { row: 'AGREE-EVENT', isListed: true, line: 'AGREE-EVENT', at: SEA },
  acts: [
    {
      does: 'changed',
      do: ({ server }) => ingest(server, [event({ ...MOVED, alert_message: 'Keep right' })]),
      shows: { row: 'Keep right', line: 'Keep right', at: MOVED },
    },
    { does: 'ended', do: ({ server }) => ingest(server, [event({ is_active: false })]), shows: gone('No assets.') },
  ],
};

const hazard = (description: string, more: object) => ({
  type: 'hazard',
  id: 'AGREE-HAZARD',
  at: iso(),
  hazard_type: 'debris',
  description,
  ...more,
});
const HAZARD: Noun = {
  what: 'hazard',
  section: 'hazards',
  make: ({ server }) => ingest(server, [hazard('Agree one', SEA)]),
  find: find('/organization/hazards', one => one.external_id === 'AGREE-HAZARD'),
  made: { row: 'Agree one', isListed: true, line: 'Agree one', at: SEA },
  acts: [
    {
      does: 'changed',
      do: ({ server }) => ingest(server, [hazard('Agree two', MOVED)]),
      shows: { row: 'Agree two', line: 'Agree two', at: MOVED },
    },
    {
      does: 'confirmed',
      do: ({ admin }, id) => admin.post(`/organization/hazards/${id}/confirm`, {}),
      shows: { row: 'Confirmed by', line: 'Dana Moore .*' },
    },
    {
      does: 'cleared',
      do: ({ admin }, id) => admin.post(`/organization/hazards/${id}/clear`, {}),
      shows: { ...gone('Cleared by .*'), row: 'Agree two' },
    },
  ],
};

export const NOUNS: readonly Noun[] = [
  ASSET,
  INCIDENT,
  EVENT,
  edited('area', 'areas', '/organization/exclusion_zone', 'id', 'Area not found', areaBody),
  edited('zone', 'zones', '/organization/alerting_zones', 'id', 'Zone not found', zoneBody),
  HAZARD,
  edited('closure', 'closures', '/organization/closure', 'uuid', 'Closure not found', closureBody),
];
