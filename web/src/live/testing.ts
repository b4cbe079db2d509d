import type { Schemas, WireFrame, WireLive, WireThing } from '~/api';
import { streamed, vary } from '~/api/recorded';
import { wireThing } from '~/model/testing';
import type { SocketLike } from './socket';

/** mulberry32: the same numbers in [0, 1) every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

export const T0 = Date.parse('2026-11-21T10:42:00.000Z');
export const at = (ms: number) => new Date(T0 + ms).toISOString();

/** A list row whose instants are all `ms` after T0. */
export function rowAt(id: string, ms: number, over: Partial<WireThing> = {}): WireThing {
  return wireThing({
    id,
    heartbeat_datetime: at(ms),
    at: at(ms),
    received_at: at(ms),
    status_at: at(0),
    stale_at: at(ms + 30_000),
    ...over,
  });
}

/** The incident of an asset that arrived `ms` after T0. */
export const sceneAt = (id: string, ms = 0): WireLive['location'] => ({ id, start_time: at(ms) });

/** A point message of an asset; its position says when it was. */
export function pointAt(id: string, ms: number, over: Partial<WireLive> = {}): Schemas['PointMessage'] {
  const { lng, run_id, status, status_at, heartbeat_datetime, ...row } = rowAt(id, ms);
  const { live, ...message } = streamed('point.moving');
  return {
    ...message,
    live: vary(live, {
      id,
      lat: 39 + ms / 1e6,
      lng: lng === null ? null : -75 - ms / 1e6,
      course: row.course,
      speed: ms / 1000,
      street: `street ${ms}`,
      status,
      status_at,
      is_active: true,
      enroute: true,
      heartbeat_datetime,
      at: row.at,
      received_at: row.received_at,
      stale_at: row.stale_at,
      run_id,
      run_points_count: ms,
      ...over,
    }),
  };
}

/** The frame that carries messages to a page, each with its offset. */
export const batchOf = (epoch: string, messages: Schemas['BatchMessage'][]): Schemas['BatchFrame'] =>
  vary(streamed('batch'), { epoch, messages });

/** The confirmation of a subscription that stands at an offset. */
export const confirmAt = (offset: number, epoch = 'e1') => vary(streamed('confirm_subscription'), { epoch, offset });

/** A WebSocket under the test's control: what was sent, and what the server says next. */
export class FakeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  readyState = 1;
  readonly sent: unknown[] = [];
  isClosed = false;

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {}

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.isClosed = true;
    this.readyState = 3;
  }

  /** The server says something; a text is something that no sound server says. */
  say(frame: WireFrame | string): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) } as MessageEvent);
  }

  /** The connection is lost. */
  cut(): void {
    this.readyState = 3;
    this.onclose?.({} as CloseEvent);
  }
}
