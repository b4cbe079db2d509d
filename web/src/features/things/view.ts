import { useEffect } from 'react';
import { createStore, useStore } from '~/lib/store';
import type { MapControl } from '~/map/types';

/** What is looked at right now: view state of the Live section, kept while the user moves between its screens. */
export interface ThingsView {
  /** the asset whose detail is open */
  selected: string | null;
  /** the asset that was open last: the list scrolls to it */
  last: string | null;
  showAssets: boolean;
  showLocations: boolean;
  /** group heads that are folded */
  folded: ReadonlySet<string>;
  filtersOpen: boolean;
}

export const thingsView = createStore<ThingsView>({
  selected: null,
  last: null,
  showAssets: true,
  showLocations: true,
  folded: new Set(),
  filtersOpen: false,
});

export const useThingsView = <S>(select: (view: ThingsView) => S): S => useStore(thingsView, select);

/** Changes a part of the view. */
export function patchView(part: Partial<ThingsView>): void {
  thingsView.set(now => ({ ...now, ...part }));
}

/** While a screen about an asset stands, the map shows it as selected and the list will scroll to it. */
export function useSelected(id: string): void {
  useEffect(() => patchView({ selected: id, last: id }), [id]);
}

/** Folds or unfolds a group of the list. */
export function toggleFold(key: string): void {
  thingsView.set(now => {
    const folded = new Set(now.folded);
    if (!folded.delete(key)) folded.add(key);
    return { ...now, folded };
  });
}

/** The map, once it stands; screens work without it. */
export const mapHolder = createStore<MapControl | null>(null);

/** Brings an asset into view. */
export function panTo(id: string): void {
  mapHolder.get()?.select(id, { pan: true });
}
