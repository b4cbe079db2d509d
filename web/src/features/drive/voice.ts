import limits from '@catalog/limits.json';
import { play } from '~/lib/sound';

const WITHIN_MS = limits.drive.speakWithinMs.value;
/** A sentence takes some seconds; a voice that never says it has ended is not waited for any longer. */
const LONGEST_MS = 12_000;
/** Two soft notes, and how long they last. */
const TONES = [
  { hz: 660, at: 0, length: 0.16 },
  { hz: 880, at: 0.15, length: 0.22 },
];
const TONE_MS = 380;

/** Whether this browser can speak at all. */
export const canSpeak = (): boolean => 'speechSynthesis' in globalThis && 'SpeechSynthesisUtterance' in globalThis;

/**
 * Says one sentence at a time, after a soft tone. Nothing queues: who asks while it speaks asks again, with a sentence
 * of then. What has not begun within 3 s is dropped.
 */
export class Voice {
  private saying: SpeechSynthesisUtterance | undefined;
  private timers: ReturnType<typeof setTimeout>[] = [];

  isFree(): boolean {
    return this.saying === undefined;
  }

  say(text: string): void {
    if (!this.isFree()) return;
    play(TONES);
    if (!canSpeak()) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = 'en-US';
    const end = () => {
      if (this.saying === words) this.clear();
    };
    words.onend = end;
    words.onerror = end;
    let hasBegun = false;
    words.onstart = () => {
      hasBegun = true;
    };
    this.saying = words;
    const late = () => {
      if (!hasBegun) this.hush();
    };
    this.timers = [
      setTimeout(() => speechSynthesis.speak(words), TONE_MS),
      setTimeout(late, WITHIN_MS),
      setTimeout(() => this.hush(), LONGEST_MS),
    ];
  }

  /** Stops in the middle of a word. */
  hush(): void {
    this.clear();
    if (canSpeak()) speechSynthesis.cancel();
  }

  private clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.saying = undefined;
  }
}

/** Within a press: browsers let a page speak and sound from then on. */
export function unlockVoice(): void {
  play([{ hz: 440, at: 0, length: 0.03 }], 0.0002);
  if (!canSpeak()) return;
  const silence = new SpeechSynthesisUtterance(' ');
  silence.volume = 0;
  speechSynthesis.speak(silence);
}
