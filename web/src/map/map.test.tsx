import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { AssetColumns, MARK_TYPES } from '~/model/batch';
import { Fill } from './assets/fill';
import { AssetTable, PINNED } from './assets/table';
import { BaseStyle } from './baseStyle';
import { Camera, centerZoom, fitPadding, followZoom, freeOffset, markerFitZoom } from './camera';
import { DEFAULT_CONFIG } from './config';
import { densityCells } from './density';
import type { MapEngine } from './engine';
import { failureText, locate } from './geolocation';
import { boundsOf, containsBounds, growBounds, MercatorSeries, mercatorY } from './geometry';
import { labelFeatures, mapLabel } from './labels';
import { MAP_LAYERS } from './layers';
import { areaLayer } from './layers/area';
import { GLYPH_PX } from './layers/areaGlyph';
import { type MapLayer, sourceOf } from './layers/layer';
import { locationLayer, locationRadiusPx } from './layers/location';
import { type DrawnRows, drawnDiff, MapRows } from './layers/rows';
import { GLYPHS, showsCourse } from './marks';
import { overlayLayers } from './overlay';
import { Places } from './places';
import { menuAt } from './pointer';
import { StatusMark } from './StatusMark';
import { stackFeatures } from './stacks';
import { browserName, probeSupport, WEBGL_STEPS } from './support';
import { TOKENS } from './tokens';
import type { MapArea, MapAsset, MapConfig, MapLocation, MapState, MarkStatus } from './types';

// spec: 9.format.02 9.format.03
describe('names on the map', () => {
  it('12 or more characters show the first 4 and the last 4', () => {
    expect(mapLabel('ABCDEFGHIJKL', true)).toBe('ABCD…IJKL');
    expect(mapLabel('ABCDEFGHIJK', true)).toBe('ABCDEFGHIJK');
  });
  it('out of service is said', () => {
    expect(mapLabel('Plow 2', false)).toBe('Plow 2 | OOS');
    expect(mapLabel('ABCDEFGHIJKL', false)).toBe('ABCD…IJKL | OOS');
  });
  it('counts letters, not code units', () => {
    expect(mapLabel('🚒🚒🚒🚒🚒🚒🚒🚒🚒🚒🚒🚒', true)).toBe('🚒🚒🚒🚒…🚒🚒🚒🚒');
  });
});

const asset = (row: number, lat: number, lng: number, status: MarkStatus = 'STANDBY'): MapAsset => ({
  row,
  id: `a${row}`,
  lat,
  lng,
  course: null,
  speed: 0,
  status,
  type: 'fire',
  inService: true,
  at: 0,
  staleAt: 0,
  shown: true,
  label: `Unit ${row}`,
});
const VIEW = { south: 39, west: -76, north: 40, east: -75 };

function drawn(assets: MapAsset[]): { table: AssetTable; fill: Fill } {
  const table = new AssetTable();
  table.apply({ upserted: AssetColumns.of(assets), removed: [] }, 0, false, null);
  const fill = new Fill();
  const origin = { lat: 39.5, lng: -75.5 };
  fill.run(table, { box: VIEW, origin, zoom: 14, now: 0, nowMs: 0, dimmed: false, alertingOnly: false, behind: false });
  return { table, fill };
}

describe('labels', () => {
  it('are at most 300, the top-most marks first', () => {
    const many = Array.from({ length: 500 }, (_, row) => asset(row, 39.5, -75.5, row === 499 ? 'LOCATION' : 'OFFLINE'));
    const { table, fill } = drawn(many);
    const { features } = labelFeatures(table, fill, VIEW, 14, 0);
    expect(features).toHaveLength(300);
    expect(features[0]?.properties?.text).toBe('Unit 499');
  });

  it('show from zoom 13 on, pinned ones always', () => {
    const { table, fill } = drawn([asset(0, 39.5, -75.5), asset(1, 39.6, -75.6)]);
    const said = (zoom: number) => labelFeatures(table, fill, VIEW, zoom, 0).features.map(f => f.properties?.text);
    expect(said(11.9)).toEqual([]);
    // The names of signs keep off marks that have none themselves.
    expect(said(12.9)).toEqual(['', '']);
    table.mark(1, PINNED, true);
    expect([said(11.9), said(12.9)]).toEqual([['Unit 1'], ['Unit 1', '']]);
    expect(said(13).filter(Boolean)).toHaveLength(2);
  });
});

