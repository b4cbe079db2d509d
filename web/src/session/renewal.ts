import limits from '@catalog/limits.json';
import { asFailure, type Client } from '~/api';
import type { Clock } from '~/lib/clock';
import { askGrant, type GrantAnswer } from './grants';
import type { Bundle, Tabs } from './tabs';

export interface RenewalParts {
  api: Client;
  tabs: Tabs;
  clock: Clock;
  present: () => Bundle | undefined;
  /** End of the newest access token that any tab of this browser has taken. */
  announced: () => number | undefined;
  take: (bundle: Bundle) => void;
  /** The server refused, or the token ended before a new one could be had. */
  ended: () => void;
}

/** Name of the lock under which one tab asks. */
const REFRESH = 'lightbar.refresh';
const BEFORE_MS = limits.session.refreshBeforeMs.value;
/** Between attempts while the server cannot be reached. */
const RETRY_MS = 2000;
/** How long other tabs get to hand over a token they have renewed. */
const HAND_OVER_MS = 400;
/** Browsers fire longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** expiresAt = (created_at + expires_in) × 1000 (requirements 3.token). */
export function bundleOf(answer: GrantAnswer): Bundle {
  const issuedAt = answer.created_at * 1000;
  return { access: answer.access_token, issuedAt, expiresAt: issuedAt + answer.expires_in * 1000 };
}

/** When to renew: 10 s before the end, or at the end when less is left; undefined when it has passed. */
function renewIn(expiresAt: number, now: number): number | undefined {
  const left = expiresAt - now;
  if (left <= 0) return undefined;
  return left > BEFORE_MS ? left - BEFORE_MS : left;
}

/** Keeps the access token fresh: one tab asks the server under a lock and hands the answer to the others. */
export class Renewal {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(private readonly parts: RenewalParts) {}

  /** Plans the next renewal; an end that has passed ends the session. */
  arm(bundle: Bundle): void {
    this.stop();
    const wait = renewIn(bundle.expiresAt, this.parts.clock.now());
    if (wait === undefined) {
      // Timers of a tab that slept are late: another tab may have renewed meanwhile.
      if ((this.parts.announced() ?? 0) > bundle.expiresAt) void this.attempt(bundle, this.round);
      else this.parts.ended();
      return;
    }
    if (wait > LONGEST_TIMER_MS) {
      this.timer = setTimeout(() => this.arm(bundle), LONGEST_TIMER_MS);
      return;
    }
    this.timer = setTimeout(() => void this.attempt(bundle, this.round), wait);
  }

  stop(): void {
    this.round += 1;
    clearTimeout(this.timer);
  }

  /** Gets a new token, from another tab that has one or from the server. Throws the `Failure`; a refusal also ends. */
  async run(): Promise<void> {
    const before = this.parts.present();
    await this.parts.tabs.alone(REFRESH, async () => {
      if (this.parts.present() !== before) return;
      if ((this.parts.announced() ?? 0) > (before?.expiresAt ?? 0) && (await this.handedOver(before))) return;
      const answer = await askGrant(this.parts.api, { grant_type: 'refresh_token' }).catch(error =>
        this.refused(error),
      );
      this.hand(answer, before);
    });
  }

  /** Gets a new token now, perhaps of another mode of the session. Throws the `Failure`; the session stays. */
  async renew(awareness?: boolean): Promise<void> {
    const mode = awareness === undefined ? {} : { awareness_mode: awareness };
    await this.parts.tabs.alone(REFRESH, async () => {
      const before = this.parts.present();
      if (before) this.hand(await askGrant(this.parts.api, { grant_type: 'refresh_token', ...mode }), before);
    });
  }

  /** Takes an answer and tells the other tabs. Signed out meanwhile: what comes late belongs to nobody. */
  private hand(answer: GrantAnswer, before: Bundle | undefined): void {
    if (this.parts.present() !== before) return;
    const bundle = bundleOf(answer);
    this.parts.clock.learn(bundle.issuedAt);
    this.parts.take(bundle);
    this.parts.tabs.tell({ kind: 'bundle', bundle });
  }

  private async attempt(bundle: Bundle, round: number): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      if (round !== this.round || !asFailure(error).isPassing) return;
      const end = Math.max(bundle.expiresAt, this.parts.announced() ?? 0);
      if (this.parts.clock.now() + RETRY_MS > end) return this.parts.ended();
      this.timer = setTimeout(() => void this.attempt(bundle, round), RETRY_MS);
    }
  }

  private refused(error: unknown): never {
    if (!asFailure(error).isPassing) this.parts.ended();
    throw error;
  }

  /** Asks the other tabs for the token that one of them has announced. */
  private handedOver(before: Bundle | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const silence = setTimeout(() => done(false), HAND_OVER_MS);
      const stop = this.parts.tabs.listen(message => {
        // The session's own listener takes the bundle; order of listeners does not matter after this turn.
        if (message.kind === 'bundle') queueMicrotask(() => done(this.parts.present() !== before));
      });
      const done = (got: boolean) => {
        clearTimeout(silence);
        stop();
        resolve(got);
      };
      this.parts.tabs.tell({ kind: 'ask' });
    });
  }
}
