import limits from '@catalog/limits.json';
import type { Clock } from '~/lib/clock';
import { createStore } from '~/lib/store';

const NOTICE_MS = limits.session.absoluteNoticeMs.value;

/** The absolute end of a session: announced 15 minutes before, then the session ends whatever its user does. */
export class Ending {
  /** The end in server milliseconds, while it is announced. */
  readonly at = createStore<number | undefined>(undefined);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly ended: () => void,
  ) {}

  /** Plans for an end; undefined means that there is none (awareness mode). */
  plan(endsAt: number | undefined): void {
    clearTimeout(this.timer);
    if (endsAt === undefined) {
      this.at.set(undefined);
      return;
    }
    const left = endsAt - this.clock.now();
    if (left <= 0) {
      this.at.set(undefined);
      this.ended();
      return;
    }
    const early = left > NOTICE_MS;
    this.at.set(early ? undefined : endsAt);
    this.timer = setTimeout(() => this.plan(endsAt), early ? left - NOTICE_MS : left);
  }
}