describe('marks that lie on one another', () => {
  const PX = 360 / (512 * 2 ** 14);
  const at = (row: number, px: number, status?: MarkStatus) => asset(row, 39.5, -75.5 + px * PX, status);
  const said = (assets: MapAsset[], zoom = 14, events: readonly MapLocation[] = []) => {
    const { table, fill } = drawn(assets);
    const rows = new MapRows([locationLayer]);
    rows.set(locationLayer, events);
    return stackFeatures(table, fill, zoom, place => rows.counts(place, zoom)).features.map(f => [
      f.properties?.count,
      f.geometry.coordinates[0],
    ]);
  };

  it('say how many they are at the top one, which is alerting if any of them is', () => {
    const marks = [at(0, 0), at(1, 3, 'LOCATION'), at(2, 10), at(3, 1, 'ACTIVE'), at(4, 40)];
    expect(said(marks)).toEqual([[4, -75.5 + 3 * PX]]);
  });

  it('are no stack while half of each is seen, nor where there are no names', () => {
    expect(said([at(0, 0), at(1, 15.5)])).toEqual([]);
    expect(said([at(0, 0), at(1, 14.5)])).toHaveLength(1);
    expect(said([at(0, 0), at(1, 0)], 12.9)).toEqual([]);
  });

  it('leave the number to the event that they are at, if it says one', () => {
    const event = { id: 'e', lat: 39.5, lng: -75.5, active: true, units: 2 };
    const onScene = [at(0, 0, 'LOCATION'), at(1, 1, 'LOCATION')];
    expect(said(onScene, 14, [event])).toEqual([]);
    expect(said(onScene, 14, [{ ...event, active: false }])).toHaveLength(1);
    expect(said(onScene, 14, [{ ...event, units: 1 }])).toHaveLength(1);
    expect(said(onScene, 14, [{ ...event, lng: -75.5 + 40 * PX }])).toHaveLength(1);
    expect(said([at(0, 0), at(1, 1)], 14, [event])).toHaveLength(1);
  });

  it('count only what is displayed', () => {
    expect(said([at(0, 0), { ...at(1, 0), shown: false }])).toEqual([]);
  });
});

describe('the density view', () => {
  // spec: 2.things.04 2.map.19
  it('is drawn in each theme with the colors that its legend has', () => {
    for (const theme of ['dark', 'light'] as const) {
      const [heat] = overlayLayers(theme);
      const steps = heat?.type === 'heatmap' ? (heat.paint?.['heatmap-color'] as unknown[]) : [];
      const { standby, pending, activeMark, scene } = TOKENS[theme];
      expect(steps.slice(5)).toEqual([0.15, standby, 0.5, pending, 0.8, activeMark, 1, scene]);
    }
  });
  it('counts displayed assets in cells and weighs them', () => {
    const { table } = drawn([asset(0, 39.5, -75.5), asset(1, 39.5, -75.5), asset(2, 39.1, -75.9), asset(3, 10, 10)]);
    const { features } = densityCells(table, VIEW);
    expect(features.map(f => f.properties?.count).sort()).toEqual([1, 2]);
    const double = features.find(f => f.properties?.count === 2);
    expect(double?.geometry.coordinates).toEqual([-75.5, 39.5]);
    table.setFilter(id => id === 'a2');
    expect(densityCells(table, VIEW).features).toHaveLength(1);
  });
  it('stays at some thousand cells for any number of assets', () => {
    const many = Array.from({ length: 20_000 }, (_, row) =>
      asset(row, 39 + ((row * 7919) % 1000) / 1000, -76 + (row % 997) / 997),
    );
    const { table } = drawn(many);
    const { features } = densityCells(table, VIEW);
    expect(features.length).toBeLessThanOrEqual(40 * 60);
    expect(features.reduce((sum, f) => sum + (f.properties?.count ?? 0), 0)).toBe(20_000);
  });
});

