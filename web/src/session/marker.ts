import { type KeyValue, readJson, writeJson } from '~/lib/storage';

/** Says that a session exists and when its access ends; holds no secret (the refresh token is an HttpOnly cookie). */
export const MARKER_KEY = 'lightbar.session';

/** What a browser knows of its session between pages. */
export interface Marker {
  /** The end of the pair, in milliseconds of the server's time. */
  expiresAt: number;
  /** By how much the browser's clock was ahead of the server's then, in milliseconds. */
  ahead: number;
}

export function readMarker(storage: KeyValue | undefined): Marker | undefined {
  const stored = readJson(storage, MARKER_KEY) as { expiresAt?: unknown; ahead?: unknown } | undefined;
  if (typeof stored?.expiresAt !== 'number') return undefined;
  return { expiresAt: stored.expiresAt, ahead: typeof stored.ahead === 'number' ? stored.ahead : 0 };
}

export function writeMarker(storage: KeyValue | undefined, marker: Marker | undefined): void {
  writeJson(storage, MARKER_KEY, marker);
}

/**
 * Whether the pair has ended, as far as a page can tell that has heard nothing of the server's clock yet. In doubt (the
 * browser's clock is ahead, or was set right since) it has not: the server is asked then.
 */
export const hasEnded = (marker: Marker, local: number) => marker.expiresAt <= Math.min(local, local - marker.ahead);
