import limits from '@catalog/limits.json';
import type { WireMessage } from '~/api';

const FLUSH_MS = limits.stream.flushMs.value;

/** Keeps at most this many messages; a flood is answered by reading the list anew, never by a growing heap. */
const MOST = 200_000;

/**
 * Collects stream messages and hands them over once a second (requirements 9.session). The first message
 * after a quiet time waits at most one second; nothing runs while nothing arrives. Browsers slow timers of hidden tabs
 * down: `flush` is called by hand when a tab becomes visible.
 */
export class MessageBuffer {
  private waiting: WireMessage[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly onFlush: (messages: readonly WireMessage[]) => void,
    private readonly onOverflow: () => void,
  ) {}

  push(messages: readonly WireMessage[]): void {
    if (this.waiting.length + messages.length > MOST) {
      this.clear();
      this.onOverflow();
      return;
    }
    for (const message of messages) this.waiting.push(message);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    const messages = this.waiting;
    this.waiting = [];
    this.onFlush(messages);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }
}