describe('the camera', () => {
  // spec: 9.map.02
  it('begins at zoom 14 where the organization is and has streets, else where something can be seen', () => {
    const home = { lat: 39.74, lng: -75.55 };
    const host = { engine: () => null, state: () => ({}) as MapState, patch: () => undefined };
    const bounds = { south: 38, west: -76, north: 40, east: -75 };
    const viewOf = (place: typeof home | null, hasRegion: boolean) => {
      const ground = new BaseStyle('dark', { ...host, home: place });
      if (hasRegion) ground.config = { ...DEFAULT_CONFIG, region: { bounds } as MapConfig['region'] };
      return ground.firstView();
    };
    expect(viewOf(home, true)).toEqual({ center: home, zoom: 14 });
    expect(viewOf({ lat: 10, lng: 10 }, true)).toEqual({ center: { lat: 39, lng: -75.5 }, zoom: 9 });
    expect(viewOf(home, false)).toEqual({ center: home, zoom: 9 });
    expect(viewOf(null, false)).toBeNull();
  });
  it('is where it is to be at once as long as nobody sees it, and goes there afterwards', () => {
    const moves: { duration: number }[] = [];
    const container = { clientWidth: 1000, clientHeight: 800 };
    const map = {
      easeTo: (move: { duration: number }) => moves.push(move),
      fitBounds: (_: unknown, move: { duration: number }) => moves.push(move),
      getContainer: () => container,
    } as unknown as ConstructorParameters<typeof Camera>[0];
    const camera = new Camera(map);
    const goAll = () => {
      camera.fit({ south: 39, west: -76, north: 40, east: -75 }, 50);
      camera.center({ center: { lat: 39, lng: -75 }, zoom: 14 });
    };
    goAll();
    expect(moves.map(({ duration }) => duration)).toEqual([0, 0]);
    camera.isHidden = false;
    goAll();
    expect(moves.slice(2).every(({ duration }) => duration > 0)).toBe(true);
  });
  // spec: 9.map.02
  it('follows at 16.25 at least', () => {
    expect([10, 16.25, 18].map(followZoom)).toEqual([16.25, 16.25, 18]);
  });
  // spec: 9.map.04
  it('centers at 16 at least, fits one marker between 16 and 17', () => {
    expect([10, 16.5, 18].map(centerZoom)).toEqual([16, 16.5, 18]);
    expect([10, 16.5, 18].map(markerFitZoom)).toEqual([16, 16.5, 17]);
  });
  it('puts its target into the middle of the free room', () => {
    expect(freeOffset({ top: 52, right: 0, bottom: 458, left: 0 })).toEqual([0, -203]);
    expect(freeOffset({ top: 0, right: 0, bottom: 0, left: 400 })).toEqual([200, 0]);
  });
  // spec: 9.map.03
  it('pads fits by the covered room and the margin, and leaves something on a small stage', () => {
    const insets = { top: 0, right: 0, bottom: 0, left: 400 };
    expect(fitPadding(insets, 50, 1280, 900)).toEqual({ top: 50, right: 50, bottom: 50, left: 450 });
    const tight = fitPadding({ top: 52, right: 0, bottom: 458, left: 0 }, 50, 390, 560);
    expect((tight.top as number) + (tight.bottom as number)).toBeLessThanOrEqual(560 - 32);
  });
});

