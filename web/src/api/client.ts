import type { Clock } from '~/lib/clock';
import { serverClock } from '~/lib/clock';
import { Failure, failureOf } from './failure';

type QueryValue = string | number | boolean | undefined | readonly (string | number)[];

/** One call. Paths stand below /api ("/profile"). */
export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Lists repeat their name (`'org_ids[]': ids`); undefined is left out. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  body?: unknown;
  /** The version that the edit began with; the server answers 409 when somebody was faster. */
  ifMatch?: number | string | undefined;
  /** Makes a write safe to send again. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** Default 30 000 ms. */
  timeoutMs?: number;
  /** False: without the bearer token (sign-in, refresh). */
  auth?: boolean;
  /** False: a refusal that asks who is there is thrown instead of asked and repeated. */
  stepUp?: boolean;
}

/** Who lends the client its token and hears of a refused one. */
export interface Authority {
  token(): string | undefined;
  /** A call that carried `token` was answered 401. */
  refused(token: string, failure: Failure): void;
  /** The server wants to know again who is there (403 step_up_required); true once it does: the call is repeated. */
  confirm?(): Promise<boolean>;
}

const TIMEOUT_MS = 30_000;

export interface ClientParts {
  base: string;
  fetch: typeof fetch;
  clock: Clock;
}

/** HTTP to the API: an answer's JSON, or a thrown `Failure`. A cancelled call throws the signal's own reason. */
export class Client {
  private authority: Authority | undefined;

  constructor(private readonly parts: ClientParts) {}

  /** Tells where the bearer token comes from. */
  use(authority: Authority): void {
    this.authority = authority;
  }

  /** The whole JSON answer; undefined for an empty one (204). */
  async request<T>(path: string, call: Call = {}): Promise<T> {
    const token = call.auth === false ? undefined : this.authority?.token();
    const response = await this.send(path, call, token);
    const body = await this.read(response, call);
    if (response.ok) return body as T;
    const failure = failureOf(response.status, body, response.headers);
    if (response.status === 401 && token) this.authority?.refused(token, failure);
    if (await this.confirmed(failure, call)) return this.request<T>(path, { ...call, stepUp: false });
    throw failure;
  }

  /** What stands under "data" in the answer. */
  async data<T>(path: string, call: Call = {}): Promise<T> {
    return (await this.request<{ data: T }>(path, call)).data;
  }

  /**
   * Deletes. What is gone already counts as deleted (specification section 4): its 404 is returned, not thrown, so that
   * the screen goes on and can say it in passing.
   */
  async delete(path: string): Promise<Failure | undefined> {
    try {
      await this.request(path, { method: 'DELETE' });
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return error;
      throw error;
    }
    return undefined;
  }

  /** An answer that is a file: its bytes and the name the server gives it. */
  async file(path: string, call: Call = {}): Promise<{ blob: Blob; name: string }> {
    const token = this.authority?.token();
    const response = await this.send(path, call, token);
    if (response.ok) {
      const name = /filename="([^"/\\]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';
      try {
        return { blob: await response.blob(), name };
      } catch (error) {
        throw noAnswer(error, call, undefined);
      }
    }
    const failure = failureOf(response.status, await this.read(response, call), response.headers);
    if (response.status === 401 && token) this.authority?.refused(token, failure);
    throw failure;
  }

  /** Whether somebody has confirmed who they are, and the refused call may be sent again; once for each call. */
  private async confirmed(failure: Failure, call: Call): Promise<boolean> {
    if (failure.code !== 'step_up_required' || call.stepUp === false || call.auth === false) return false;
    const confirmed = (await this.authority?.confirm?.()) ?? false;
    call.signal?.throwIfAborted();
    return confirmed;
  }

  private async send(path: string, call: Call, token: string | undefined): Promise<Response> {
    const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
    const headers = new Headers({ Accept: 'application/json' });
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (call.body !== undefined) headers.set('Content-Type', 'application/json');
    if (call.ifMatch !== undefined) headers.set('If-Match', `"${call.ifMatch}"`);
    if (call.idempotencyKey) headers.set('Idempotency-Key', call.idempotencyKey);
    try {
      const response = await this.parts.fetch(`${this.parts.base}${path}${queryOf(call.query)}`, {
        method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
        headers,
        credentials: 'same-origin',
        signal: call.signal ? AbortSignal.any([timeout, call.signal]) : timeout,
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      const date = Date.parse(response.headers.get('Date') ?? '');
      if (!Number.isNaN(date)) this.parts.clock.learn(date);
      return response;
    } catch (error) {
      throw noAnswer(error, call, timeout);
    }
  }

  private async read(response: Response, call: Call): Promise<unknown> {
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw noAnswer(error, call, undefined);
    }
    if (text === '') return undefined;
    try {
      return JSON.parse(text);
    } catch {
      // A page instead of data: something between us and the server answered.
      if (response.ok) throw new Failure({ status: 0, code: 'unreadable', message: '' });
      return undefined;
    }
  }
}

function noAnswer(error: unknown, call: Call, timeout: AbortSignal | undefined): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  const late = timeout?.aborted || (error instanceof DOMException && error.name === 'TimeoutError');
  return new Failure({ status: 0, code: late ? 'timeout' : 'network', message: '' });
}

/** The query text with its "?", or nothing. */
export function queryOf(query: Call['query']): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, String(one));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

/** The app's client; the session lends it its token. */
export const api = new Client({ base: '/api', fetch: (...args) => globalThis.fetch(...args), clock: serverClock });
