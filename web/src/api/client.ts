import type { Clock } from '~/lib/clock';
import { serverClock } from '~/lib/clock';
import { Failure, failureOf } from './failure';
import type { AnswerOf, DataOf, DataRoute, DeleteRoute, PartsOf, PathOf, QueryOf, ReadPath, Route } from './route';

type Query = Readonly<Record<string, unknown>>;

/** How a call is made, whatever it asks for. */
interface Manner {
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

/** One call: how it is made, and the path, query and body (sent as JSON) that its operation asks for. */
export type Call<R extends Route> = Manner & PartsOf<R>;

/** A call without its operation. */
type AnyCall = Manner & { path?: Readonly<Record<string, string>>; query?: Query; body?: unknown };

/** What must be said must be there; a call that asks for nothing may be left out. */
type CallOf<R extends Route> = Record<never, never> extends PartsOf<R> ? [call?: Call<R>] : [call: Call<R>];

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

/**
 * HTTP to the API, typed by operation: `api.data('GET /things/{id}', { path: { id } })`. Resolves to an answer's JSON,
 * or throws a `Failure`. A canceled call throws the signal's own reason.
 */
export class Client {
  private authority: Authority | undefined;

  constructor(private readonly parts: ClientParts) {}

  /** Tells where the bearer token comes from. */
  use(authority: Authority): void {
    this.authority = authority;
  }

  /** The whole JSON answer; undefined for an empty one (204). */
  async request<R extends Route>(route: R, ...[call]: CallOf<R>): Promise<AnswerOf<R>> {
    return (await this.ask(route, call ?? {})) as AnswerOf<R>;
  }

  /** What stands under "data" in the answer. */
  async data<R extends DataRoute>(route: R, ...[call]: CallOf<R>): Promise<DataOf<R>> {
    return ((await this.ask(route, call ?? {})) as { data: DataOf<R> }).data;
  }

  /** A read of which path and query are all there is to say. */
  async read<P extends ReadPath>(
    path: P,
    query: QueryOf<`GET ${P}`>,
    signal: AbortSignal,
  ): Promise<AnswerOf<`GET ${P}`>> {
    return (await this.ask(`GET ${path}`, { query, signal })) as AnswerOf<`GET ${P}`>;
  }

  /**
   * Deletes. What is gone already counts as deleted (requirements 4.filter): its 404 is returned, not thrown, so that
   * the screen goes on and can say it in passing.
   */
  async delete<R extends DeleteRoute>(route: R, path: PathOf<R>): Promise<Failure | undefined> {
    try {
      await this.ask(route, { path });
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return error;
      throw error;
    }
    return undefined;
  }

  /** An answer that is a file: its bytes and the name the server gives it. */
  async file<R extends Route>(route: R, ...[call]: CallOf<R>): Promise<{ blob: Blob; name: string }> {
    const given: AnyCall = call ?? {};
    const token = this.authority?.token();
    const response = await this.send(route, given, token);
    if (response.ok) {
      const name = /filename="([^"/\\]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';
      try {
        return { blob: await response.blob(), name };
      } catch (error) {
        throw noAnswer(error, given, undefined);
      }
    }
    const failure = failureOf(response.status, await this.parse(response, given), response.headers);
    if (response.status === 401 && token) this.authority?.refused(token, failure);
    throw failure;
  }

  private async ask(route: Route, call: AnyCall): Promise<unknown> {
    const token = call.auth === false ? undefined : this.authority?.token();
    const response = await this.send(route, call, token);
    const body = await this.parse(response, call);
    if (response.ok) return body;
    const failure = failureOf(response.status, body, response.headers);
    if (response.status === 401 && token) this.authority?.refused(token, failure);
    if (await this.confirmed(failure, call)) return this.ask(route, { ...call, stepUp: false });
    throw failure;
  }

  /** Whether somebody has confirmed who they are, and the refused call may be sent again; once for each call. */
  private async confirmed(failure: Failure, call: AnyCall): Promise<boolean> {
    if (failure.code !== 'step_up_required' || call.stepUp === false || call.auth === false) return false;
    const confirmed = (await this.authority?.confirm?.()) ?? false;
    call.signal?.throwIfAborted();
    return confirmed;
  }

  private async send(route: Route, call: AnyCall, token: string | undefined): Promise<Response> {
    const { method, path } = placed(route, call.path);
    const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
    const headers = new Headers({ Accept: 'application/json' });
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (call.body !== undefined) headers.set('Content-Type', 'application/json');
    if (call.ifMatch !== undefined) headers.set('If-Match', `"${call.ifMatch}"`);
    if (call.idempotencyKey) headers.set('Idempotency-Key', call.idempotencyKey);
    try {
      const response = await this.parts.fetch(`${this.parts.base}${path}${queryText(call.query)}`, {
        method,
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

  private async parse(response: Response, call: AnyCall): Promise<unknown> {
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

function noAnswer(error: unknown, call: AnyCall, timeout: AbortSignal | undefined): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  const late = timeout?.aborted || (error instanceof DOMException && error.name === 'TimeoutError');
  return new Failure({ status: 0, code: late ? 'timeout' : 'network', message: '' });
}

/** The method and the address of an operation, its places filled. */
function placed(route: Route, values: AnyCall['path'] = {}): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')) };
}

/** The query text with its "?", or nothing. Lists repeat their name (`'org_ids[]': ids`); undefined is left out. */
export function queryText(query: Query | undefined): string {
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
