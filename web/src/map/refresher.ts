const EVERY_MS = 1000;
/** Lets the changes of one moment (a batch, the end of a move) fall together. */
const TOGETHER_MS = 60;

/** Runs a job soon after it is asked for, but at most once a second. */
export class Refresher {
  pending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;
  readonly #job: () => void;

  constructor(job: () => void) {
    this.#job = job;
  }

  soon(): void {
    if (this.pending) return;
    this.pending = true;
    const wait = Math.max(TOGETHER_MS, this.#ranAt + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.pending = false;
      this.#ranAt = performance.now();
      this.#job();
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.pending = false;
  }
}