describe('boxes', () => {
  it('enclose, grow and contain', () => {
    const box = boundsOf([
      { lat: 1, lng: 5 },
      { lat: 3, lng: 4 },
    ]);
    expect(box).toEqual({ south: 1, west: 4, north: 3, east: 5 });
    expect(boundsOf([])).toBeNull();
    const grown = growBounds(VIEW, 0.5);
    expect(grown).toEqual({ south: 38.5, west: -76.5, north: 40.5, east: -74.5 });
    expect(containsBounds(grown, VIEW)).toBe(true);
    expect(containsBounds(VIEW, grown)).toBe(false);
  });
});

describe('mercator near an origin', () => {
  it('is exact to a hundredth of a pixel at the zoom at which such a distance is in view', () => {
    for (const origin of [-60, 0, 25, 39.5, 48, 64]) {
      const near = new MercatorSeries(origin);
      for (const [degrees, zoom] of [
        [0.0005, 20],
        [0.05, 15],
        [0.5, 11],
        [1.49, 9],
        [20, 4],
      ] as const) {
        for (const lat of [origin - degrees, origin + degrees]) {
          const exact = mercatorY(lat) - mercatorY(origin);
          expect(Math.abs(near.y(lat) - exact) * 512 * 2 ** zoom, `${lat} from ${origin}`).toBeLessThan(0.01);
        }
      }
    }
  });
});

describe('locations', () => {
  it('are picked by their circle, active ones first', () => {
    const rows = new MapRows([locationLayer]);
    rows.set(locationLayer, [
      { id: 'old', lat: 39.5, lng: -75.5, active: false },
      { id: 'new', lat: 39.5, lng: -75.5002, active: true },
    ]);
    const at = { lat: 39.5, lng: -75.5 };
    expect(rows.pick(at, 15, 3)).toEqual({ kind: 'location', id: 'new' });
    expect(rows.pick({ lat: 39.6, lng: -75.5 }, 15, 3)).toBeNull();
    const drawn = (selected: string | null, faint: boolean, property: string) =>
      [...rows.drawn(locationLayer, { selected, faint }, new Map(), 2).drawn.values()].flatMap(({ features }) =>
        features.map(f => f.properties?.[property]),
      );
    expect(drawn('new', false, 'selected')).toEqual([false, true]);
    expect(drawn(null, true, 'faint')).toEqual([true, true]);
    expect([8, 9, 14, 18].map(locationRadiusPx)).toEqual([12, 12, 30, 30]);
  });
});

describe('the context menu that is asked for by the keyboard', () => {
  const map = {
    getContainer: () => ({ clientWidth: 1000, clientHeight: 800 }),
    project: ([lng, lat]: [number, number]) => ({ x: lng, y: lat }),
    unproject: ([x, y]: [number, number]) => ({ lng: x, lat: y }),
  } as unknown as Parameters<typeof menuAt>[0];
  const insets = { top: 0, right: 0, bottom: 0, left: 400 };
  it('is of the selected place where that is in the free room, else of the middle of the room', () => {
    expect(menuAt(map, insets, { lat: 300, lng: 500 })).toEqual({ x: 500, y: 300, place: { lat: 300, lng: 500 } });
    const middle = { x: 700, y: 400, place: { lat: 400, lng: 700 } };
    expect(menuAt(map, insets, { lat: 300, lng: 399 })).toEqual(middle);
    expect(menuAt(map, insets, null)).toEqual(middle);
  });
});

describe('what stands in view', () => {
  it('is listed for the keyboard: of the free room alone, the topmost layer and the highest rank first', () => {
    const square: MapLayer<MapLocation> = { ...locationLayer, kind: 'square' };
    const rows = new MapRows([locationLayer, square]);
    const row = (id: string, lng: number, active: boolean) => ({ id, lat: 100, lng, active });
    rows.set(locationLayer, [
      row('old', 420, false),
      row('east', 700, true),
      row('west', 500, true),
      row('hidden', 300, true),
    ]);
    rows.set(square, [row('square', 900, false)]);
    let state = { places: [] } as unknown as MapState;
    const map = {
      getContainer: () => ({ clientWidth: 1000, clientHeight: 800 }),
      unproject: ([x, y]: [number, number]) => ({ lng: x, lat: y }),
    };
    let patches = 0;
    const places = new Places({
      rows,
      engine: () => ({ map }) as unknown as MapEngine,
      insets: () => ({ top: 0, right: 0, bottom: 0, left: 400 }),
      state: () => state,
      patch: change => {
        patches++;
        state = { ...state, ...change };
      },
    });
    places.refresh();
    expect(state.places.map(({ id }) => id)).toEqual(['square', 'west', 'east', 'old']);
    places.refresh();
    expect(patches).toBe(1);
  });
});

