import limits from '@catalog/limits.json';
import type { Schemas, WireMessage } from '~/api';
import { reconnectDelay } from './backoff';
import { type EndReason, parseFrame, type StreamPosition } from './frame';

/** What this needs of a WebSocket; the browser's own fits. */
export interface SocketLike {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onerror: ((event: Event) => void) | null;
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

export interface SocketOptions {
  url: string;
  organizationId: string;
  /** The present access token, undefined when there is none (no attempt is made then). */
  token: () => string | undefined;
  open: (url: string, protocols: string[]) => SocketLike;
  random: () => number;
  onMessages: (messages: readonly WireMessage[]) => void;
  /**
   * The list must be read: messages were missed that cannot be replayed (or this is the first subscription), or the
   * user's reach has changed, so that what was visible may be so no more.
   */
  onFetch: (reason: 'missed' | 'access') => void;
  onPing: (serverAt: number) => void;
  /** The profile of who is signed in is another one. */
  onProfile: () => void;
  onState: (state: SocketState) => void;
  /** The server will not have us: the session has ended, or the organization is out of reach. */
  onRefused: (reason: string) => void;
}

/** What we send: no field but those that the server knows. */
type Command = Pick<Schemas['Command'], 'command' | 'identifier' | 'batch' | 'history'>;

export interface SocketState {
  open: boolean;
  /** attempts made since the socket was last open */
  attempt: number;
}

/** Without any frame (pings come every 3 s) for this long the socket is taken for dead. */
export const SILENCE_MS = 4 * limits.stream.pingMs.value;

/** A socket that has stood for this long has come to stay. */
export const STEADY_MS = 10_000;

/** After so many sockets in a row that died young, the next one counts as open only once it has come to stay. */
const YOUNG_DEATHS = 3;

/** Why the server ends a socket that is none of the line's doing. */
const BY_PLAN: ReadonlySet<EndReason> = new Set(['server_restart', 'access_changed']);

/**
 * One subscription of one organization over reconnects. Keeps the stream position and asks for what it missed;
 * messages at or before the position are never delivered twice.
 */
export class LiveSocket {
  private socket: SocketLike | undefined;
  private position: StreamPosition | undefined;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private isSubscribed = false;
  /** Subscribed, and not one of a row that die young: others may rely on it. */
  private isTrusted = false;
  private deaths = 0;
  private steady: ReturnType<typeof setTimeout> | undefined;
  /** where the server stood when it confirmed the subscription */
  private confirmedAt: StreamPosition | undefined;
  private reachChanged = false;
  private heardAt = 0;

  constructor(
    private readonly options: SocketOptions,
    private readonly localNow: () => number,
  ) {}

  start(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.connect();
  }

  stop(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
    this.drop();
  }

  /** The tab became visible or the network came back: try now, and mistrust a socket that has been silent. */
  nudge(): void {
    if (!this.isRunning) return;
    if (this.socket && !this.isSilent()) return;
    clearTimeout(this.timer);
    this.drop();
    this.options.onState({ open: false, attempt: this.attempt });
    this.connect();
  }

  /** A socket that has been silent for too long is dead, whatever the timers say that slept with the computer. */
  mistrust(): void {
    if (this.socket && this.isSilent()) this.lost();
  }

  private isSilent(): boolean {
    return this.localNow() - this.heardAt >= SILENCE_MS;
  }

