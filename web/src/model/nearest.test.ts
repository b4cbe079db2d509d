import { expect, it } from 'vitest';
import { nearestOf } from './nearest';
import { Status } from './status';

const NOW = 1_800_000_000_000;
const PLACE = { lat: 39.7447, lng: -75.5484 };
const unit = (id: string, north: number, more: object = {}) => ({
  id,
  lat: PLACE.lat + north,
  lng: PLACE.lng,
  hasPosition: true,
  inService: true,
  status: Status.STANDBY as Status,
  heartbeatAt: NOW - 5000,
  staleAt: 0,
  ...more,
});
type Unit = ReturnType<typeof unit>;
const of = (...units: Unit[]) => nearestOf(visit => units.forEach(visit), PLACE, NOW, { live: 3, silent: 2 });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

it('finds the nearest few, near ones first, in meters of a straight line', () => {
  const { live } = of(unit('d', 0.04), unit('b', 0.02), unit('a', 0.01), unit('c', -0.03), unit('e', 0.05));
  expect(ids(live)).toEqual(['a', 'b', 'c']);
  expect(live[0]?.meters).toBeGreaterThan(1100);
  expect(live[0]?.meters).toBeLessThan(1125);
});

it('takes nobody for near whose place is only where it was last, and nobody out of service or without a place', () => {
  const { live, silent } = of(
    unit('far', 0.05),
    unit('stale', 0.001, { staleAt: NOW }),
    unit('offline', 0.002, { status: Status.OFFLINE }),
    unit('pending', 0.003, { status: Status.PENDING }),
    unit('off duty', 0.0001, { inService: false }),
    unit('nowhere', 0, { hasPosition: false }),
  );
  expect([ids(live), ids(silent)]).toEqual([['far'], ['stale', 'offline']]);
});

it('looks across the antimeridian', () => {
  const here = { lat: 0, lng: 179.999 };
  const { live } = nearestOf(
    visit => [unit('west', 0, { lat: 0, lng: 179.9 }), unit('east', 0, { lat: 0, lng: -179.999 })].forEach(visit),
    here,
    NOW,
    { live: 1, silent: 1 },
  );
  expect(ids(live)).toEqual(['east']);
});

it('is the same as a full sort, of 100,000', () => {
  let seed = 7;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const units = Array.from({ length: 100_000 }, (_, i) => unit(String(i), next(), { lng: PLACE.lng + next() }));
  const all = nearestOf(visit => units.forEach(visit), PLACE, NOW, { live: 10, silent: 5 });
  const least = Math.max(...all.live.map(({ meters }) => meters));
  const chosen = new Set(ids(all.live));
  const others = nearestOf(visit => units.filter(({ id }) => !chosen.has(id)).forEach(visit), PLACE, NOW, {
    live: 1,
    silent: 1,
  });
  expect(all.live).toHaveLength(10);
  expect(others.live[0]?.meters).toBeGreaterThanOrEqual(least);
});
