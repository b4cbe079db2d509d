import { play } from '~/lib/sound';
import { createTabTitle } from '~/lib/tabTitle';
import { preferences } from './preferences';

/** Things worth a look from another tab or another screen. */
export type AttentionKind = 'scene' | 'lost';

const tones = {
  // Rising for somebody who arrived, falling for a stream that went.
  scene: [
    { hz: 660, at: 0, length: 0.14 },
    { hz: 880, at: 0.16, length: 0.22 },
  ],
  lost: [
    { hz: 440, at: 0, length: 0.18 },
    { hz: 330, at: 0.2, length: 0.28 },
  ],
} as const;

const title = createTabTitle(typeof document === 'undefined' ? { title: '' } : document);
const flags = new Map<AttentionKind, string>();

/** The page's name without a flag ("Live · Safety Cloud"). */
export const setTitle = (text: string): void => title.base(text);

const show = () => title.flag(flags.get('lost') ?? flags.get('scene'));

/** Raises a flag in the tab's title, and plays its sound when the user wants sounds. */
export function raise(kind: AttentionKind, text: string): void {
  flags.set(kind, text);
  show();
  if (preferences.get().sound) play(tones[kind]);
}

/** Lowers a flag: it was seen, or is over. */
export function lower(kind: AttentionKind): void {
  flags.delete(kind);
  show();
}
