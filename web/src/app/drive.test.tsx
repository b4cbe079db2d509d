// @vitest-environment jsdom
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { type FakeServer, fakeServer, feature } from '~/features/drive/drive.fakes';
import { stubBrowser } from '~/lib/testing';
import { session } from '~/session';
import { createAppRouter } from './router';

const HERE = { lat: 39.68, lng: -75.65 };
const M_PER_DEGREE = 111_195;

let server: FakeServer;
let root: Root;
let spoken: string[];
let move: (north: number, speed?: number) => void;
const release = vi.fn();
const lock = vi.fn();

class Utterance {
  onstart?: () => void;
  onend?: () => void;
  volume = 1;
  constructor(readonly text: string) {}
}

beforeEach(() => {
  // The router and React's scheduler run on the real ones.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  stubBrowser();
  localStorage.clear();
  server = fakeServer();
  spoken = [];
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('SpeechSynthesisUtterance', Utterance);
  vi.stubGlobal('speechSynthesis', {
    cancel: () => undefined,
    speak(one: Utterance) {
      if (one.volume > 0) spoken.push(one.text);
      one.onstart?.();
      one.onend?.();
    },
  });
  let take: PositionCallback = () => undefined;
  move = (north, speed = 29) =>
    take({
      timestamp: Date.now(),
      coords: {
        latitude: HERE.lat + north / M_PER_DEGREE,
        longitude: HERE.lng,
        accuracy: 5,
        heading: 0,
        speed,
      },
    } as GeolocationPosition);
  define('geolocation', {
    watchPosition: (good: PositionCallback) => {
      take = good;
      return 1;
    },
    getCurrentPosition: () => undefined,
    clearWatch: () => {
      take = () => undefined;
    },
  });
  release.mockReset().mockResolvedValue(undefined);
  lock.mockReset().mockResolvedValue({ released: false, release });
  define('wakeLock', { request: lock });
  session.state.set({ phase: 'signedOut' });
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const define = (name: string, value: unknown) =>
  Object.defineProperty(navigator, name, { value, configurable: true, writable: true });

async function visit() {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/drive/o1'] }));
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<RouterProvider router={router} />);
  await sees('Driver alerts');
}
const text = () => document.body.textContent ?? '';
const sees = (words: string) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10);
    expect(text()).toContain(words);
  });
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const standing = () => document.querySelector('[data-standing]')?.textContent;
const button = (words: string) => {
  const found = [...document.querySelectorAll('button')].find(one => one.textContent === words);
  if (!found) throw new Error(`there is no ${words}: ${text()}`);
  return found;
};
async function start() {
  await visit();
  await vi.waitFor(async () => {
    await wait(10);
    expect(button('Start').disabled).toBe(false);
  });
  button('Start').click();
  await sees('No position');
}
async function live(...features: object[]) {
  move(0);
  await wait(10);
  server.last().say('hello', { server_time: new Date().toISOString(), retry_ms: 3000 });
  for (const one of features) server.last().say('alert', one);
  server.last().say('ready', {});
  await wait(500);
}
const north = (meters: number) => HERE.lat + meters / M_PER_DEGREE;

const lasting = { expires_at: '2100-01-01T00:00:00.000Z' };

it('shows and says what lies ahead, once, and counts it', async () => {
  await start();
  await live(
    feature('a', north(2800), HERE.lng, lasting),
    feature('b', north(2900), HERE.lng, { ...lasting, message: 'Right lane closed' }),
  );
  await sees('Nothing ahead');
  expect(standing()).toBe('Live');
  await wait(9000);
  move(850, 20);
  await wait(9000);
  move(1700, 20);
  await wait(3000);
  expect(spoken).toEqual([]);
  move(1999);
  await sees('Fire truck on scene');
  expect(text()).toContain('0.5 mi');
  expect(text()).toContain('30 seconds');
  expect(document.querySelector('[aria-label="Also ahead"]')?.textContent).toBe('Right lane closed0.6 mi');
  await wait(1000);
  move(2020);
  await wait(3000);
  expect(spoken).toEqual(['Fire truck on scene ahead, half a mile', 'Right lane closed ahead, half a mile']);
  await wait(5000);
  expect(server.posts[0]?.body.alerts).toEqual(['a', 'b']);
  expect(server.posts[0]?.body.consumer).toMatch(/^[0-9a-f]{32}$/);
  server.last().say('gone', { id: 'a' });
  await wait(1000);
  expect(text()).not.toContain('Fire truck');
});

