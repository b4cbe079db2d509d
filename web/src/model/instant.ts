/**
 * Instants on this side are milliseconds since the Unix epoch, UTC; 0 means "none".
 * On the wire they are RFC 3339 texts or null (requirements D.wire).
 */
export type Instant = number;

let minuteText = '';
let minuteMs = 0;

/** A decimal digit of the text, NaN for any other character. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

/** The start of the text's minute in ms; the last one is kept, since neighbors in a stream share it. */
function minuteOf(text: string): number {
  const minute = text.slice(0, 16);
  if (minute !== minuteText) {
    minuteMs = Date.parse(`${minute}:00.000Z`);
    minuteText = minute;
  }
  return minuteMs;
}

/**
 * Reads an instant of the wire; null, undefined, '' and what is no date give 0. The server's own form
 * (2026-11-21T10:42:07.250Z) takes a short path, because a busy stream carries thousands of them a second.
 */
export function instantOf(text: string | null | undefined): Instant {
  if (!text) return 0;
  let ms = Number.NaN;
  if (text.length === 24 && text.charCodeAt(23) === 90 && text.charCodeAt(19) === 46) {
    const seconds = digit(text, 17) * 10 + digit(text, 18);
    ms = minuteOf(text) + seconds * 1000 + digit(text, 20) * 100 + digit(text, 21) * 10 + digit(text, 22);
  } else ms = Date.parse(text);
  return Number.isNaN(ms) ? 0 : ms;
}

/** The wire form of an instant, null for none. */
export function instantText(at: Instant): string | null {
  return at === 0 ? null : new Date(at).toISOString();
}
