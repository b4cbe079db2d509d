import { type KeyValue, readJson, writeJson } from '~/lib/storage';
import { createStore } from '~/lib/store';

/** Who is locked out of the screen, and when it was last used; shared by the tabs of this browser. */
const LOCK_KEY = 'lightbar.lock';
/** Uses are written down at most this often. */
const WRITE_MS = 5000;

export interface LockParts {
  /** Milliseconds; local time. */
  now: () => number;
  storage: KeyValue | undefined;
  /** This tab has locked or unlocked the screen. */
  changed: (locked: boolean) => void;
}

interface Stored {
  userId: string;
  locked: boolean;
  /** Last use, in milliseconds of local time. */
  at: number;
}

/**
 * The lock screen: after a time without use the data is hidden until the user confirms who they are. It survives a
 * reload. It keeps passers-by from the screen; the server knows nothing of it.
 */
export class Lock {
  readonly locked = createStore(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private afterMs = 0;
  private userId = '';
  private lastAt = 0;
  private writtenAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: LockParts) {}

  /** Begins to watch; 0 ms means never. `fresh` is a sign-in just now: whatever was locked before is over. */
  start(userId: string, afterMs: number, fresh: boolean): void {
    clearTimeout(this.timer);
    this.userId = userId;
    this.afterMs = afterMs;
    if (afterMs <= 0) {
      this.stop();
      return;
    }
    const stored = this.read();
    const mine = stored?.userId === userId && !fresh ? stored : undefined;
    this.lastAt = mine?.at ?? this.parts.now();
    if (mine?.locked || this.isDue()) this.locked.set(true);
    else if (fresh) this.locked.set(false);
    this.write();
    this.arm();
  }

  /** The page was used, here or in another tab, at this local instant. A locked screen is not used. */
  touch(at: number): void {
    this.check();
    if (this.afterMs <= 0 || this.locked.get()) return;
    this.lastAt = Math.max(this.lastAt, at);
    if (at - this.writtenAt >= WRITE_MS) this.write();
    this.arm();
  }

  /** Timers stand still while a computer sleeps: the clock decides, with the last use in any tab. */
  check(): void {
    if (this.afterMs <= 0 || this.locked.get()) return;
    const stored = this.read();
    if (stored?.userId === this.userId) this.lastAt = Math.max(this.lastAt, stored.at);
    if (this.isDue()) this.lock();
  }

  /** Locks now. */
  lock(): void {
    this.set(true);
    this.parts.changed(true);
  }

  /** The user has confirmed who they are. */
  unlock(): void {
    this.lastAt = this.parts.now();
    this.set(false);
    this.arm();
    this.parts.changed(false);
  }

  /** Another tab has locked or unlocked. */
  heard(locked: boolean): void {
    if (this.afterMs <= 0) return;
    if (!locked) this.lastAt = this.parts.now();
    this.locked.set(locked);
    this.arm();
  }

  /** Nobody is signed in, or nothing locks: forgets. */
  stop(): void {
    clearTimeout(this.timer);
    this.afterMs = 0;
    this.locked.set(false);
    writeJson(this.parts.storage, LOCK_KEY, undefined);
  }

  private set(locked: boolean): void {
    this.locked.set(locked);
    this.write();
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.locked.get()) return;
    this.timer = setTimeout(
      () => (this.isDue() ? this.lock() : this.arm()),
      Math.max(0, this.lastAt + this.afterMs - this.parts.now()),
    );
  }

  private isDue(): boolean {
    return this.parts.now() >= this.lastAt + this.afterMs;
  }

  private read(): Stored | undefined {
    const stored = readJson(this.parts.storage, LOCK_KEY) as Partial<Stored> | undefined;
    return typeof stored?.userId === 'string' && typeof stored.at === 'number' ? (stored as Stored) : undefined;
  }

  private write(): void {
    this.writtenAt = this.parts.now();
    const stored: Stored = { userId: this.userId, locked: this.locked.get(), at: this.lastAt };
    writeJson(this.parts.storage, LOCK_KEY, stored);
  }
}
