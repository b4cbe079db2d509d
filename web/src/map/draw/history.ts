/** More steps back than anybody counts; a shape of 2,000 points costs some 100 kB a step. */
const MOST_STEPS = 200;

/** The states of something that is edited, one at a time, with the way back and forth. */
export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #now: T;
  /** What the newest state came of: the same one again changes it instead of adding another. */
  #gesture: unknown;

  constructor(now: T) {
    this.#now = now;
  }

  get now(): T {
    return this.#now;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** A new state; what was undone is gone. `gesture`: one press of a pointer is one step, whatever it does. */
  push(next: T, gesture?: unknown): void {
    const isSameGesture = gesture !== undefined && gesture === this.#gesture;
    if (!isSameGesture) this.#past = [...this.#past.slice(1 - MOST_STEPS), this.#now];
    this.#future = [];
    this.#now = next;
    this.#gesture = gesture;
  }

  undo(): boolean {
    return this.#go(this.#past, this.#future);
  }

  redo(): boolean {
    return this.#go(this.#future, this.#past);
  }

  #go(from: T[], to: T[]): boolean {
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.#now);
    this.#now = next;
    this.#gesture = undefined;
    return true;
  }
}
