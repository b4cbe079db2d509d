// Reads the answer of the snapshot beside the page: 100 000 assets are some 20 MB of JSON. It is asked for one part
// after another, so that the page takes the next one when it has drawn the last.
import { headOfSnapshot, type SnapshotHead, type SnapshotRows } from '~/model/snapshot';
import { partsOf, readSnapshot } from './unpack';

/** What the worker is told: an answer, or that the next part may come. */
export type Ask = { answer: Blob } | 'next';
/** What it says: the head first, a part for each `next`, `done` after the last; or that the answer cannot be read. */
export type Say = { head: SnapshotHead } | { part: SnapshotRows } | 'done' | { unreadable: string };

const say = (message: Say) => postMessage(message);
let parts: Iterator<SnapshotRows> = [][Symbol.iterator]();

async function open(answer: Blob): Promise<void> {
  try {
    const snapshot = readSnapshot(await answer.text());
    parts = partsOf(snapshot);
    say({ head: headOfSnapshot(snapshot) });
  } catch (error) {
    say({ unreadable: String(error) });
  }
}

addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  if (data !== 'next') {
    void open(data.answer);
    return;
  }
  const next = parts.next();
  say(next.done ? 'done' : { part: next.value });
});
