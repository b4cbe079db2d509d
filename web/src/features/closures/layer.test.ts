import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverClock } from '~/lib/clock';
import { LiveStore } from '~/live/store';
import { createStreamStore } from '~/live/stream';
import { at, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import { closureLayer } from '~/map/layers/closure';
import { MapRows } from '~/map/layers/rows';
import { TOKENS } from '~/map/tokens';
import type { MapClosure } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { bindMap } from '~/section/map';
import { selection } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { closuresBehind, closuresOn, findClosures } from './layer';
import { board, HOUR, times, wireClosure } from './testing';
import { patchView } from './view';

type Wire = ReturnType<typeof wireClosure>;

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
  patchView({ search: '', time: 'all', draft: null });
  selection.set({ selected: null, last: null });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The map with closures as it was shown last, and how often. */
const begin = (...closures: Wire[]) => put(closures, false);

function put(closures: readonly Wire[], isBehind: boolean) {
  const store = new LiveStore(defaultFilter(true));
  store.reset('o1');
  const map = new MapController({ theme: 'dark', now: () => T0 });
  let rows: readonly MapClosure[] = [];
  let times = 0;
  vi.spyOn(map, 'setRows').mockImplementation((layer, next) => {
    if (layer.kind !== closureLayer.kind) return;
    rows = next as never;
    times++;
  });
  store.of('closure').merge(closures, T0, T0);
  store.of('closure').tell();
  const bound = bindMap(map, { go: vi.fn(), stream: createStreamStore(), home: () => null });
  const noun = isBehind ? closuresBehind(store) : closuresOn(store);
  bound.show([noun]);
  end = bound.end;
  return { store, noun, shown: () => rows.map(row => [row.id, row.active]), rows: () => rows, times: () => times };
}

it('shows what stands, what is to come and what waits, but nothing that has ended', () => {
  const { shown } = begin(
    wireClosure('a', times(-1, 1)),
    wireClosure('b', times(2, 3)),
    wireClosure('c', { last_start_time: at(-9 * HOUR), ended_at: at(-8 * HOUR) }),
    wireClosure('d', { ...board('A', 1), last_start_time: at(-9 * HOUR), ended_at: at(-8 * HOUR) }),
  );
  expect(shown()).toEqual([
    ['a', true],
    ['b', false],
    ['d', false],
  ]);
  // The one that is open stands there as well, until its line is drawn anew.
  selection.set({ selected: 'c', last: 'c' });
  expect(shown()).toContainEqual(['c', false]);
  patchView({ draft: 'c' });
  expect(shown()).not.toContainEqual(['c', false]);
  patchView({ draft: null, time: 'active' });
  expect(shown().map(([id]) => id)).toEqual(['a', 'c']);
});

it('ends by the clock alone, and keeps 5,000 rows the same', () => {
  const many = Array.from({ length: 5000 }, (_, i) => wireClosure(`c${i}`, times(-1, i === 7 ? 0.001 : 5)));
  const { store, rows, times: drawn } = begin(...many);
  const before = rows();
  expect(before).toHaveLength(5000);
  vi.advanceTimersByTime(3000);
  expect(drawn()).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(rows()).toHaveLength(4999);
  store.of('closure').merge([wireClosure('c9', { ...times(-1, 5), description: 'New', updated_at: at(1) })], 0, T0);
  store.of('closure').tell();
  const known = new Set(before);
  expect(
    rows()
      .filter(row => !known.has(row))
      .map(row => row.id),
  ).toEqual(['c9']);
});

it('takes away within a second what came and ended between two looks at the clock', () => {
  const { store, shown } = begin(wireClosure('a', times(-1, 5)));
  vi.advanceTimersByTime(1100);
  store.of('closure').merge([wireClosure('b', times(-1, 1.5 / 3600))], 0, T0);
  store.of('closure').tell();
  expect(shown().map(([id]) => id)).toEqual(['b', 'a']);
  vi.advanceTimersByTime(1000);
  expect(shown().map(([id]) => id)).toEqual(['a']);
});

it('is a line along the road with a sign half of the way, and is met on the line too', () => {
  const route = [
    { lat: 39.7, lng: -75.5 },
    { lat: 39.7, lng: -75.49 },
    { lat: 39.71, lng: -75.49 },
  ];
  const { rows } = begin(wireClosure('a', { ...times(-1, 1), calculated_route: route, user_route: [] }));
  const [row] = rows();
  expect(row).toMatchObject({ glyph: 'work', text: 'a', box: [-75.5, 39.7, -75.49, 39.71] });
  const features = [closureLayer.feature(row as MapClosure, { selected: false, faint: false })].flat();
  expect(features[0]?.geometry).toEqual({
    type: 'LineString',
    coordinates: [
      [-75.5, 39.7],
      [-75.49, 39.7],
      [-75.49, 39.71],
    ],
  });
  expect(row?.lng).toBeCloseTo(-75.49, 6);
  expect(row?.lat).toBeGreaterThan(39.7);
  const map = new MapRows([closureLayer as never]);
  map.set(closureLayer, rows());
  expect(map.pick({ lat: 39.70005, lng: -75.498 }, 16, 8)?.id).toBe('a');
  expect(map.pick({ lat: 39.703, lng: -75.498 }, 16, 8)).toBeNull();
});

it('has arrows in the direction of its line, in both themes', () => {
  for (const theme of ['dark', 'light'] as const) {
    const styles = closureLayer.styles('app-closure', TOKENS[theme]);
    expect(styles.every(style => style.id.startsWith('app-closure'))).toBe(true);
    expect(new Set(styles.map(style => style.id)).size).toBe(styles.length);
    const arrows = styles.find(style => style.id === 'app-closure-arrows');
    expect(arrows?.layout).toMatchObject({ 'symbol-placement': 'line', 'icon-rotation-alignment': 'map' });
  }
});

it('draws what is active over the others, and what is selected over the assets too', () => {
  const below = closureLayer.styles('app-closure', TOKENS.dark);
  const above = closureLayer.above?.('app-closure', TOKENS.dark) ?? [];
  expect(below.map(({ id }) => id)).not.toContain('app-closure-selected');
  expect(above.map(({ id }) => id)).toEqual(['app-closure-ring', 'app-closure-selected']);
  const styles = [...below, ...above.slice(1)];
  const signs = styles.filter(({ layout }) => layout && 'icon-size' in layout);
  expect(signs.map(({ id }) => id)).toEqual(['app-closure', 'app-closure-active', 'app-closure-selected']);
  const [others, active] = signs.map(style => JSON.stringify('filter' in style ? style.filter : null));
  expect(others).toContain('["!",["==",["get","active"],true]]');
  expect(active).not.toContain('["!",["==",["get","active"],true]]');
  // Far out each is a dot: where the ones end the others begin, and the selected one is a sign anywhere.
  const dots = styles.filter(({ type }) => type === 'circle');
  expect(dots.map(({ id }) => id)).toEqual(['app-closure-dot', 'app-closure-dot-active']);
  expect(dots.map(({ maxzoom }) => maxzoom)).toEqual(signs.slice(0, 2).map(({ minzoom }) => minzoom));
  expect(signs[2]?.minzoom).toBeUndefined();
});

describe('the closed roads of the live sections', () => {
  const closed = () => [
    wireClosure('now', times(-1, 1)),
    wireClosure('next week', times(160, 170)),
    wireClosure('over', { last_start_time: at(-9 * HOUR), ended_at: at(-8 * HOUR) }),
    wireClosure('off', { ...times(-1, 1), is_in_service: false }),
    wireClosure('no line', { ...times(-1, 1), calculated_route: [], geocoded_route: [], user_route: [] }),
  ];

  it('are those that stand now, whatever the list shows, in the background', () => {
    patchView({ search: 'nothing has this name' });
    const { rows, noun } = put(closed(), true);
    expect(rows().map(({ id, active, quiet }) => [id, active, quiet])).toEqual([['now', true, true]]);
    expect(noun.path).toBeUndefined();
    expect(noun.detail?.('now')).toBe('/dashboard/closures/now');
    expect(noun.card?.('now', T0)).toMatchObject({
      title: 'now',
      subtitle: expect.stringMatching(/^Active · until /),
      lines: expect.arrayContaining([expect.objectContaining({ label: 'Since' })]),
    });
    expect([noun.has('now'), noun.has('next week'), noun.card?.('next week', T0)]).toEqual([true, false, null]);
  });

  it('come and go with the stream and by the clock', () => {
    const { store, rows, noun } = put([wireClosure('a', times(-1, 0.001)), wireClosure('b', times(0.001, 1))], true);
    const ids = () => rows().map(({ id }) => id);
    expect(ids()).toEqual(['a']);
    vi.advanceTimersByTime(5000);
    expect([ids(), noun.card?.('a', Date.now())]).toEqual([['b'], null]);
    store.of('closure').merge([wireClosure('c', { ...times(-1, 1), updated_at: at(1) })], 0, T0);
    store.of('closure').tell();
    expect(ids()).toEqual(['b', 'c']);
  });

  it('are drawn thinner than in their own section, without arrows, and as any other once one is selected', () => {
    const row = put(closed(), true).rows()[0] as MapClosure;
    const drawn = (selected: boolean) => [closureLayer.feature(row, { selected, faint: false })].flat();
    expect(drawn(false).every(({ properties }) => properties?.quiet === true)).toBe(true);
    expect(drawn(true).every(({ properties }) => properties?.quiet === false)).toBe(true);
    const styles = closureLayer.styles('app-closure', TOKENS.light);
    const line = styles.find(({ id }) => id === 'app-closure-line');
    expect(line?.paint).toMatchObject({ 'line-width': ['case', ['==', ['get', 'quiet'], true], 2.5, 6] });
    const arrows = styles.find(({ id }) => id === 'app-closure-arrows');
    expect(JSON.stringify(arrows && 'filter' in arrows && arrows.filter)).toContain(
      '["!",["==",["get","quiet"],true]]',
    );
  });
});

it('are found by description, road, or id in feeds until they have ended, those that begin so first', () => {
  const { store } = begin(
    wireClosure('a', { ...times(-1, 1), description: 'Sewer works', road_name: 'North Market Street' }),
    wireClosure('b', { ...times(2, 3), description: 'Market days' }),
    wireClosure('c', { last_start_time: at(-9 * HOUR), ended_at: at(-8 * HOUR), description: 'Market old' }),
    wireClosure('d', { ...times(-1, 1), description: 'Bridge', external_id: 'WZ-7' }),
  );
  const found = (text: string) => findClosures(text, store).map(({ label }) => label);
  expect(found('market')).toEqual(['Market days', 'Sewer works']);
  expect(found('wz-7')).toEqual(['Bridge']);
  expect(found('')).toEqual([]);
  expect(findClosures('sewer', store)[0]).toMatchObject({
    hint: expect.stringMatching(/^Closure · until /),
    path: '/dashboard/closures/a',
  });
});
