import { liveStore, type SceneArrival } from '~/live';
import { announce } from '~/ui/Toast';

/** Arrivals of this time are one sentence: a screen reader must be able to finish it. */
const GATHER_MS = 3000;
/** More than these are counted. */
const NAMED = 3;

/** Has screen readers say who has come on scene. Returns the way to stop. */
export function announceArrivals(): () => void {
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = () => {
    timer = undefined;
    announce(arrivalText([...waiting.values()]));
    waiting.clear();
  };
  const stop = liveStore.subscribeArrivals((arrivals: readonly SceneArrival[]) => {
    for (const { id, name } of arrivals) waiting.set(id, name);
    timer ??= setTimeout(say, GATHER_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function arrivalText(names: readonly string[]): string {
  const others = names.length - NAMED;
  const named = names.slice(0, NAMED).join(', ');
  return others > 0 ? `${named}, and ${others} more on scene` : `${named} on scene`;
}
