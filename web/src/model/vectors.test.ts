import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import enums from '@catalog/enums.json';
import rights from '@catalog/permissions.json';
import type { Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { parseLatLng } from '~/lib/coordinates';
import { plusCode } from '~/lib/plusCode';
import { type Address, checkAddress } from './address';
import { lightRefusal, r2rRefusal } from './command';
import { speedText } from './describe';
import { isEmail } from './email';
import { compass, shortName, speedIn, speedUnit, truncate } from './format';
import { changeOf, kindText, type MonthlyFigure } from './monthlyReport';
import { wordsOf } from './organization';
import { keepsRules } from './password';
import { nextTimes, type Recurrence } from './recurrence';
import { matchesThing, searchOf } from './search';
import { type Circle, circleContains, circleM2, circleProblem, shapeContains, shapeM2, shapeProblem } from './shape';
import { compareThings } from './sort';
import { computeStatus, isStaleHeartbeat, Status, serviceState, statusLabel, statusOfWire } from './status';
import { makeThing } from './testing';
import { namesOf, runTime, timeToScene } from './thing';
import { subtypesFor } from './thingType';

const folder = fileURLToPath(new URL('../../../catalog/vectors/', import.meta.url));
const read = <T>(name: string): T => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as T;
const NOW = Date.parse('2026-11-21T10:42:07.000Z');

interface Cases<T> {
  cases: T[];
}

interface ShapeCase {
  name: string;
  geometry?: unknown;
  circle?: Circle;
  comb?: number;
  exclusion?: boolean;
  field?: string;
  message?: string;
  area_m2?: number;
  inside?: [number, number][];
  outside?: [number, number][];
}

/** A polygon of n corners, as the vectors say it. */
function comb(n: number): Polygon {
  const teeth = Array.from({ length: n - 2 }, (_, i) => [i * 1e-6, 1e-4 * (1 + (i % 2))]);
  return { type: 'Polygon', coordinates: [[...teeth, [(n - 3) * 1e-6, 0], [0, 0], [0, 1e-4]]] };
}

/** The laws that the server knows too: one file each, run by both test suites. */
const laws: Record<string, () => void> = {
  // spec: 6.thing.02 6.thing.03
  commands() {
    const { INVOKE_R2R, CHANGE_LIGHT_INTENSITY } = rights.requirements;
    const asks = { r2r: INVOKE_R2R, light_intensity: CHANGE_LIGHT_INTENSITY };
    const { cases } =
      read<
        Cases<{
          action: keyof typeof asks;
          device_type: string;
          permissions: string[];
          thing_type: string;
          r2r: boolean;
          allowed: boolean;
          status: string;
          test_mode: boolean;
          refused: string | null;
        }>
      >('commands');
    expect(cases.length).toBeGreaterThan(50);
    for (const one of cases) {
      const thing = makeThing({
        deviceType: one.device_type,
        thingTypeId: enums.thingTypes.find(type => type.name === one.thing_type)?.id ?? '',
        isR2REnabled: one.r2r,
        isAllowedForTestMode: one.allowed,
        isTestModeOn: one.test_mode,
        status: statusOfWire(one.status) ?? Status.OOS,
      });
      const isPermitted = asks[one.action].some(permission => one.permissions.includes(permission));
      const refused = one.action === 'r2r' ? r2rRefusal(thing, isPermitted) : lightRefusal(thing, isPermitted);
      expect([one, refused ?? null]).toEqual([one, one.refused]);
    }
  },
  monthly() {
    interface Case {
      kind: MonthlyFigure['kind'];
      miles: boolean;
    }
    const { words, changes } = read<{
      words: (Case & { value: number; text: string })[];
      changes: (Case & { now: number; before: number; sign: number; by: string; percent: string })[];
    }>('monthly');
    const unitOf = ({ miles }: Case) => (miles ? 'mph' : 'km/h');
    for (const c of words) expect(kindText(c.kind, c.value, unitOf(c))).toBe(c.text);
    for (const { sign, by, percent, ...c } of changes)
      expect(changeOf(c.kind, c.now, c.before, unitOf(c)), JSON.stringify(c)).toEqual({ sign, by, percent });
  },
  // spec: 2.map.10 5.general.06
  coordinates() {
    for (const { text, at } of read<Cases<{ text: string; at: [number, number] | null }>>('coordinates').cases) {
      const found = parseLatLng(text);
      if (!at) expect(found, text).toBeNull();
      else {
        expect(found?.lat, text).toBeCloseTo(at[0], 9);
        expect(found?.lng, text).toBeCloseTo(at[1], 9);
      }
    }
  },
  'plus-codes': () => {
    type Code = { lat: number; lng: number; letters: number; code: string };
    const { codes } = read<{ codes: Code[] }>('plus-codes');
    for (const c of codes) expect(plusCode(c, c.letters), c.code).toBe(c.code);
  },
  // spec: 3.thing.17, 9.format.05
  compass: () => {
    for (const c of read<Cases<{ course: number | null; direction: string }>>('compass').cases) {
      expect(compass(c.course), `course ${c.course}`).toBe(c.direction);
    }
  },
  // spec: 5.address.01, 5.address.02, 5.address.03, 5.address.04, 5.address.05, 5.address.06, 5.address.07
  address: () => {
    type Case = { name: string; address: Partial<Address>; normal?: Partial<Address>; fields: Partial<Address> };
    const blank: Address = { address1: '', address2: '', city: '', state: '', postal_code: '', country_code: '' };
    for (const c of read<Cases<Case>>('address').cases) {
      const { normal, wrong } = checkAddress({ ...blank, ...c.address });
      expect(wrong, c.name).toEqual(c.fields);
      expect(normal, c.name).toMatchObject(c.normal ?? {});
    }
  },
  // spec: 5.signin.02
  email: () => {
    for (const c of read<Cases<{ email: string; repeat?: number; valid: boolean }>>('email').cases) {
      expect(isEmail('x'.repeat(c.repeat ?? 0) + c.email), c.email).toBe(c.valid);
    }
  },
  // spec: D.password.01
  password: () => {
    for (const c of read<Cases<{ password: string; specified: boolean; nist: boolean }>>('password').cases) {
      expect(keepsRules(c.password, 'specified'), c.password).toBe(c.specified);
      expect(keepsRules(c.password, 'nist'), c.password).toBe(c.nist);
    }
  },
  // spec: 3.thing.12, 3.thing.13, 3.thing.14
  'display-name': () => {
    type Case = Record<
      'nickname' | 'system_name' | 'external_id' | 'device_type' | 'primary' | 'secondary' | 'system_id',
      string
    >;
    for (const c of read<Cases<Case>>('display-name').cases) {
      const names = namesOf({
        nickname: c.nickname,
        haasId: c.system_name,
        externalId: c.external_id,
        deviceType: c.device_type,
        vinNumber: '',
        plateNumber: '',
        registryNumber: '',
      });
      expect(names).toMatchObject({
        primaryDisplayName: c.primary,
        secondaryDisplayName: c.secondary,
        systemId: c.system_id,
      });
    }
  },
  // The server's suite shows which run it names: state → wire.
  run: () => {
    type Case = {
      name: string;
      wire: { run_start: number; points: number } | null;
      arrived_at: number;
      enroute: boolean;
      stale: boolean;
      at: number;
      now: number;
      figures: { time_to_scene: number | null; run_time: number | null };
    };
    for (const c of read<Cases<Case>>('run').cases) {
      const thing = makeThing({
        runId: c.wire ? 'run-1' : '',
        runStartAt: c.wire?.run_start ?? 0,
        locationId: c.arrived_at ? 'scene-1' : '',
        incidentStartAt: c.arrived_at,
        enroute: c.enroute,
        isActive: true, // lights at the scene: they are not the way
        at: c.at,
        heartbeatAt: c.now,
        staleAt: c.stale ? c.now : 0,
      });
      expect({ time_to_scene: timeToScene(thing), run_time: runTime(thing, c.now) }, c.name).toEqual(c.figures);
    }
  },
  // spec: 5.search.01, 5.search.02
  search: () => {
    type Fields = Record<'name' | 'nickname' | 'system_id' | 'vin' | 'plate' | 'registry', string>;
    for (const c of read<Cases<{ fields: Fields; query: string; match: boolean }>>('search').cases) {
      const { searchKey } = namesOf({
        nickname: c.fields.nickname,
        haasId: c.fields.name,
        externalId: c.fields.system_id,
        deviceType: 'api',
        vinNumber: c.fields.vin,
        plateNumber: c.fields.plate,
        registryNumber: c.fields.registry,
      });
      expect(matchesThing({ searchKey }, searchOf(c.query)), JSON.stringify(c)).toBe(c.match);
    }
  },
  nights: () => {
    type Night = { name: string; pattern: Recurrence; now: string; next: [string, string][] };
    const iso = (at: number) => new Date(at).toISOString();
    for (const { name, pattern, now, next } of read<Cases<Night>>('nights').cases) {
      const found = nextTimes(pattern, Date.parse(now), 3).map(({ from, to }) => [iso(from), iso(to)]);
      expect(found, name).toEqual(next);
    }
  },
  // spec: 5.area.04, 5.area.05, 9.limits.23
  shapes: () => {
    for (const c of read<Cases<ShapeCase>>('shapes').cases) {
      const geometry = c.comb ? comb(c.comb) : (c.geometry as Polygon);
      const problem = c.circle
        ? circleProblem(c.circle)
        : shapeProblem(geometry, c.exclusion ? 'exclusion' : undefined);
      expect(problem, c.name).toEqual(c.message ? { field: c.field, message: c.message } : undefined);
      if (problem) continue;
      if (c.area_m2 !== undefined) {
        const off = Math.abs((c.circle ? circleM2(c.circle.radius_dist) : shapeM2(geometry)) - c.area_m2);
        expect(off, `${c.name}: ${c.area_m2} m²`).toBeLessThanOrEqual(Math.max(c.area_m2 * 1e-6, 1e-4));
      }
      const contains = (lng: number, lat: number) =>
        c.circle ? circleContains(c.circle, lat, lng) : shapeContains(geometry, lat, lng);
      expect(c.inside?.filter(([lng, lat]) => !contains(lng, lat)) ?? [], `${c.name}: inside`).toEqual([]);
      expect(c.outside?.filter(([lng, lat]) => contains(lng, lat)) ?? [], `${c.name}: outside`).toEqual([]);
    }
  },
  // spec: 9.format.02, 9.format.03, 9.format.04
  shorten: () => {
    for (const c of read<Cases<{ name: string; in_service: boolean; label: string; row: string }>>('shorten').cases) {
      expect(shortName(c.name, c.in_service)).toBe(c.label);
      expect(truncate(c.name)).toBe(c.row);
    }
  },
  // spec: 4.list.05, 4.list.06, 4.list.07, 4.status.14
  sort: () => {
    type Row = { id: string; status: string; name: string; heartbeat_at: number };
    for (const c of read<Cases<{ things: Row[]; sorted: string[] }>>('sort').cases) {
      const things = c.things.map(t => ({
        id: t.id,
        status: statusOfWire(t.status) ?? 5,
        nameKey: t.name.toLowerCase(),
        heartbeatAt: t.heartbeat_at,
      }));
      expect(things.sort(compareThings).map(t => t.id)).toEqual(c.sorted);
    }
  },
  // spec: 9.format.01, 4.status.22, 4.status.23
  speed: () => {
    type Case = { speed: number; country: string; stale: boolean; value: number; unit: string; text: string };
    for (const c of read<Cases<Case>>('speed').cases) {
      expect(speedUnit(c.country)).toBe(c.unit);
      expect(speedIn(speedUnit(c.country), c.speed)).toBe(c.value);
      const thing = makeThing({ speed: c.speed, heartbeatAt: c.stale ? NOW - 600_000 : NOW, staleAt: 0 });
      const words = wordsOf({
        id: '',
        name: '',
        timezone: 'UTC',
        countryCode: c.country,
        respondersType: 'some',
        eventWording: 'default',
      });
      expect(speedText(thing, words, NOW)).toBe(c.text);
    }
  },
  // spec: 3.thing.16
  stale: () => {
    for (const c of read<Cases<{ heartbeat_age_ms: number | null; stale: boolean }>>('stale').cases) {
      const heartbeatAt = c.heartbeat_age_ms === null ? 0 : NOW - c.heartbeat_age_ms;
      expect(isStaleHeartbeat(heartbeatAt, NOW), `age ${c.heartbeat_age_ms}`).toBe(c.stale);
    }
  },
  // spec: 5.asset.07
  subtype: () => {
    const types = enums.thingTypes.map(t => ({ ...t }));
    const idOf = (name: string) => types.find(t => t.name === name)?.id ?? name;
    const subtypes = enums.thingSubtypes.map(s => ({ ...s, thingTypeId: idOf(s.thingType) }));
    for (const c of read<Cases<{ type: string; subtype: string; offered: boolean }>>('subtype').cases) {
      const offered = subtypesFor(idOf(c.type), subtypes, types).map(s => subtypes.find(one => one.id === s.id)?.name);
      expect(offered.includes(c.subtype), JSON.stringify(c)).toBe(c.offered);
    }
  },
  // spec: 4.status.01, 4.status.02, 4.status.04, 4.status.06, 3.enum.03, 4.live.05
  'status-label': () => {
    type Case = { status: string; responder: boolean; label: string; rank: number; service: string };
    for (const c of read<Cases<Case>>('status-label').cases) {
      const status = statusOfWire(c.status);
      expect(status).toBe(c.rank);
      if (status === undefined) continue;
      expect(statusLabel(status, c.responder)).toBe(c.label);
      expect(serviceState(status, true)).toBe(c.service);
      expect(serviceState(status, false)).toBe('oos');
    }
  },
  // spec: 4.status.12, 4.status.13, 4.status.16, 4.status.17, 4.status.18, 4.status.19, 4.status.20, 4.status.21, 9.limits.01, 9.limits.02, 9.limits.05
  status: () => {
    type Case = {
      closures_active: boolean;
      on_incident: boolean;
      heartbeat_age_ms: number | null;
      enroute: boolean;
      stationary: boolean;
      status: string;
    };
    for (const c of read<Cases<Case>>('status').cases) {
      const facts = {
        hasActiveClosures: c.closures_active,
        isOnIncident: c.on_incident,
        enroute: c.enroute,
        hasStreet: c.stationary,
        heartbeatAt: c.heartbeat_age_ms === null ? 0 : NOW - c.heartbeat_age_ms,
      };
      expect(computeStatus(facts, NOW), JSON.stringify(c)).toBe(statusOfWire(c.status));
    }
  },
};

describe('laws shared with the server', () => {
  for (const [name, law] of Object.entries(laws)) it(name, law);

  /** Files that another test of this side runs; everything else in the folder must be run here. */
  const elsewhere: readonly string[] = ['user-file'];
  it('runs every file of the folder', () => {
    const names = readdirSync(folder).map(f => f.replace(/\.json$/, ''));
    expect(names.filter(n => !(n in laws) && !elsewhere.includes(n))).toEqual([]);
  });
});
