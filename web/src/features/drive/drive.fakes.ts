import { vi } from 'vitest';
import { eventOf, opened as openedAs, replayed } from '~/api/recorded';

/** A server's stream of driver alerts, as a test lets it speak. */
export interface FakeStream {
  url: string;
  headers: Headers;
  say(event: string, data: unknown, id?: string): void;
  keepAlive(): void;
  /** The server ends it. */
  end(): void;
  /** The page has let go of it. */
  isLeft(): boolean;
}

type Answer = () => Response | Promise<Response>;

/** The server of a test: it opens streams unless it is told to answer otherwise, and keeps what is posted. */
export function fakeServer() {
  const streams: FakeStream[] = [];
  const posts: { url: string; headers: Headers; body: { consumer: string; alerts: string[] } }[] = [];
  const asked: { url: string; headers: Headers }[] = [];
  const server = {
    streams,
    posts,
    asked,
    /** What the next question is answered; undefined: as usual. */
    stream: undefined as Answer | undefined,
    post: (() => replayed('feeds-alerts-impressions.ok')) as Answer,
    document: (() => replayed('feeds-alerts.empty')) as Answer,
    last: () => {
      const last = streams.at(-1);
      if (!last) throw new Error('nobody follows');
      return last;
    },
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      const url = String(input);
      const headers = new Headers(init.headers);
      if (init.method === 'POST') {
        posts.push({ url, headers, body: JSON.parse(String(init.body)) });
        return server.post();
      }
      if (!url.includes('/alerts/stream')) {
        asked.push({ url, headers });
        return url.startsWith('/feeds/') ? server.document() : replayed('feeds-alerts.not_found');
      }
      const refused = server.stream?.();
      if (refused) return refused;
      return opened(url, headers, init.signal ?? undefined);
    },
  };
  const opened = (url: string, headers: Headers, signal: AbortSignal | undefined): Response => {
    const text = new TextEncoder();
    let isLeft = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal?.addEventListener('abort', () => {
          isLeft = true;
          controller.error(signal.reason);
        });
        const put = (piece: string) => {
          if (!isLeft) controller.enqueue(text.encode(piece));
        };
        streams.push({
          url,
          headers,
          say: (event, data, id = '') =>
            put(`event: ${event}\n${id && `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
          keepAlive: () => put(':\n\n'),
          end: () => {
            if (!isLeft) controller.close();
          },
          isLeft: () => isLeft,
        });
      },
    });
    return openedAs('feeds-alerts-stream.ok', body);
  };
  return server;
}

export type FakeServer = ReturnType<typeof fakeServer>;

const RECORDED = eventOf('feeds-alerts-stream.ok', 'alert') as { properties: object };

/** A feature as the stream has it, with another id, place, and whatever a test needs. */
export const feature = (id: string, lat: number, lng: number, more: object = {}) => ({
  ...RECORDED,
  id,
  properties: {
    ...RECORDED.properties,
    message: 'Fire truck on scene ahead',
    road_name: 'I-95',
    expires_at: new Date(Date.now() + 30_000).toISOString(),
    ...more,
  },
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

/** Lets what has been said arrive. */
export const arrive = () => vi.advanceTimersByTimeAsync(1);
