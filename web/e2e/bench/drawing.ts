/**
 * Drawing benchmark: the assets' own layer beside a GeoJSON symbol layer with the
 * same points, moved all at once. drawing.mjs drives it and reads the figures.
 */
import type { FeatureCollection, Point } from 'geojson';
import type { GeoJSONSource } from 'maplibre-gl';
import { MapController } from '~/map';
import { labelFeatures } from '~/map/labels';
import { type AssetBatch, AssetColumns, MARK_TYPES, type MapAsset } from '~/model/batch';

const STATUSES = ['LOCATION', 'ACTIVE', 'STANDBY', 'STATIONARY', 'PENDING', 'OFFLINE'] as const;
const CENTER = { lat: 39.2, lng: -75.5 };
/** Degrees around the center in which the assets stand: all in view at zoom 9. */
const SPREAD = { lat: 0.7, lng: 0.8 };
const NOW = Date.UTC(2026, 10, 21, 10, 42);

const controller = new MapController({ theme: 'dark', now: () => NOW });
controller.attach(document.getElementById('map') as HTMLElement);

/** A repeatable random number 0…1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Ids and names are the same strings in all steps, as the live store keeps one of each per asset. */
const ids: string[] = [];
const labels: string[] = [];

function assetsAt(n: number, step: number): MapAsset[] {
  const random = seeded(7);
  const assets: MapAsset[] = [];
  for (let row = ids.length; row < n; row++) {
    ids.push(`asset-${row}`);
    labels.push(`Unit ${row}`);
  }
  for (let row = 0; row < n; row++) {
    const lat = CENTER.lat + (random() - 0.5) * SPREAD.lat;
    const lng = CENTER.lng + (random() - 0.5) * SPREAD.lng;
    assets.push({
      row,
      id: ids[row] as string,
      lat: lat + step * 0.0002,
      lng: lng + step * 0.0002,
      course: (row * 37 + step * 5) % 360,
      speed: row % 3 === 0 ? 12 : 0,
      status: STATUSES[row % STATUSES.length] ?? 'STANDBY',
      type: MARK_TYPES[row % MARK_TYPES.length] ?? 'other',
      inService: row % 11 !== 0,
      at: NOW + step * 1000,
      staleAt: NOW + 600_000,
      shown: true,
      label: labels[row] as string,
    });
  }
  return assets;
}

/** A share of the assets, spread over them at random. */
function part(assets: readonly MapAsset[], share: number, seed: number): readonly MapAsset[] {
  const random = seeded(seed);
  return share < 1 ? assets.filter(() => random() < share) : assets;
}

const batchOf = (assets: readonly MapAsset[]): AssetBatch => ({ upserted: AssetColumns.of(assets), removed: [] });

function features(assets: readonly MapAsset[]): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: assets.map(asset => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [asset.lng, asset.lat] },
      properties: { status: asset.status, course: asset.course ?? 0 },
    })),
  };
}

/** A picture that has not settled by then counts as never. */
const SETTLE_MS = 6_000;

let steps: (readonly MapAsset[])[] = [];
let batches: AssetBatch[] = [];
let collections: FeatureCollection<Point>[] = [];
let step = 0;

const idle = (): Promise<void> =>
  Promise.race([
    new Promise<void>(resolve => controller.whenIdle(resolve)),
    new Promise<void>(resolve => setTimeout(resolve, SETTLE_MS)),
  ]);

/** Runs fn and answers its main-thread ms. */
function timed(fn: () => void): number {
  const start = performance.now();
  fn();
  return performance.now() - start;
}

