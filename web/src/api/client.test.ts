import { describe, expect, it, vi } from 'vitest';
import { createClock } from '~/lib/clock';
import { Client, queryText } from './client';
import type { Failure } from './failure';
import { answered, malformed, replayed } from './recorded';

function client(respond: (request: Request, signal?: AbortSignal | null) => Response | Promise<Response>) {
  const seen: Request[] = [];
  const clock = createClock(() => 1_000_000);
  const made = new Client({
    base: '/api',
    clock,
    fetch: async (url, init) => {
      const request = new Request(`http://test.example${url}`, init);
      seen.push(request);
      init?.signal?.throwIfAborted();
      return respond(request, init?.signal);
    },
  });
  return { client: made, seen, clock };
}

const caught = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: Failure) => error);

describe('client', () => {
  it('sends JSON with the bearer token, the version and the idempotency key', async () => {
    const { client: api, seen } = client(() => answered('updateThing.ok', { id: 'a7' }));
    api.use({ token: () => 'lb_at_1', refused: () => undefined });
    const value = await api.data('PUT /things/{id}', {
      path: { id: 'a/7' },
      body: { nickname: 'Ladder 1', in_service: true, is_publicly_alerting: false },
      ifMatch: 3,
      idempotencyKey: 'k',
    });
    expect(value).toEqual(expect.objectContaining({ id: 'a7' }));
    const [request] = seen;
    expect(request?.method).toBe('PUT');
    expect(request?.url).toBe('http://test.example/api/things/a%2F7');
    expect(request?.headers.get('Authorization')).toBe('Bearer lb_at_1');
    expect(request?.headers.get('If-Match')).toBe('"3"');
    expect(request?.headers.get('Idempotency-Key')).toBe('k');
    expect(await request?.json()).toEqual({ nickname: 'Ladder 1', in_service: true, is_publicly_alerting: false });
  });

  // spec: 7.base.02
  it('sends no token on sign-in', async () => {
    const { client: api, seen } = client(() => replayed('createUserToken.refreshed'));
    api.use({ token: () => 'lb_at_1', refused: () => undefined });
    await api.request('POST /user_token', { body: { grant_type: 'refresh_token' }, auth: false });
    expect(seen[0]?.headers.has('Authorization')).toBe(false);
  });

  it('repeats the names of lists in the query', () => {
    expect(queryText({ 'org_ids[]': ['a', 'b'], page: 2, none: undefined })).toBe(
      '?org_ids%5B%5D=a&org_ids%5B%5D=b&page=2',
    );
    expect(queryText({})).toBe('');
  });

  it('throws status 0 when nothing comes, when it takes too long and when a page comes instead of data', async () => {
    const down = client(() => Promise.reject(new TypeError('fetch failed')));
    expect(await caught(down.client.request('GET /version'))).toMatchObject({ status: 0, code: 'network' });
    // Its own signal: that of a Request hears nothing any more once Node has collected what stands between the two.
    const slow = client(
      (_, signal) => new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason))),
    );
    expect(await caught(slow.client.request('GET /version', { timeoutMs: 5 }))).toMatchObject({
      status: 0,
      code: 'timeout',
    });
    const page = client(() => malformed('<html>'));
    expect(await caught(page.client.request('GET /version'))).toMatchObject({ status: 0, code: 'unreadable' });
  });

  it('lets a canceled call throw its own reason', async () => {
    const { client: api } = client(() => replayed('getVersion.ok'));
    const reason = new Error('left the page');
    expect(await caught(api.request('GET /version', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  // spec: 4.auth.04
  it('tells the authority of a 401 that carried a token, and of no other', async () => {
    const refused = vi.fn();
    const { client: api } = client(() => replayed('listSessions.invalid_token'));
    api.use({ token: () => 'lb_at_1', refused });
    expect(await caught(api.request('GET /profile'))).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(refused).toHaveBeenCalledWith('lb_at_1', expect.objectContaining({ status: 401 }));
    await caught(api.request('POST /user_token', { body: { grant_type: 'refresh_token' }, auth: false }));
    expect(refused).toHaveBeenCalledTimes(1);
  });

  it('learns the server time of answers', async () => {
    const { client: api, clock } = client(() => {
      const version = replayed('getVersion.ok');
      version.headers.set('Date', new Date(1_060_000).toUTCString());
      return version;
    });
    await api.request('GET /version');
    expect(clock.now()).toBe(1_060_000);
  });
});
