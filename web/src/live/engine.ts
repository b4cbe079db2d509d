import limits from '@catalog/limits.json';
import type { WireMessage } from '~/api';
import { asFailure } from '~/api';
import type { Clock } from '~/lib/clock';
import { readDelay } from './backoff';
import { MessageBuffer } from './buffer';
import { type Get, type GetSnapshot, Loader } from './loader';
import { LiveSocket, type SocketLike } from './socket';
import type { LiveStore } from './store';
import type { StreamStore } from './stream';

const POLL_MS = limits.stream.pollMs.value;
/** Socket organizations read what changed every 30 minutes as well (requirements 9.limits): the stream is a hint. */
const REFRESH_MS = limits.lists.refreshMs.value;
/** A polled picture that is older than this has missed a poll. */
const POLL_LATE_MS = 2 * POLL_MS;
/** A stream that has not opened for so long, two or three tries, is not waited for: what changed is read instead. */
export const DOWN_MS = 3500;
/** After a refusal the stream is asked for again no sooner, unless the refusal has ended the session. */
const REFUSED_MS = limits.stream.reconnectForeverMs.value;

export interface EngineOptions {
  store: LiveStore;
  stream: StreamStore;
  get: Get;
  snapshot: GetSnapshot;
  clock: Clock;
  localNow: () => number;
  random: () => number;
  url: string;
  openSocket: (url: string, protocols: string[]) => SocketLike;
  token: () => string | undefined;
  /** The socket was refused for good: the session room decides what that means. */
  onRefused: (reason: string) => void;
  /** Whether somebody looks at the longer list of a noun. */
  isLookedAt: (type: string) => boolean;
  /** What the user may see, or a rule for their session, has changed: the session room reads it anew. */
  onAccess: () => void;
}

/** Whose picture, and what of it the user may see. */
export interface Subscription {
  organizationId: string;
  isLarge: boolean;
  /** the types of nouns beside assets that may be seen */
  sees: readonly string[];
  awareness: boolean;
}

/** What is read, from the least to the most; each has what stands before it. */
const READS = ['longer', 'changes', 'all'] as const;
type Read = (typeof READS)[number];

/** Whether two subscriptions show the same. Whether it is large is no reason to begin anew: the answers say that. */
export function showsSame(a: Subscription | undefined, b: Subscription | undefined): boolean {
  return a?.organizationId === b?.organizationId && `${a?.sees}` === `${b?.sees}`;
}

/**
 * Keeps the store in step with the server: list over HTTP, then stream (or polling for large organizations). The
 * stream is a hint and HTTP is the truth: after a hole the list is read anew and what is on screen stays until then. A
 * stream that does not open while HTTP works is replaced by polling until it does; browsers hide why a socket was
 * refused, and the same reads tell whether the session has ended.
 */
export class LiveEngine {
  private subscription: Subscription | undefined;
  private socket: LiveSocket | undefined;
  private loader: Loader | undefined;
  private abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private reading = false;
  private next: Read | undefined;
  private downTimer: ReturnType<typeof setTimeout> | undefined;
  /** The stream has been down for too long, while HTTP works. */
  private isStandingIn = false;
  private refusedAt = 0;
  private readonly buffer: MessageBuffer;

  constructor(private readonly o: EngineOptions) {
    this.buffer = new MessageBuffer(
      messages => this.flush(messages),
      () => void this.read('all'),
    );
  }

  /** Shows another organization, or the same one with other rights: forgets everything and reads anew. */
  open(subscription: Subscription): void {
    this.close();
    this.subscription = subscription;
    this.abort = new AbortController();
    this.failures = 0;
    this.o.store.reset(subscription.organizationId);
    this.o.stream.patch({
      phase: 'loading',
      asOf: 0,
      attempt: 0,
      failure: undefined,
      socketClosed: true,
      awareness: subscription.awareness,
    });
    this.loader = new Loader({
      get: this.o.get,
      snapshot: this.o.snapshot,
      store: this.o.store,
      now: () => this.o.clock.now(),
      // An answer says of when it is, which on a thin line was long ago: it never sets the clock back.
      learn: at => at > this.o.clock.now() && this.learn(at),
      organizationId: subscription.organizationId,
      isLarge: subscription.isLarge,
      sees: subscription.sees,
      isLookedAt: this.o.isLookedAt,
      signal: this.abort.signal,
    });
    void this.read('all');
  }

