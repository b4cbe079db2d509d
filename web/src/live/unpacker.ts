import { Failure } from '~/api';
import type { Ask, Say } from './snapshot.worker';
import type { Unpacked } from './unpack';

/** A worker that has said nothing for so long was ended by the browser, which tells nobody. */
const SILENT_MS = 60_000;

/** Unpacks an answer beside the page. The worker ends with the last part, or when `signal` says so. */
export async function unpackAside(answer: Blob, signal: AbortSignal): Promise<Unpacked> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./snapshot.worker.ts', import.meta.url), { type: 'module' });
  let refuse: (reason: unknown) => void = () => undefined;
  // A worker that was ended says nothing more: who waits for it is told.
  const leave = () => {
    worker.terminate();
    refuse(signal.reason);
  };
  const end = () => {
    worker.terminate();
    signal.removeEventListener('abort', leave);
  };
  signal.addEventListener('abort', leave, { once: true });
  const ask = (what: Ask) =>
    new Promise<Say>((resolve, reject) => {
      const silence = setTimeout(() => refuse(unreadable()), SILENT_MS);
      refuse = reason => {
        clearTimeout(silence);
        reject(reason);
      };
      worker.onmessage = ({ data }: MessageEvent<Say>) => {
        clearTimeout(silence);
        resolve(data);
      };
      worker.onerror = () => refuse(unreadable());
      worker.postMessage(what);
    });
  try {
    const first = await ask({ answer });
    if (typeof first !== 'object' || !('head' in first)) throw unreadable();
    return { head: first.head, parts: () => partsFrom(ask, end) };
  } catch (error) {
    end();
    throw error;
  }
}

async function* partsFrom(ask: (what: Ask) => Promise<Say>, end: () => void) {
  try {
    for (;;) {
      const next = await ask('next');
      if (typeof next !== 'object' || !('part' in next)) return;
      yield next.part;
    }
  } finally {
    end();
  }
}

const unreadable = () => new Failure({ status: 0, code: 'unreadable', message: '' });
