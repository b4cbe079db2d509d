import limits from '@catalog/limits.json';

const TIMEOUT_MS = limits.session.chunkLoadMs.value;

/** A part of the app that did not come: it is not there (any more), or it took too long. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';

  constructor(readonly type: 'missing' | 'timeout') {
    super(`A part of the app could not be loaded (${type}).`);
  }
}

/** How browsers name an import that failed. */
const MISSING = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** What kept a part of the app from loading; undefined when the error is another one. */
export function chunkTypeOf(error: unknown): ChunkError['type'] | undefined {
  if (error instanceof ChunkError) return error.type;
  return error instanceof Error && MISSING.test(error.message) ? 'missing' : undefined;
}

type Load = () => Promise<unknown>;

/** Parts that have not come yet, in the order in which the app names them. */
const awaited = new Set<Load>();

/**
 * Fetches all parts that the app names, one after the other, so that a screen opens without a network too. Parts that
 * name parts of their own are followed. What does not come now is tried again by the next call.
 */
export async function fetchParts(): Promise<void> {
  const failed = new Set<Load>();
  for (;;) {
    const next = [...awaited].find(load => !failed.has(load));
    if (!next) return;
    await next().catch(() => failed.add(next));
  }
}

/**
 * An import that fails with a `ChunkError`: at once when the file is missing, after 120 s when nothing comes.
 * Every part of the app that is not in its first file is one: `fetchParts` knows them by that.
 */
export function chunk<T>(load: () => Promise<T>): () => Promise<T> {
  const part = () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ChunkError('timeout')), TIMEOUT_MS);
    });
    const loaded = load().catch(error => {
      throw chunkTypeOf(error) ? new ChunkError('missing') : error;
    });
    void loaded.then(() => awaited.delete(part)).catch(() => undefined);
    return Promise.race([loaded, late]).finally(() => clearTimeout(timer));
  };
  awaited.add(part);
  return part;
}

/**
 * Takes a part as soon as it is there: one that does not come is asked for again whenever the network is back. Returns
 * the way to stop asking.
 */
export function whenThere<T>(load: () => Promise<T>, take: (part: T) => void): () => void {
  let isOver = false;
  const stop = () => {
    isOver = true;
    window.removeEventListener('online', ask);
  };
  const arrived = (part: T) => {
    if (isOver) return;
    stop();
    take(part);
  };
  const failed = (error: unknown) => {
    // What no network explains is a fault of ours, and no later answer mends it.
    if (!chunkTypeOf(error)) throw error;
  };
  const ask = () => void load().then(arrived, failed);
  window.addEventListener('online', ask);
  ask();
  return stop;
}
