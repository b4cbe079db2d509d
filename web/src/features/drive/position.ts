import type { Fix } from '~/model/track';

export type Trouble = 'denied' | 'unavailable';

/** Receivers that stand still may have nothing new to say: they are asked after this long. */
const ASK_MS = 5000;
const HOW: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 8000 };

const known = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null);

/** A position of the browser; its time is taken, unless it is a clock of another kind. */
function fixOf({ coords, timestamp }: GeolocationPosition, now: number): Fix {
  const isSane = timestamp <= now && now - timestamp < 3_600_000;
  return {
    at: isSane ? timestamp : now,
    lat: coords.latitude,
    lng: coords.longitude,
    accuracy: coords.accuracy,
    heading: known(coords.heading),
    speed: known(coords.speed),
  };
}

/** Watches where this phone is. Returns the way to stop. */
export function watchPosition(take: (fix: Fix) => void, complain: (trouble: Trouble) => void): () => void {
  const { geolocation } = navigator;
  if (!geolocation) {
    complain('unavailable');
    return () => undefined;
  }
  let heardAt = Date.now();
  let isOver = false;
  const good = (position: GeolocationPosition) => {
    if (isOver) return;
    heardAt = Date.now();
    take(fixOf(position, heardAt));
  };
  const bad = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
    if (!isOver) complain(code === PERMISSION_DENIED ? 'denied' : 'unavailable');
  };
  const watch = geolocation.watchPosition(good, bad, HOW);
  const timer = setInterval(() => {
    if (Date.now() - heardAt >= ASK_MS) geolocation.getCurrentPosition(good, bad, HOW);
  }, ASK_MS / 2);
  return () => {
    isOver = true;
    geolocation.clearWatch(watch);
    clearInterval(timer);
  };
}
