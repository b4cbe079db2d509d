import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverClock } from '~/lib/clock';
import { LiveStore } from '~/live/store';
import { createStreamStore } from '~/live/stream';
import { T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import { zoneLayer } from '~/map/layers/zone';
import { TOKENS } from '~/map/tokens';
import type { MapSign } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { bindMap } from '~/section/map';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { zonesBehind, zonesOn } from './layer';
import { active, left, wireZone } from './testing';
import { patchView } from './view';

type Wire = ReturnType<typeof wireZone>;

let end = () => {};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.useFakeTimers({ now: T0 });
  vi.spyOn(serverClock, 'now').mockImplementation(() => Date.now());
  const profile = profileOf(profileWith({ timezone: 'UTC' }, {}, {}));
  session.state.set({ phase: 'signedIn', profile, organizationId: 'o1' });
});
afterEach(() => {
  end();
  patchView({ search: '', types: null, status: null, draft: null });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The map with zones as it was shown last, and how often. */
const begin = (...zones: Wire[]) => put(zones, false);

function put(zones: readonly Wire[], isBehind: boolean) {
  const store = new LiveStore(defaultFilter(true));
  store.reset('o1');
  const map = new MapController({ theme: 'dark', now: () => T0 });
  let rows: readonly MapSign[] = [];
  let times = 0;
  vi.spyOn(map, 'setRows').mockImplementation((layer, next) => {
    if (layer.kind !== zoneLayer.kind) return;
    rows = next as never;
    times++;
  });
  store.of('zone').merge(zones, T0, T0);
  store.of('zone').tell();
  const bound = bindMap(map, { go: vi.fn(), stream: createStreamStore(), home: () => null });
  const noun = isBehind ? zonesBehind(store) : zonesOn(store);
  bound.show([noun]);
  end = bound.end;
  return { store, noun, shown: () => rows.map(row => row.id).sort(), rows: () => rows, times: () => times };
}

it('shows the zones of the list, which of them are active, and who is there', () => {
  const { shown, rows } = begin(
    wireZone('a'),
    wireZone('b', active('Engine 4')),
    wireZone('c', { alerting_zone_type_name: 'work' }),
  );
  expect(shown()).toEqual(['a', 'b', 'c']);
  expect(rows().map(row => [row.id, row.active, row.text, row.glyph])).toEqual([
    ['b', true, 'b\nActive\nEngine 4', 'school'],
    ['a', false, 'a', 'school'],
    ['c', false, 'c', 'work'],
  ]);
  patchView({ types: new Set(['school']) });
  expect(shown()).toEqual(['a', 'b']);
  patchView({ status: 'standby' });
  expect(shown()).toEqual(['a']);
  patchView({ draft: { id: 'a', row: null } });
  expect(shown()).toEqual([]);
});

it('goes to standby by the clock alone, and draws nothing anew while nothing changes', () => {
  const { rows, times } = begin(wireZone('a', left(5000)));
  expect(rows().map(row => row.active)).toEqual([true]);
  const before = times();
  vi.advanceTimersByTime(4000);
  expect(times()).toBe(before);
  vi.advanceTimersByTime(1000);
  expect(rows().map(row => row.active)).toEqual([false]);
  expect(times()).toBe(before + 1);
});

it('is told apart by form as well as by color: other layers draw active shapes, and the sign is another one', () => {
  const styles = zoneLayer.styles('app-zone', TOKENS.dark);
  const of = (id: string) => JSON.stringify(styles.find(style => style.id === `app-zone-${id}`));
  expect(of('hatch')).toContain('["==",["get","active"],true]');
  expect(of('line')).not.toContain('dasharray');
  expect(of('dash')).toContain('dasharray');
  expect(JSON.stringify(styles)).toContain(`lightbar-sign-square/${TOKENS.dark.activeMark}`);
  expect(JSON.stringify(styles)).toContain(`lightbar-sign-square/${TOKENS.dark.panel}/${TOKENS.dark.standby}`);
  expect(new Set(styles.map(style => style.id)).size).toBe(styles.length);
});

it('stands behind the assets of the live sections while it is active', () => {
  patchView({ status: 'standby' });
  const { rows, noun } = put([wireZone('a'), wireZone('b', active('Engine 4')), wireZone('c', left(60_000))], true);
  expect(rows().map(({ id, quiet, text }) => [id, quiet, text])).toEqual([
    ['b', true, 'b'],
    ['c', true, 'c'],
  ]);
  expect([noun.path, noun.detail?.('b'), noun.has('a')]).toEqual([undefined, '/dashboard/zones/b', false]);
  // Within its shape the map is the assets': only the sign opens the card.
  expect(rows().some(row => row.contains(row))).toBe(false);
  vi.advanceTimersByTime(61_000);
  expect(rows().map(({ id }) => id)).toEqual(['b']);
});
