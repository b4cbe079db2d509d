import { describe, expect, it } from 'vitest';
import { firstOf, recorded, vary } from '~/api/recorded';
import { DEFAULT_CONFIG, parseMapConfig } from './config';
import {
  BUILTIN,
  nextProvider,
  nextTickAt,
  offeredProviders,
  type ProviderEvent,
  type ProviderState,
  retryAfterMs,
  shownProvider,
  typeOptions,
  WATCHDOG_MS,
} from './providers';
import { ProviderSwitch } from './switcher';
import type { MapProvider } from './types';

const IMAGERY: MapProvider = {
  id: 'usgs',
  title: '',
  kind: 'raster',
  role: 'satellite',
  url: 'https://tiles.example/{z}/{x}/{y}',
  attribution: 'USGS',
  maxZoom: 16,
};

function run(events: readonly [ProviderEvent, number][]): ProviderState {
  return events.reduce<ProviderState>((state, [event, at]) => nextProvider(state, event, at), { phase: 'builtin' });
}
const CHOSEN: [ProviderEvent, number] = [{ type: 'choose', provider: IMAGERY }, 0];
const PROBED: [ProviderEvent, number] = [{ type: 'probed', ok: true }, 100];
const tile = (ok: boolean, at: number): [ProviderEvent, number] => [{ type: 'tile', ok }, at];

describe('a chosen provider', () => {
  it('is shown only after its probe; until then the built-in map stays', () => {
    expect(shownProvider(run([CHOSEN]))).toBeNull();
    expect(shownProvider(run([CHOSEN, PROBED]))).toBe(IMAGERY);
  });

  it('falls back when the probe fails', () => {
    expect(run([CHOSEN, [{ type: 'probed', ok: false }, 4000]])).toMatchObject({
      phase: 'down',
      attempt: 1,
      retryAt: 34_000,
    });
  });

  it('falls back after 4 failed tiles in a row, not after 3, and a good one in between starts over', () => {
    const three = [CHOSEN, PROBED, tile(false, 1), tile(false, 2), tile(false, 3)];
    expect(run(three).phase).toBe('shown');
    expect(run([...three, tile(false, 4)]).phase).toBe('down');
    expect(run([...three, tile(true, 4), tile(false, 5)]).phase).toBe('shown');
  });

  it('falls back when no tile has come within 6 s; a tile in time ends the watch', () => {
    const due = 100 + WATCHDOG_MS;
    expect(nextTickAt(run([CHOSEN, PROBED]))).toBe(due);
    expect(run([CHOSEN, PROBED, [{ type: 'tick' }, due - 1]]).phase).toBe('shown');
    expect(run([CHOSEN, PROBED, [{ type: 'tick' }, due]]).phase).toBe('down');
    const watched = run([CHOSEN, PROBED, tile(true, 500)]);
    expect(nextTickAt(watched)).toBeNull();
    expect(nextProvider(watched, { type: 'tick' }, 1e9)).toBe(watched);
  });

  it('is tried again with backoff 30 s … 10 min, and at once when the network returns', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map(retryAfterMs)).toEqual([
      30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000,
    ]);
    const down = run([CHOSEN, [{ type: 'probed', ok: false }, 0]]);
    expect(nextProvider(down, { type: 'tick' }, 29_999).phase).toBe('down');
    expect(nextProvider(down, { type: 'tick' }, 30_000)).toMatchObject({ phase: 'probing', attempt: 1 });
    expect(nextProvider(down, { type: 'online' }, 1).phase).toBe('probing');
  });

  it('going back to the built-in map ends everything', () => {
    expect(run([CHOSEN, PROBED, [{ type: 'choose', provider: null }, 5]])).toEqual({ phase: 'builtin' });
  });
});

describe('the switch', () => {
  it('aborts the probe of a provider that is no longer wanted', async () => {
    const phases: string[] = [];
    let aborted = false;
    const probe = (_: MapProvider, signal: AbortSignal) =>
      new Promise<null>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('aborted'));
        });
      });
    const providers = new ProviderSwitch(
      state => phases.push(state.phase),
      () => 0,
      probe,
    );
    providers.send({ type: 'choose', provider: IMAGERY });
    providers.send({ type: 'choose', provider: null });
    await Promise.resolve();
    expect(aborted).toBe(true);
    expect(phases).toEqual(['probing', 'builtin']);
    providers.stop();
  });

  it('shows a probed provider and falls back when its tiles fail', async () => {
    const phases: string[] = [];
    const shown = new Promise<ProviderSwitch>(resolve => {
      const made: ProviderSwitch = new ProviderSwitch(
        state => {
          phases.push(state.phase);
          if (state.phase === 'shown') resolve(made);
        },
        () => 0,
        () => Promise.resolve(null),
      );
      made.send({ type: 'choose', provider: IMAGERY });
    });
    const providers = await shown;
    for (let i = 0; i < 4; i++) providers.send({ type: 'tile', ok: false });
    expect(phases).toEqual(['probing', 'shown', 'down']);
    providers.stop();
  });
});

// spec: 2.map.03
describe('map types on offer', () => {
  const { data } = recorded('getMapConfig.ok');
  const imagery = vary(firstOf(data.providers), { id: 'usgs', title: '', url: IMAGERY.url });

  it('is the roadmap alone until an administrator configures more', () => {
    expect(typeOptions(DEFAULT_CONFIG)).toEqual([{ id: BUILTIN, title: 'Roadmap', role: 'roadmap' }]);
  });

  it('imagery brings satellite, and a hybrid with our own streets over it', () => {
    const config = parseMapConfig({ data: { ...data, providers: [imagery] } });
    expect(typeOptions(config).map(option => option.title)).toEqual(['Roadmap', 'Satellite', 'Hybrid']);
    expect(offeredProviders(config)[1]).toMatchObject({ id: 'usgs+streets', role: 'hybrid', url: IMAGERY.url });
  });

  it('no hybrid of ours without streets, or beside a configured one', () => {
    expect(typeOptions(parseMapConfig({ data: { ...data, region: null, providers: [imagery] } }))).toHaveLength(2);
    const both = [imagery, vary(imagery, { id: 'h', map_type: 'hybrid', title: 'Mixed' })];
    const titles = typeOptions(parseMapConfig({ data: { ...data, providers: both } })).map(option => option.title);
    expect(titles).toEqual(['Roadmap', 'Satellite', 'Mixed']);
  });
});

describe('the configuration', () => {
  it('falls back part by part to the embedded base: a map is always shown', () => {
    expect(parseMapConfig(undefined)).toEqual(DEFAULT_CONFIG);
    expect(parseMapConfig('<html>')).toEqual(DEFAULT_CONFIG);
    expect(
      parseMapConfig({ data: { providers: [{ map_type: 'moon', url: 'x', kind: 'raster' }, 3, { kind: 'style' }] } }),
    ).toEqual(DEFAULT_CONFIG);
  });

  it('reads the region and its box; a box that is none is left out', () => {
    const { region } = recorded('getMapConfig.ok').data;
    expect(parseMapConfig(recorded('getMapConfig.ok')).region).toEqual({
      tiles: region?.tiles,
      maxZoom: region?.max_zoom,
      attribution: '© OpenStreetMap contributors',
      bounds: { south: 38, west: -76, north: 40, east: -75 },
    });
    expect(parseMapConfig(recorded('getMapConfig.empty')).region).toBeNull();
    expect(parseMapConfig({ data: { region: { ...region, min_lat: 41 } } }).region?.bounds).toBeNull();
  });
});
