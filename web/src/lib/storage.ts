/** What this needs of localStorage or sessionStorage; both throw when a browser has closed them. */
export interface KeyValue {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Reads JSON; undefined when it is missing, damaged or the storage is closed. */
export function readJson(storage: KeyValue | undefined, key: string): unknown {
  try {
    const text = storage?.getItem(key);
    return text == null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes JSON, or removes the key for undefined. False when the storage refuses (closed, full). */
export function writeJson(storage: KeyValue | undefined, key: string, value: unknown): boolean {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(value));
    return storage !== undefined;
  } catch {
    return false;
  }
}

/** The browser's lasting storage, undefined where there is none. */
export function localStore(): KeyValue | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