  private connect(): void {
    const socket = this.openSocket();
    if (!socket) {
      this.later();
      return;
    }
    this.socket = socket;
    this.isSubscribed = false;
    this.listen();
    socket.onmessage = event => {
      if (this.socket === socket) this.receive(event.data);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    socket.onerror = null;
  }

  private openSocket(): SocketLike | undefined {
    const token = this.options.token();
    if (!token) return undefined;
    try {
      return this.options.open(this.options.url, ['datapumper', token]);
    } catch {
      return undefined;
    }
  }

  private receive(data: unknown): void {
    this.listen();
    const frame = parseFrame(data);
    switch (frame.type) {
      case 'welcome':
        this.subscribe();
        break;
      case 'ping':
        this.options.onPing(frame.serverAt);
        break;
      case 'confirm':
        this.confirmed(frame.position);
        break;
      case 'confirm_history':
        this.opened();
        break;
      case 'reject_history':
        this.position = this.confirmedAt;
        this.options.onFetch('missed');
        this.opened();
        break;
      case 'reject':
        this.refused('rejected');
        break;
      case 'profile_changed':
        this.options.onProfile();
        break;
      case 'disconnect':
        this.disconnected(frame.reason, frame.reconnect, frame.afterMs);
        break;
      case 'data':
        this.deliver(frame.messages, frame.position);
        break;
      default:
    }
  }

  private subscribe(): void {
    const identifier = JSON.stringify({ channel: 'EventsChannel', organization_id: this.options.organizationId });
    const command: Command = { command: 'subscribe', identifier, batch: true };
    if (this.position) command.history = this.position;
    this.socket?.send(JSON.stringify(command));
  }

  /** With history asked for, the answer about it follows; without, the list is read. */
  private confirmed(position: StreamPosition | undefined): void {
    this.confirmedAt = position;
    if (this.position !== undefined) return;
    this.position = position;
    this.options.onFetch(this.reachChanged ? 'access' : 'missed');
    this.opened();
  }

  private opened(): void {
    this.isSubscribed = true;
    this.reachChanged = false;
    this.steady = setTimeout(() => {
      this.steady = undefined;
      this.deaths = 0;
      this.trust();
    }, STEADY_MS);
    if (this.deaths < YOUNG_DEATHS) this.trust();
  }

  private trust(): void {
    if (this.isTrusted) return;
    this.isTrusted = true;
    this.attempt = 0;
    this.options.onState({ open: true, attempt: 0 });
  }

  private deliver(messages: readonly WireMessage[], position: StreamPosition | undefined): void {
    if (position) {
      const before = this.position;
      if (before && before.epoch === position.epoch && position.offset <= before.offset) return;
      this.position = position;
    }
    if (messages.length > 0) this.options.onMessages(messages);
  }

  private disconnected(reason: EndReason, reconnect: boolean, afterMs: number): void {
    if (!reconnect) {
      this.refused(reason);
      return;
    }
    if (reason === 'access_changed') {
      this.reachChanged = true;
      this.position = undefined;
    }
    if (BY_PLAN.has(reason)) this.deaths = 0;
    else this.noteDeath();
    this.drop();
    this.options.onState({ open: false, attempt: this.attempt });
    this.later(afterMs > 0 ? afterMs * (1 + this.options.random()) : undefined);
  }

  private refused(reason: string): void {
    this.stop();
    this.options.onState({ open: false, attempt: this.attempt });
    this.options.onRefused(reason);
  }

  /** A socket that opened and did not stay is as good as none. */
  private noteDeath(): void {
    if (this.isSubscribed && this.steady !== undefined) this.deaths++;
  }

  private lost(): void {
    this.noteDeath();
    this.drop();
    this.options.onState({ open: false, attempt: this.attempt });
    this.later();
  }

  private later(ms?: number): void {
    if (!this.isRunning) return;
    clearTimeout(this.timer);
    const wait = ms ?? reconnectDelay(this.attempt, this.options.random());
    this.attempt++;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Notes a sign of life and sets the alarm for its absence. */
  private listen(): void {
    this.heardAt = this.localNow();
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      if (this.socket) this.lost();
    }, SILENCE_MS);
  }

  private drop(): void {
    clearTimeout(this.watch);
    clearTimeout(this.steady);
    this.steady = undefined;
    const socket = this.socket;
    this.socket = undefined;
    this.isSubscribed = false;
    this.isTrusted = false;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    try {
      socket.close(1000);
    } catch {
      // a socket that never opened may refuse to close; it is forgotten either way
    }
  }

  /** True between a confirmed subscription and the loss of its socket, unless the last ones died young. */
  get isOpen(): boolean {
    return this.isTrusted;
  }
}
