import limits from '@catalog/limits.json';
import { throttle } from '~/lib/throttle';

export interface IdleParts {
  /** Milliseconds; local time. */
  now: () => number;
  /** After 4 h without activity: ask whether somebody is there. */
  onPrompt: () => void;
  /** Somebody was active in another tab while the question stood. */
  onPromptEnd: () => void;
  /** The question stood 10 s without an answer. */
  onExpire: () => void;
  /** This tab was used; told at most every 500 ms. */
  onActive: (at: number) => void;
}

const IDLE_MS = limits.session.idleMs.value;
const PROMPT_MS = limits.session.idlePromptMs.value;
const THROTTLE_MS = limits.session.clickThrottleMs.value;

/**
 * Watches for activity (requirements 9.session: prompt after 4 h, 10 s to answer, clicks throttled 500 ms). While
 * the question stands, only `confirm` and activity in another tab keep the session.
 */
export class Idle {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastAt = 0;
  private asking = false;
  private readonly touched: () => void;

  constructor(private readonly parts: IdleParts) {
    this.touched = throttle(() => this.active(), THROTTLE_MS, parts.now);
  }

  /** Begins to watch; the page's presses and keys count as activity. */
  start(page?: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
    this.confirm();
    page?.addEventListener('click', this.touched, true);
    page?.addEventListener('keydown', this.touched, true);
    return () => {
      clearTimeout(this.timer);
      this.asking = false;
      page?.removeEventListener('click', this.touched, true);
      page?.removeEventListener('keydown', this.touched, true);
    };
  }

  /** Somebody answered, or used the page. */
  confirm(): void {
    this.asking = false;
    this.lastAt = this.parts.now();
    this.parts.onActive(this.lastAt);
    this.arm();
  }

  /** Another tab was used at this local instant. */
  elsewhere(at: number): void {
    this.lastAt = Math.max(this.lastAt, at);
    if (!this.asking) return;
    this.asking = false;
    this.parts.onPromptEnd();
    this.arm();
  }

  private active(): void {
    if (this.asking) return;
    // A computer that slept: timers are late, the clock is not.
    if (this.parts.now() >= this.lastAt + IDLE_MS) this.due();
    else this.confirm();
  }

  private arm(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.due(), Math.max(0, this.lastAt + IDLE_MS - this.parts.now()));
  }

  private due(): void {
    if (this.parts.now() < this.lastAt + IDLE_MS) {
      this.arm();
      return;
    }
    this.asking = true;
    this.parts.onPrompt();
    this.timer = setTimeout(() => {
      this.asking = false;
      this.parts.onExpire();
    }, PROMPT_MS);
  }
}