describe('rows of several nouns', () => {
  const square: MapLayer<MapLocation> = { ...locationLayer, kind: 'square', cardSide: 'beside', rank: () => 0 };
  const here = { lat: 39.5, lng: -75.5 };
  const rows = new MapRows([locationLayer, square]);
  rows.set(locationLayer, [{ id: 'l1', ...here, active: true }]);
  rows.set(square, [
    { id: 's1', ...here, active: true },
    { id: 's2', lat: 39.5, lng: -75.50001, active: true },
  ]);

  it('are picked from the top: the noun that is drawn last, there the nearest', () => {
    expect(rows.pick(here, 15, 3)).toEqual({ kind: 'square', id: 's1' });
    expect(rows.pick({ lat: 39.5, lng: -75.50001 }, 15, 3)).toEqual({ kind: 'square', id: 's2' });
    rows.set(square, []);
    expect(rows.pick(here, 15, 3)).toEqual({ kind: 'location', id: 'l1' });
    expect([rows.layerOf('l1')?.kind, rows.layerOf('s1')?.kind]).toEqual(['location', undefined]);
  });
});

describe('finding the user', () => {
  // spec: 8.geo.01
  it('unsupported', async () => {
    expect(await locate(undefined, 'Safety Cloud')).toEqual({ failure: 'Your browser does not support geolocation.' });
  });
  // spec: 8.geo.02
  it('denied (code 1) names who lacks the permission and says what to do', () => {
    expect(failureText(1, 'Safety Cloud')).toBe(
      'Safety Cloud does not have permission to use your location. Please enable location services.',
    );
  });
  // spec: 8.geo.03
  it.each([2, 3])('any other failure (code %d)', code => {
    expect(failureText(code, 'Safety Cloud')).toBe('Unable to retrieve your location.');
  });
  // spec: 9.ui.09
  it('asks with 10 s time-out and takes fixes up to 30 s old', async () => {
    let asked: PositionOptions | undefined;
    const geolocation = {
      getCurrentPosition(success: PositionCallback, _: PositionErrorCallback, options?: PositionOptions) {
        asked = options;
        success({ coords: { latitude: 1, longitude: 2 } } as GeolocationPosition);
      },
    } as Geolocation;
    expect(await locate(geolocation, '')).toEqual({ place: { lat: 1, lng: 2 } });
    expect(asked).toMatchObject({ timeout: 10_000, maximumAge: 30_000 });
  });
});

describe('browsers without WebGL', () => {
  const withCanvas = (getContext: () => unknown) => ({ createElement: () => ({ getContext }) }) as unknown as Document;
  // spec: 2.map.01
  it('are found before MapLibre starts, whether the context is refused or throws', () => {
    expect(probeSupport(withCanvas(() => null))).toBe('no-webgl');
    expect(
      probeSupport(
        withCanvas(() => {
          throw new Error('blocked');
        }),
      ),
    ).toBe('no-webgl');
    expect(probeSupport(withCanvas(() => ({ getExtension: () => null })))).toBe('ok');
  });
  // spec: 2.map.02
  it('get steps of their own', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    expect(browserName(chrome)).toBe('chrome');
    expect(browserName(`${chrome} Edg/156.0.0.0`)).toBe('edge');
    expect(browserName(`${chrome} EdgA/156.0.0.0`)).toBe('edge');
    expect(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0')).toBe('firefox');
    expect(
      browserName('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'),
    ).toBe('safari');
    // Chrome on an iPhone has no settings of its own for that.
    expect(browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1')).toBe(
      'safari',
    );
    expect(new Set(Object.values(WEBGL_STEPS).map(steps => steps[0])).size).toBe(5);
  });
});