it('is not live without a network, and lets go by itself of what has expired', async () => {
  await start();
  await live(feature('a', north(600), HERE.lng));
  await sees('Fire truck on scene');
  window.dispatchEvent(new Event('offline'));
  await sees('Alerts may be missing');
  expect(standing()).toBe('Alerts may be missing');
  for (let second = 0; second < 31; second++) {
    move(0, 0);
    await wait(1000);
  }
  expect(text()).not.toContain('Fire truck');
  expect(text()).not.toContain('Nothing ahead');
});

it('knows no position that is older than 10 seconds', async () => {
  await start();
  await live(feature('a', north(600), HERE.lng));
  expect(standing()).toBe('Live');
  await wait(10_500);
  await sees('Waiting for the phone to find where you are.');
  expect([standing(), text().includes('Fire truck')]).toEqual(['No position', false]);
});

it('is mute when it is told to, keeps the screen on, and stops', async () => {
  await start();
  await live();
  expect(lock).toHaveBeenCalledWith('screen');
  button('Mute').click();
  server.last().say('alert', feature('a', north(600), HERE.lng));
  await sees('Fire truck on scene');
  await wait(3000);
  expect(spoken).toEqual([]);
  const { isLeft } = server.last();
  button('Stop').click();
  await sees('Say a test sentence');
  expect([isLeft(), release.mock.calls.length]).toEqual([true, 1]);
  await wait(1);
  expect(server.posts.map(({ body }) => body.alerts)).toEqual([['a']]);
  button('Say a test sentence').click();
  await wait(1000);
  expect(spoken).toEqual(['This is a test. Fire truck on scene ahead, half a mile']);
});

it('says when the screen may turn off', async () => {
  lock.mockRejectedValue(new Error('low battery'));
  await start();
  await sees('The screen may turn off by itself');
});

it('takes a key where alerts are not public, and keeps it on this phone', async () => {
  server.document = () => replayed('feeds-alerts.invalid_key');
  await visit();
  await sees("These alerts aren't public.");
  expect(button('Start').disabled).toBe(true);
  const use = async (key: string) => {
    const field = document.querySelector('input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, key);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
    await vi.waitFor(async () => {
      await wait(10);
      expect(button('Use this key').disabled).toBe(false);
    });
    document.querySelector('form')?.requestSubmit();
  };
  await use('lb_wrong');
  await sees('This key does not open these alerts.');
  server.document = () => replayed('feeds-alerts.ok');
  await use(' lb_right ');
  await sees('Harbor County');
  expect(server.asked.at(-1)?.headers.get('Authorization')).toBe('Bearer lb_right');
  expect(localStorage.getItem('lightbar.drive.o1')).toBe('"lb_right"');
  button('Start').click();
  await sees('No position');
  move(0);
  await wait(10);
  expect(server.last().headers.get('Authorization')).toBe('Bearer lb_right');
  server.stream = () => replayed('feeds-alerts.invalid_key');
  server.last().end();
  await wait(5000);
  await sees('These alerts are closed');
});

it('says that the server cannot be reached, and asks again', async () => {
  server.document = () => {
    throw new TypeError('fetch failed');
  };
  await visit();
  await sees("The server can't be reached.");
  server.document = () => replayed('feeds-alerts.not_found');
  button('Retry').click();
  await sees('There are no driver alerts here.');
});
