import { describe, expect, it } from 'vitest';
import type { StreamState } from '~/live';
import { IDLE } from '~/live/stream';
import type { MapState } from '~/map/types';
import { ageOf } from './age';

const STREAM: readonly StreamState['phase'][] = ['idle', 'loading', 'live', 'polling', 'reconnecting', 'failed'];
const MAP: readonly MapState['phase'][] = ['loading', 'ready', 'unloaded', 'unsupported'];

const of = (change: Partial<StreamState>, map: MapState['phase'] = 'ready') =>
  ageOf({ ...IDLE, asOf: 1, ...change }, map);

describe('the badge over the map', () => {
  it('says Live in one state alone: read, streamed, online, and drawn', () => {
    const live = STREAM.flatMap(phase =>
      MAP.flatMap(map =>
        [true, false].flatMap(online =>
          [0, 1]
            .filter(asOf => of({ phase, online, asOf }, map).label === 'Live')
            .map(asOf => [phase, map, online, asOf]),
        ),
      ),
    );
    expect(live).toEqual([['live', 'ready', true, 1]]);
  });

  it('is well only while it says that all is kept up to date', () => {
    const well = STREAM.flatMap(phase => MAP.filter(map => of({ phase }, map).isWell).map(map => [phase, map]));
    expect(well).toEqual([
      ['live', 'ready'],
      ['polling', 'ready'],
    ]);
  });

  it('says in plain words how a picture without a stream is kept up', () => {
    expect(of({ phase: 'polling' }).label).toBe('Updating every 15 seconds');
  });

  it('says what the map lacks, and that its time is the list’s', () => {
    const said = (map: MapState['phase']) => of({ phase: 'live' }, map);
    expect(said('unsupported')).toMatchObject({ label: 'No map', of: 'list' });
    expect(said('unloaded')).toMatchObject({ label: 'Map not loaded', of: 'list' });
    expect(said('loading')).toMatchObject({ label: 'Map loading', of: 'list' });
    expect(of({ phase: 'reconnecting' }, 'unsupported')).toMatchObject({ label: 'Reconnecting', of: '' });
  });

  it('says what is under way, and what did not work', () => {
    expect(of({ phase: 'loading', asOf: 0 }).label).toBe('Loading');
    expect(of({ phase: 'failed', asOf: 0 }).label).toBe('Not loaded');
    expect(of({ phase: 'failed' }).label).toBe('Reconnecting');
    expect(of({ phase: 'live', online: false }).label).toBe('Offline');
  });
});
