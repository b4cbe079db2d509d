import limits from '@catalog/limits.json';
import { isObject } from '~/api';
import type { Clock } from '~/lib/clock';
import { createEventReader, type StreamEvent } from '~/lib/eventStream';
import { createStore } from '~/lib/store';
import { type DriverAlert, driverAlertOf } from '~/model/driverAlert';
import { instantOf } from '~/model/instant';
import { metersBetween } from '~/model/track';
import { type AlertSource, alertPath, headersOf } from './alertSource';

const RADIUS_M = limits.drive.followRadiusM.value;
const AGAIN_M = limits.drive.followAgainM.value;
const SILENT_MS = limits.drive.silentMs.value;

/** Waits after the first failure; each further one doubles it. */
const RETRY_MS = 2000;
const LONGEST_MS = 30_000;
/** A server that asks for a longer pause is asked again after this. */
const LONGEST_ASKED_MS = 120_000;
/** More than any road has within 5 km: what comes beyond is left out, not held. */
const MOST = 5000;

/** How the stream stands. */
export type Connection =
  /** `lost`: it was live, and what is known may lack something now. `refused`: no key, a wrong one, or no such publisher. */
  'connecting' | 'live' | 'lost' | 'refused';

interface Parts {
  fetch: typeof fetch;
  /** The server's time, learned from what it says. */
  clock: Clock;
  random: () => number;
}

/** A server's no. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly afterMs: number,
  ) {
    super(`the stream was answered ${status}`);
  }
}

/**
 * Follows the alerts of an organization within 5 km of where the driver is. It is read by `fetch`: an EventSource sends
 * no headers, and a key in the address would stand in logs.
 */
export class Follower {
  readonly connection = createStore<Connection>('connecting');
  /** What holds now, as far as it is known, by id. */
  readonly alerts = new Map<string, DriverAlert>();
  private center: { lat: number; lng: number } | undefined;
  private lastId = '';
  private call: AbortController | undefined;
  private wait: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private retryMs = RETRY_MS;
  private heardAt = 0;
  /** What the server has named since it began anew; what it does not name until it is ready has ended. */
  private named: Set<string> | undefined;
  private isOver = false;

  constructor(
    private readonly way: AlertSource,
    private readonly parts: Parts,
  ) {}

  /** The driver is here. The circle moves along every 2 km: another circle is another question, and nothing resumes it. */
  at(place: { lat: number; lng: number }): void {
    if (this.isOver || (this.center && metersBetween(this.center, place) < AGAIN_M)) return;
    this.center = { lat: place.lat, lng: place.lng };
    this.lastId = '';
    this.connect();
  }

  /** The network is back, or the page is seen again: no use to wait any longer. */
  wake(): void {
    if (this.isOver || !this.center || this.isHeard()) return;
    this.failures = 0;
    this.connect();
  }

  /** The network has gone. */
  drop(): void {
    if (this.call) this.lose(this.call, undefined);
  }

  /** Whether the server has been heard lately; a phone that slept has missed what its timers would have said. */
  isHeard(): boolean {
    return this.connection.get() === 'live' && Date.now() - this.heardAt < SILENT_MS;
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.wait);
    clearTimeout(this.watch);
    this.call?.abort();
  }

  private connect(): void {
    clearTimeout(this.wait);
    this.call?.abort();
    const call = new AbortController();
    this.call = call;
    this.listen(call);
    this.read(call).then(
      () => this.lose(call, undefined),
      error => this.lose(call, error),
    );
  }

  /** From now on the server has to say something within 40 s. */
  private listen(call: AbortController): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.lose(call, undefined), SILENT_MS);
  }

  private async read(call: AbortController): Promise<void> {
    const { lat = 0, lng = 0 } = this.center ?? {};
    // To a tenth of a kilometer or so: the circle needs no more of where somebody is.
    const query = `?lat=${lat.toFixed(3)}&lng=${lng.toFixed(3)}&radius_m=${RADIUS_M}`;
    const response = await this.parts.fetch(alertPath(this.way, `alerts/stream${query}`), {
      headers: {
        ...headersOf(this.way),
        Accept: 'text/event-stream',
        ...(this.lastId && { 'Last-Event-ID': this.lastId }),
      },
      credentials: 'omit',
      cache: 'no-store',
      signal: call.signal,
    });
    if (!response.ok) throw new Refused(response.status, Number(response.headers.get('Retry-After')) * 1000 || 0);
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw new TypeError('something else than the server answered');
    // What broke off before it was ready goes on where it was.
    if (!this.lastId) this.named = new Set();
    const hear = createEventReader(event => this.hear(event), { retry: ms => this.waitFor(ms) });
    const text = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || call !== this.call || this.isOver) return;
      this.heardAt = Date.now();
      this.listen(call);
      hear(text.decode(value, { stream: true }));
    }
  }

  private hear({ type, data, id }: StreamEvent): void {
    if (id) this.lastId = id;
    const said: unknown = JSON.parse(data || 'null');
    const fields = (isObject(said) ? said : {}) as Readonly<Record<string, unknown>>;
    if (type === 'hello') this.greet(fields);
    else if (type === 'reset') this.restart();
    else if (type === 'gone') this.alerts.delete(String(fields.id));
    else if (type === 'alert') this.keep(said);
    else if (type === 'ready') this.settle();
  }

  private greet(fields: Readonly<Record<string, unknown>>): void {
    const now = typeof fields.server_time === 'string' ? instantOf(fields.server_time) : 0;
    if (now > 0) this.parts.clock.learn(now);
    if (typeof fields.retry_ms === 'number') this.waitFor(fields.retry_ms);
  }

  /** A server that stops tells each of its readers another pause, so that not all come back at once. */
  private waitFor(ms: number): void {
    if (ms > 0) this.retryMs = Math.min(LONGEST_MS, Math.max(500, ms));
  }

  /** The server no longer knows what came after: it tells everything again. */
  private restart(): void {
    this.lastId = '';
    this.named = new Set();
  }

  private keep(said: unknown): void {
    const alert = driverAlertOf(said);
    if (!alert || (this.alerts.size >= MOST && !this.alerts.has(alert.id))) return;
    this.alerts.set(alert.id, alert);
    this.named?.add(alert.id);
  }

  private settle(): void {
    for (const id of this.named ? this.alerts.keys() : []) if (!this.named?.has(id)) this.alerts.delete(id);
    this.named = undefined;
    this.failures = 0;
    this.connection.set('live');
  }

  private lose(call: AbortController, error: unknown): void {
    if (call !== this.call || this.isOver) return;
    this.call = undefined;
    call.abort();
    clearTimeout(this.watch);
    clearTimeout(this.wait);
    if (error instanceof Refused && [401, 403, 404].includes(error.status)) {
      this.connection.set('refused');
      this.stop();
      return;
    }
    if (this.connection.get() === 'live') this.connection.set('lost');
    const asked = error instanceof Refused ? Math.min(LONGEST_ASKED_MS, error.afterMs) : 0;
    const pause = Math.min(LONGEST_MS, this.retryMs * 2 ** Math.min(this.failures++, 10));
    // Phones that lost the same server do not come back in the same instant.
    this.wait = setTimeout(() => this.connect(), asked + pause * (0.5 + this.parts.random() / 2));
  }
}
