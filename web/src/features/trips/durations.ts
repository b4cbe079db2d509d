import { instantOf } from '~/model/instant';

const MINUTE = 60_000;

/** How long something took, as it stands on the map: "4 min", "1 h 5 min". */
export function durationWords(start: string, end: string): string {
  const minutes = Math.max(1, Math.round((instantOf(end) - instantOf(start)) / MINUTE));
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}