  /** Notes the situational-awareness mode, which changes nothing that is shown. */
  setAwareness(awareness: boolean): void {
    this.o.stream.patch({ awareness });
  }

  /** Stops everything; the picture stays until the next `open`. */
  close(): void {
    this.abort.abort();
    this.socket?.stop();
    this.socket = undefined;
    this.loader = undefined;
    this.reading = false;
    this.next = undefined;
    this.subscription = undefined;
    clearTimeout(this.timer);
    this.standDown();
    this.buffer.clear();
    this.o.stream.patch({ phase: 'idle', socketClosed: true });
  }

  /** The tab became visible or the network returned: catch up at once. */
  wake(): void {
    if (!this.subscription) return;
    this.buffer.flush();
    this.socket?.nudge();
    if (!this.socket || this.failures > 0 || this.isStandingIn) this.again();
  }

  setOnline(online: boolean): void {
    this.o.stream.patch({ online });
    if (online) this.wake();
  }

  setFocused(focused: boolean): void {
    this.o.stream.patch({ focused });
    if (focused) this.wake();
  }

  /**
   * Each second: a picture of which nothing was heard for too long is not live. While a computer sleeps its timers stand
   * still, and a request may hang.
   */
  look(): void {
    this.socket?.mistrust();
    if (this.o.stream.get().phase !== 'polling' || !this.isPollLate()) return;
    this.o.stream.patch({ phase: 'reconnecting' });
    if (!this.reading) this.again();
  }

  private isPollLate(): boolean {
    return this.o.clock.now() - this.o.stream.get().asOf > POLL_LATE_MS;
  }

  /** Retry after a failed load. */
  again(): void {
    if (!this.loader) return;
    clearTimeout(this.timer);
    void this.read(this.o.stream.get().asOf > 0 ? 'changes' : 'all');
  }

  /** Somebody has begun to look at a noun's longer list. */
  readLonger(): void {
    if (this.loader) void this.read('longer');
  }

  /** Reads the list. One read at a time: what is asked meanwhile is done once afterwards. */
  private async read(what: Read): Promise<void> {
    if (this.reading) {
      this.next = READS.findLast(one => one === what || one === this.next);
      return;
    }
    const signal = this.abort.signal;
    this.reading = true;
    await this.readOnce(what, signal);
    if (signal.aborted) return;
    this.reading = false;
    const next = this.next;
    this.next = undefined;
    if (next) return this.read(next);
    if (this.failures === 0) this.follow();
  }

  private async readOnce(what: Read, signal: AbortSignal): Promise<void> {
    try {
      if (what === 'longer') await this.loader?.readLonger();
      else await (what === 'all' ? this.loader?.load() : this.loader?.refresh());
      if (signal.aborted) return;
      // HTTP works again: so may the stream.
      if (this.failures > 0) this.socket?.nudge();
      this.failures = 0;
      this.o.stream.patch({ failure: undefined, ...(what !== 'longer' && { asOf: this.readAsOf() }) });
    } catch (failure) {
      if (!signal.aborted) this.failed(failure, what);
    }
  }

  /** Of when what has been read is: a slow answer is older than its arrival. */
  private readAsOf(): number {
    return Math.max(this.o.stream.get().asOf, this.loader?.asOf || this.o.clock.now());
  }

