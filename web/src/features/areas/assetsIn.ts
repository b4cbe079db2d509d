import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '~/lib/store';
import { liveStore } from '~/live';
import { Inside } from './inside';

/** Grows whenever an asset has come into an area or left one. */
const changes = createStore(0);
let inside = new Inside();
let followers = 0;
let end = () => {};

/** The ids of the assets that are in an area now, as far as somebody follows them. */
export const assetsIn = (areaId: string): ReadonlySet<string> => inside.of(areaId);

export const subscribeAssetsIn = changes.subscribe;

/** Follows which assets are in which areas, until the returned way to stop. */
export function followAssetsIn(): () => void {
  if (followers++ === 0) begin();
  return () => {
    followers -= 1;
    if (followers === 0) end();
  };
}

function begin(): void {
  inside = new Inside();
  const { list, subscribe } = liveStore.of('area');
  const tell = () => changes.set(count => count + 1);
  inside.setAreas(list());
  inside.apply(liveStore.fullBatch());
  tell();
  const offs = [
    subscribe(() => {
      inside.setAreas(list());
      tell();
    }),
    liveStore.subscribeBatches(batch => {
      if (inside.apply(batch)) tell();
    }),
  ];
  end = () => {
    for (const off of offs) off();
  };
}

/** The ids of the assets in an area, by name. */
export function useAssetsIn(areaId: string): readonly string[] {
  useEffect(followAssetsIn, []);
  useSyncExternalStore(changes.subscribe, changes.get);
  return namedAssets(areaId).map(({ id }) => id);
}

/** The assets in an area, by name. */
export function namedAssets(areaId: string) {
  const things = [...assetsIn(areaId)].flatMap(id => liveStore.thing(id) ?? []);
  return things.sort((a, b) => a.primaryDisplayName.localeCompare(b.primaryDisplayName, 'en', { numeric: true }));
}
