import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverClock } from '~/lib/clock';
import { LiveStore } from '~/live/store';
import { createStreamStore } from '~/live/stream';
import { at, T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import { hazardLayer } from '~/map/layers/hazard';
import { SIGN_GLYPHS } from '~/map/layers/signs';
import { TOKENS } from '~/map/tokens';
import type { MapSign } from '~/map/types';
import { defaultFilter } from '~/model/filter';
import { bindMap } from '~/section/map';
import { selection } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { hazardsBehind, hazardsOn } from './layer';
import { ended, wireHazard } from './testing';
import { patchView } from './view';
import { HAZARD_TYPES } from './words';

type Wire = ReturnType<typeof wireHazard>;

let end = () => {};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.useFakeTimers({ now: T0 });
  vi.spyOn(serverClock, 'now').mockImplementation(() => Date.now());
  session.state.set({ phase: 'signedIn', profile: profileOf(profileWith({}, {}, {})), organizationId: 'o1' });
});
afterEach(() => {
  end();
  patchView({ types: null, ended: false });
  selection.set({ selected: null, last: null });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const begin = (...hazards: Wire[]) => put(hazards, hazardsOn);

function put(hazards: readonly Wire[], of: typeof hazardsOn) {
  const store = new LiveStore(defaultFilter(true));
  store.reset('o1');
  const map = new MapController({ theme: 'dark', now: () => T0 });
  let rows: readonly MapSign[] = [];
  vi.spyOn(map, 'setRows').mockImplementation((layer, next) => {
    if (layer.kind === hazardLayer.kind) rows = next as never;
  });
  store.of('hazard').merge(hazards, T0, T0);
  store.of('hazard').tell();
  const noun = of(store);
  const bound = bindMap(map, { go: vi.fn(), stream: createStreamStore(), home: () => null });
  bound.show([noun]);
  end = bound.end;
  return { store, noun, shown: () => rows.map(row => row.id).sort(), rows: () => rows };
}

it('shows what stands, by its type, and what is open of another one; never what has ended', () => {
  const { shown, rows } = begin(
    wireHazard('ice', 5, 20, { type: 'ice' }),
    wireHazard('fog', 5, 20, { type: 'fog' }),
    wireHazard('gone', 5, 20, ended(1, 'cleared')),
  );
  expect(rows().map(row => [row.glyph, row.text])).toEqual([
    ['fog', 'Fog'],
    ['ice', 'Ice'],
  ]);
  patchView({ types: new Set(['ice']) });
  expect(shown()).toEqual(['ice']);
  selection.set({ selected: 'fog', last: null });
  expect(shown()).toEqual(['fog', 'ice']);
  selection.set({ selected: 'gone', last: null });
  expect(shown()).toEqual(['ice']);
});

it('takes one away the second that it expires, with its card, while the wire is cut', () => {
  const { shown, noun } = begin(wireHazard('a', 5, 1));
  expect(shown()).toEqual(['a']);
  expect(noun.card?.('a', T0 + 59_999)?.subtitle).toBe('Expires in less than 1 min');
  vi.advanceTimersByTime(59_000);
  expect(shown()).toEqual(['a']);
  vi.advanceTimersByTime(1000);
  expect(shown()).toEqual([]);
  expect(noun.card?.('a', T0 + 60_000)).toBeNull();
  expect(noun.has('a')).toBe(false);
});

it('comes back when its time is extended', () => {
  const { shown, store } = begin(wireHazard('a', 5, 1));
  vi.advanceTimersByTime(60_000);
  store.of('hazard').merge([wireHazard('a', 5, 30, { version: 9, updated_at: at(60_000) })], 0, T0);
  store.of('hazard').tell();
  expect(shown()).toEqual(['a']);
});

it('has a glyph of its own for each type', () => {
  const drawn = HAZARD_TYPES.map(({ id }) => (SIGN_GLYPHS as Record<string, string>)[id]);
  expect(drawn).not.toContain(undefined);
  expect(new Set(drawn).size).toBe(HAZARD_TYPES.length);
});

it('stands behind the assets of the live sections while it stands, of any type', () => {
  patchView({ types: new Set(['fog']), ended: true });
  const { rows, noun } = put([wireHazard('ice', 5, 1), wireHazard('gone', 5, 20, ended(1, 'cleared'))], hazardsBehind);
  expect(rows().map(({ id, quiet }) => [id, quiet])).toEqual([['ice', true]]);
  expect([noun.path, noun.detail?.('ice')]).toEqual([undefined, '/dashboard/hazards/ice']);
  vi.advanceTimersByTime(60_000);
  expect(rows()).toEqual([]);
  expect(noun.card?.('ice', Date.now())).toBeNull();
});

it('is drawn above the assets once it is selected', () => {
  const ids = (where: 'styles' | 'above') =>
    (hazardLayer[where]?.('app-hazard', TOKENS.dark) ?? []).map(({ id }) => id);
  expect(ids('styles')).not.toContain('app-hazard-selected');
  expect(ids('above')).toEqual(['app-hazard-ring', 'app-hazard-selected']);
});
