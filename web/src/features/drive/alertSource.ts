import { isObject } from '~/api';
import { type KeyValue, readJson, writeJson } from '~/lib/storage';

/** Whose alerts, and by which key; '' for none. */
export interface AlertSource {
  readonly organization: string;
  readonly key: string;
}

declare global {
  interface Window {
    /** The key of /drive/{org}#key=…, put here by public/first.js, which takes it out of the address. */
    lightbarDriveKey?: string;
  }
}

export const alertPath = ({ organization }: AlertSource, rest: string): string =>
  `/feeds/${encodeURIComponent(organization)}/${rest}`;

export const headersOf = ({ key }: AlertSource): Record<string, string> =>
  key ? { Authorization: `Bearer ${key}` } : {};

const place = (organization: string): string => `lightbar.drive.${organization}`;

/** The key that this phone has for an organization: that of the address, else the one that it kept; '' for none. */
export function keyFor(organization: string, storage: KeyValue | undefined): string {
  const given = globalThis.window?.lightbarDriveKey;
  if (given) {
    storeKey(organization, given, storage);
    delete window.lightbarDriveKey;
  }
  const kept = readJson(storage, place(organization));
  return given || (typeof kept === 'string' ? kept : '');
}

export const storeKey = (organization: string, key: string, storage: KeyValue | undefined): boolean =>
  writeJson(storage, place(organization), key || undefined);

/** What the server says of a way to an organization's alerts. */
export type Access =
  | { kind: 'open'; name: string }
  /** `refused`: there was a key. */
  | { kind: 'key'; refused: boolean }
  | { kind: 'unknown' }
  | { kind: 'failed' };

/** Asks once, by the document of the same alerts: it says who publishes, and whether a key is needed. */
export async function askAccess(way: AlertSource, ask: typeof fetch, signal: AbortSignal): Promise<Access> {
  try {
    const response = await ask(alertPath(way, 'alerts.geojson'), {
      headers: headersOf(way),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    });
    if (response.status === 401 || response.status === 403) return { kind: 'key', refused: way.key !== '' };
    if (response.status === 404) return { kind: 'unknown' };
    if (!response.ok) return { kind: 'failed' };
    const document: unknown = await response.json();
    const { publisher } = (isObject(document) ? document : {}) as { publisher?: unknown };
    return { kind: 'open', name: typeof publisher === 'string' ? publisher.slice(0, 100) : '' };
  } catch {
    return { kind: 'failed' };
  }
}