describe('marks', () => {
  it('every type has a drawing of its own', () => {
    expect(new Set(MARK_TYPES.map(type => GLYPHS[type])).size).toBe(MARK_TYPES.length);
  });

  it('every status has a shape of its own, in gray print too', () => {
    const statuses: MarkStatus[] = ['LOCATION', 'ACTIVE', 'STANDBY', 'STATIONARY', 'PENDING', 'OFFLINE'];
    const shapes = statuses.map(status =>
      renderToStaticMarkup(<StatusMark status={status} type="fire" />)
        .replace(/var\(--[a-z-]+\)/g, 'ink')
        .replace(/#[0-9a-f]+/g, 'ink'),
    );
    expect(new Set(shapes).size).toBe(statuses.length);
  });

  it('points along the course only while that is true', () => {
    const svg = (props: object) =>
      renderToStaticMarkup(<StatusMark status="ACTIVE" type="fire" course={38} speed={3} {...props} />);
    expect(svg({})).toContain('rotate(38 16 16)');
    for (const change of [{ speed: 0 }, { course: null }, { stale: true }]) expect(svg(change)).not.toContain('rotate');
    expect(showsCourse('STANDBY', 38, 3, false)).toBe(false);
  });

  it('has a spoken name only when it stands alone', () => {
    expect(renderToStaticMarkup(<StatusMark status="ACTIVE" type="fire" />)).toContain('aria-hidden="true"');
    const named = renderToStaticMarkup(<StatusMark status="ACTIVE" type="fire" label="Responding" />);
    expect(named).toContain('role="img"');
    expect(named).toContain('aria-label="Responding"');
  });
});

describe('rows beside the assets', () => {
  // spec: 9.map.08
  it('draws stations with icons of 8, 12 and 20 px', () => {
    const marker = areaLayer.styles('s', TOKENS.dark).find(layer => layer.id === 's');
    const size = marker?.type === 'symbol' ? marker.layout?.['icon-size'] : undefined;
    const made = createExpression(size, 'layers[0].layout.icon-size');
    if (made.result !== 'success') throw new Error('no expression');
    const px = [5, 9.9, 10, 13.9, 14, 18].map(zoom => made.value.evaluate({ zoom }) * GLYPH_PX);
    expect(px).toEqual([8, 8, 12, 12, 20, 20]);
  });

  const row = (id: string, units = 0): MapArea => ({
    ...{ id, units, lat: 39.7, lng: -75.5, name: id, family: 'station', active: true },
    ...{ radiusM: 100, geometry: null, contains: () => false },
  });

  // spec: 2.map.17
  it('tell MapLibre what looks otherwise, and nothing of the rest', () => {
    const rows = new MapRows([areaLayer]);
    const [a, b] = [row('a'), row('b')];
    rows.set(areaLayer, [a, b]);
    const drawn = (before: DrawnRows, selected: string | null = null) =>
      rows.drawn(areaLayer, { selected, faint: false }, before, 100).drawn;
    const first = drawn(new Map());
    expect(drawnDiff(new Map(), first).add.map(one => one.id)).toEqual(['a/0', 'a/1', 'b/0', 'b/1']);
    expect(drawnDiff(first, drawn(first))).toEqual({ remove: [], add: [], update: [] });
    rows.set(areaLayer, [a, row('b', 1), row('c', 3)]);
    const next = drawn(first);
    const { remove, add } = drawnDiff(first, next);
    expect(remove).toEqual(['b/0', 'b/1']);
    expect(add.map(one => one.properties?.text).filter(Boolean)).toEqual(['b\n1 Asset', 'c\n3 Assets']);
    const chosen = drawnDiff(next, drawn(next, 'a'));
    expect(chosen.add.map(one => one.properties?.selected)).toEqual([true, true]);
    rows.set(areaLayer, [a]);
    expect(drawnDiff(next, drawn(next)).remove.sort()).toEqual(['b/0', 'b/1', 'c/0', 'c/1']);
  });

  it('that go many at once stay with MapLibre, hidden, until they come back or are too many', () => {
    const rows = new MapRows([areaLayer]);
    const turn = (before: DrawnRows) => rows.drawn(areaLayer, { selected: null, faint: false }, before, 1e6).drawn;
    const all = Array.from({ length: 300 }, (_, i) => row(`a${i}`));
    rows.set(areaLayer, all);
    const first = turn(new Map());
    rows.set(areaLayer, all.slice(0, 5));
    const found = turn(first);
    const hide = drawnDiff(first, found);
    expect([hide.remove, hide.add, hide.update.length]).toEqual([[], [], 2 * 295]);
    expect(hide.update[0]).toEqual({ id: 'a5/0', addOrUpdateProperties: [{ key: 'hidden', value: true }] });
    // One of them has changed meanwhile, one goes for itself.
    rows.set(areaLayer, [row('a0', 7), ...all.slice(2, 299), row('a299', 1)]);
    const again = turn(found);
    const show = drawnDiff(found, again);
    expect(show.remove).toEqual(['a0/0', 'a0/1', 'a299/0', 'a299/1', 'a1/0', 'a1/1']);
    expect(show.add).toHaveLength(4);
    expect(show.update).toHaveLength(2 * 294);
    expect(show.update.at(-1)).toMatchObject({ id: 'a298/1', addOrUpdateProperties: [{ value: false }] });
    expect([...again.values()].filter(one => one.isHidden)).toEqual([]);
    // Every layer of every noun leaves them out.
    const nouns = overlayLayers('dark').filter(one => MAP_LAYERS.some(noun => one.id.startsWith(sourceOf(noun))));
    expect(nouns.filter(one => !JSON.stringify('filter' in one && one.filter).includes('["get","hidden"]'))).toEqual(
      [],
    );
    const many = Array.from({ length: 20_001 }, (_, i) => row(`m${i}`));
    rows.set(areaLayer, many);
    const most = turn(new Map());
    rows.set(areaLayer, []);
    expect(drawnDiff(most, turn(most)).remove).toHaveLength(2 * 20_001);
  });

  it('come in turns where there are many: what is or was selected never waits', () => {
    const rows = new MapRows([areaLayer]);
    const turn = (before: DrawnRows, selected: string | null = null, faint = false) => {
      const { drawn, isAll } = rows.drawn(areaLayer, { selected, faint }, before, 2);
      return { drawn, isAll, ids: [...drawn.keys()] };
    };
    rows.set(
      areaLayer,
      ['a', 'b', 'c', 'd', 'e'].map(id => row(id)),
    );
    const first = turn(new Map(), 'e');
    expect(first).toMatchObject({ ids: ['a', 'b', 'e'], isAll: false });
    const second = turn(first.drawn);
    expect(second).toMatchObject({ ids: ['a', 'b', 'c', 'd', 'e'], isAll: true });
    expect(drawnDiff(first.drawn, second.drawn)).toMatchObject({ remove: ['e/0', 'e/1'] });
    // What waits stays as it was drawn before; what has gone does not wait.
    rows.set(
      areaLayer,
      ['b', 'c', 'd', 'e'].map(id => row(id)),
    );
    const third = turn(second.drawn, null, true);
    expect(third).toMatchObject({ ids: ['b', 'c', 'd', 'e'], isAll: false });
    expect([...third.drawn.values()].map(one => one.faint)).toEqual([true, true, false, false]);
    expect(turn(third.drawn, null, true)).toMatchObject({ isAll: true });
  });
});
