import limits from '@catalog/limits.json';

const { reconnectAttempts, reconnectBaseMs, reconnectMaxMs, reconnectForeverMs } = limits.stream;

/**
 * How long to wait before reconnect attempt `n` (0 is the first): min(1000 × 2^n, 10000) ms for the first 10
 * (requirements 9.session), then 30 s ± 20 % for ever, so that thousands of tabs do not come back in one wave.
 * `random` is in [0, 1).
 */
export function reconnectDelay(n: number, random: number): number {
  if (n < reconnectAttempts.value) return Math.min(reconnectBaseMs.value * 2 ** n, reconnectMaxMs.value);
  return Math.round(reconnectForeverMs.value * (0.8 + 0.4 * random));
}

/** A server that restarts is back within this many reads. */
const READS_SOON = 20;
const READ_MAX_MS = 4000;

/**
 * How long to wait after failed read `n` of the picture: sooner than for a socket while a restart may last (some 75 s),
 * since reads learn that a session has ended meanwhile; then as rarely.
 */
export function readDelay(n: number, random: number): number {
  if (n < READS_SOON) return Math.min(reconnectBaseMs.value * 2 ** n, READ_MAX_MS);
  return reconnectDelay(n, random);
}
