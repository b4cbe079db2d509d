import limits from '@catalog/limits.json';
import { type AlertSource, alertPath, headersOf } from './alertSource';

const CONSUMER_MS = limits.drive.consumerMs.value;
const EVERY_MS = 5000;
const BATCH = limits.alerts.impressionsAtOnce.value;
const TRIES = 4;

interface Parts {
  fetch: typeof fetch;
  /** A name that leads to nobody. */
  newName: () => string;
}

/**
 * Counts which alerts were shown or said: each once. Who was told is a random name of this run, another one each day; no
 * position goes along. Nothing waits for it, and what cannot be sent after a few tries is let go.
 */
export class Impressions {
  private readonly counted = new Set<string>();
  private waiting: string[] = [];
  private consumer: string;
  private since = Date.now();
  private tries = 0;
  private isSending = false;
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly way: AlertSource,
    private readonly parts: Parts,
  ) {
    this.consumer = parts.newName();
    this.timer = setInterval(() => void this.send(), EVERY_MS);
  }

  count(id: string): void {
    if (this.counted.has(id)) return;
    this.counted.add(id);
    this.waiting.push(id);
  }

  stop(): void {
    clearInterval(this.timer);
    void this.send();
  }

  /** Sends what waits, also while the page goes away. */
  async send(): Promise<void> {
    if (this.isSending || this.waiting.length === 0) return;
    if (Date.now() - this.since >= CONSUMER_MS) {
      this.consumer = this.parts.newName();
      this.since = Date.now();
    }
    const alerts = this.waiting.slice(0, BATCH);
    this.isSending = true;
    const isDone = await this.post(alerts).finally(() => {
      this.isSending = false;
    });
    this.tries = isDone ? 0 : this.tries + 1;
    if (!isDone && this.tries < TRIES) return;
    this.tries = 0;
    this.waiting = this.waiting.slice(alerts.length);
  }

  /** Whether the server has them, or will never take them. */
  private async post(alerts: readonly string[]): Promise<boolean> {
    try {
      const { ok, status } = await this.parts.fetch(alertPath(this.way, 'alerts/impressions'), {
        method: 'POST',
        headers: { ...headersOf(this.way), 'Content-Type': 'application/json' },
        body: JSON.stringify({ consumer: this.consumer, alerts }),
        credentials: 'omit',
        keepalive: true,
        signal: AbortSignal.timeout(10_000),
      });
      return ok || (status < 500 && status !== 429 && status !== 408);
    } catch {
      return false;
    }
  }
}
