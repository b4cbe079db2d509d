import { createStore } from '~/lib/store';
import { liveStore } from '~/live';

/** Grows whenever an asset has come to a station or left one, as the server matches them, or counts there otherwise. */
const moves = createStore(0);
const stations = new Map<string, string>();
let followers = 0;
let end = () => {};

/** Where an asset counts: at which station, in service or not. */
const placeOf = (id: string): string => {
  const thing = liveStore.thing(id);
  return thing?.stationId ? `${thing.stationId}/${thing.inService}` : '';
};

/** Follows who is at which station, until the returned way to stop. */
export function followStays(): () => void {
  if (followers++ === 0) {
    note(liveStore.fullBatch().upserted.id);
    end = liveStore.subscribeBatches(({ reset, upserted }) => {
      if (reset) stations.clear();
      if (note(upserted.id) || reset) moves.set(count => count + 1);
    });
  }
  return () => {
    followers -= 1;
    if (followers > 0) return;
    end();
    stations.clear();
  };
}

/** Takes where these assets are; true when one is elsewhere than before. */
function note(ids: Iterable<string>): boolean {
  let isMoved = false;
  for (const id of ids) {
    const now = placeOf(id);
    if (now === (stations.get(id) ?? '')) continue;
    isMoved = true;
    if (now) stations.set(id, now);
    else stations.delete(id);
  }
  return isMoved;
}

export const subscribeStays = moves.subscribe;