const bench = {
  ready: () =>
    new Promise<void>(resolve =>
      controller.getState().phase === 'ready' ? resolve() : controller.on('ready', () => resolve()),
    ),

  async view(zoom: number): Promise<void> {
    controller.engineMap()?.jumpTo({ center: [CENTER.lng, CENTER.lat], zoom });
    await idle();
  },

  /** Own layer with n assets, of which a share moves with each update. */
  async own(n: number, share: number): Promise<void> {
    const whole = [0, 1, 2, 3].map(index => assetsAt(n, index));
    steps = whole.map((all, index) => part(all, share, index));
    batches = steps.map(batchOf);
    controller.assets.apply({ ...batchOf(whole[0] ?? []), reset: true });
    await idle();
    // What making the assets has left behind is not the updates' to collect.
    window.gc?.();
  },

  /** Waits until everything is drawn. */
  rest: idle,

  /**
   * Does so many updates, one after the other without a frame between, and answers the medians of what they took by
   * the clock: apply (into the arrays), fill (cull, sort, write) and names (features of the labels in view).
   */
  ownUpdates(rounds: number): { apply: number; fill: number; names: number; visible: number } {
    const map = controller.engineMap();
    const view = controller.view();
    if (!map || !view) throw new Error('no map');
    const { table, fill } = controller.layer;
    const times = { apply: [] as number[], fill: [] as number[], names: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const next = batches[++step % batches.length] as AssetBatch;
      times.apply.push(timed(() => controller.assets.apply(next)));
      times.fill.push(timed(() => controller.layer.refill(map)));
      times.names.push(timed(() => labelFeatures(table, fill, view.bounds, view.zoom, NOW)));
    }
    controller.layer.invalidate();
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
    const { apply, fill: filled, names } = times;
    return { apply: median(apply), fill: median(filled), names: median(names), visible: fill.visible };
  },

  /** The median of what it takes by the clock to write a batch, which the live store does before the map takes it. */
  batchMs(rounds: number): number {
    const times = Array.from({ length: rounds }, (_, round) => timed(() => batchOf(steps[round % steps.length] ?? [])));
    return times.sort((a, b) => a - b)[rounds >> 1] ?? 0;
  },

  clearOwn(): void {
    controller.assets.apply({ ...batchOf([]), reset: true });
  },

  /** The same points as a symbol layer. */
  async symbols(n: number): Promise<void> {
    const map = controller.engineMap();
    if (!map) throw new Error('no map');
    collections = [0, 1, 2, 3].map(index => features(assetsAt(n, index)));
    const canvas = new OffscreenCanvas(20, 20);
    canvas.getContext('2d')?.fillRect(4, 4, 12, 12);
    const image = canvas.getContext('2d')?.getImageData(0, 0, 20, 20);
    if (image) for (const status of STATUSES) if (!map.hasImage(status)) map.addImage(status, image);
    map.addSource('bench', { type: 'geojson', data: collections[0] as FeatureCollection });
    map.addLayer({
      id: 'bench',
      type: 'symbol',
      source: 'bench',
      layout: {
        'icon-image': ['get', 'status'],
        'icon-rotate': ['get', 'course'],
        'icon-allow-overlap': true,
      },
    });
    await idle();
  },

  async symbolUpdate(): Promise<{ update: number; toScreen: number }> {
    const map = controller.engineMap();
    const next = collections[++step % collections.length] as FeatureCollection;
    const start = performance.now();
    const update = timed(() => map?.getSource<GeoJSONSource>('bench')?.setData(next));
    const settled = await Promise.race([
      new Promise<boolean>(resolve => map?.once('idle', () => resolve(true))),
      new Promise<boolean>(resolve => setTimeout(() => resolve(false), SETTLE_MS)),
    ]);
    return { update, toScreen: settled ? performance.now() - start : Number.POSITIVE_INFINITY };
  },

  removeSymbols(): void {
    const map = controller.engineMap();
    map?.removeLayer('bench');
    map?.removeSource('bench');
  },

  /** Frames drawn during `ms` without any change. */
  async idleFrames(ms: number): Promise<number> {
    await idle();
    let frames = 0;
    const count = (): void => {
      frames++;
    };
    controller.engineMap()?.on('render', count);
    await new Promise(resolve => setTimeout(resolve, ms));
    controller.engineMap()?.off('render', count);
    return frames;
  },

  pick(): number {
    const rounds = 200;
    return (
      timed(() => {
        for (let i = 0; i < rounds; i++)
          controller.layer.pick({ lat: CENTER.lat + i * 1e-5, lng: CENTER.lng }, 18, false);
      }) / rounds
    );
  },
};

declare global {
  interface Window {
    bench: typeof bench;
    /** There with --expose-gc. */
    gc?: () => void;
  }
}
window.bench = bench;