  private failed(failure: unknown, what: Read): void {
    // Out of reach, or no longer permitted: the profile says how things stand.
    const { status } = asFailure(failure);
    if (status === 403 || status === 404) this.o.onAccess();
    this.standDown();
    const hasPicture = this.o.stream.get().asOf > 0;
    this.o.stream.patch({ failure, phase: hasPicture ? 'reconnecting' : 'failed' });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(what), readDelay(this.failures++, this.o.random()));
  }

  /** After a successful read: poll again later, or listen to the stream. */
  private follow(): void {
    clearTimeout(this.timer);
    const isLarge = this.loader?.isLarge;
    const polls = isLarge || this.isStandingIn;
    this.timer = setTimeout(() => void this.read('changes'), polls ? POLL_MS : REFRESH_MS);
    if (isLarge) this.poll();
    else if (!this.socket) this.listen();
    else {
      if (this.refusedAt > 0 && this.o.localNow() - this.refusedAt >= REFUSED_MS) this.tryRefused(this.socket);
      this.showSocket(this.socket.isOpen, this.o.stream.get().attempt);
    }
  }

  /** Whoever was refused and is still signed in may be let in later. */
  private tryRefused(socket: LiveSocket): void {
    this.refusedAt = 0;
    socket.start();
  }

  /** The answer just read holds what the stream had still to say, and the next one what it would have said. */
  private poll(): void {
    this.socket?.stop();
    this.socket = undefined;
    this.standDown();
    this.buffer.clear();
    this.o.stream.patch({ phase: 'polling', socketClosed: true, attempt: 0 });
  }

  private listen(): void {
    const subscription = this.subscription;
    if (!subscription) return;
    this.socket = new LiveSocket(
      {
        url: this.o.url,
        organizationId: subscription.organizationId,
        token: this.o.token,
        open: this.o.openSocket,
        random: this.o.random,
        onMessages: messages => this.buffer.push(messages),
        onPing: at => this.learn(at),
        onFetch: reason => {
          // What changed since the last read is enough, unless our reach itself is another one.
          void this.read(reason === 'access' ? 'all' : 'changes');
          if (reason === 'access') this.o.onAccess();
        },
        onProfile: () => this.o.onAccess(),
        onState: state => this.showSocket(state.open, state.attempt),
        onRefused: reason => {
          this.refusedAt = this.o.localNow();
          this.o.onRefused(reason);
        },
      },
      this.o.localNow,
    );
    this.refusedAt = 0;
    this.standBy();
    this.socket.start();
  }

  private showSocket(open: boolean, attempt: number): void {
    if (open) this.standDown();
    else if (this.failures === 0) this.standBy();
    // While what was missed is still being read, an open socket does not make the picture live.
    const isRight = open && !this.reading && this.failures === 0;
    this.o.stream.patch({
      socketClosed: !open,
      attempt,
      ...(isRight ? { phase: 'live' } : open ? {} : { phase: this.phaseWithout() }),
    });
  }

  /** How the picture is kept up while there is no stream. */
  private phaseWithout(): 'polling' | 'reconnecting' {
    return this.isStandingIn && !this.isPollLate() ? 'polling' : 'reconnecting';
  }

  /** Down for too long: the list is read, and if that works, it is read again and again until the stream is back. */
  private standBy(): void {
    if (this.isStandingIn) return;
    this.downTimer ??= setTimeout(() => {
      this.downTimer = undefined;
      this.isStandingIn = true;
      void this.read('changes');
    }, DOWN_MS);
  }

  /** Nothing stands in for the stream: it is open, or HTTP does not work either. */
  private standDown(): void {
    clearTimeout(this.downTimer);
    this.downTimer = undefined;
    this.isStandingIn = false;
  }

  private flush(messages: readonly WireMessage[]): void {
    try {
      this.o.store.applyMessages(messages, this.o.clock.now());
    } catch (error) {
      // What the stream said is lost: the list has it.
      reportError(error);
      void this.read('all');
      return;
    }
    if (this.loader?.seemsLarge) void this.read('changes');
    // A frame may name an incident before its own message came; a failure here is healed by the next refresh.
    void this.loader?.readLacking().catch(() => undefined);
  }

  private learn(serverAt: number): void {
    if (serverAt <= 0) return;
    this.o.clock.learn(serverAt);
    // The server's own stamp: a local clock that was set ahead would date the picture into the server's future.
    if (this.o.stream.get().phase === 'live') this.o.stream.patch({ asOf: serverAt });
  }
}
