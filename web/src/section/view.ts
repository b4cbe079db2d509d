import { useEffect } from 'react';
import { createStore, type Store, useStore } from '~/lib/store';
import type { MapControl } from '~/map/types';

const starts = new Set<() => void>();

/**
 * View state of a section, kept while the user moves between screens. Another organization is another view: all begins
 * anew, except what `kept` names.
 */
export function createView<View extends object>(
  start: View,
  kept: (view: View) => Partial<View> = () => ({}),
): Store<View> {
  const store = createStore(start);
  starts.add(() => store.set(now => ({ ...start, ...kept(now) })));
  return store;
}

/** The view of one section: its store, its hook, and how a part of it changes. */
export interface SectionView<View> {
  readonly view: Store<View>;
  use<S>(select: (view: View) => S): S;
  /** What stays the same tells nobody. */
  patch(part: Partial<View>): void;
}

/** Like `createView`, with what every section does to its view. */
export function sectionView<View extends object>(start: View, kept?: (view: View) => Partial<View>): SectionView<View> {
  const view = createView(start, kept);
  return {
    view,
    use: select => useStore(view, select),
    patch(part) {
      const now = view.get();
      const isNew = Object.entries(part).some(([name, value]) => now[name as keyof View] !== value);
      if (isNew) view.set({ ...now, ...part });
    },
  };
}

/** How many screens of a section are open: while one is, the map shows what its list shows. */
export interface OnStage {
  screens: number;
}

/** Counts this screen among those of its section. */
export function useScreenOf<View extends OnStage>(view: Store<View>): void {
  useEffect(() => {
    view.set(now => ({ ...now, screens: now.screens + 1 }));
    return () => view.set(now => ({ ...now, screens: now.screens - 1 }));
  }, [view]);
}

/** Begins the view of every section anew: another organization is looked at. */
export function beginViews(): void {
  for (const begin of starts) begin();
}

/** What is looked at, in whichever section. Ids are unique across all nouns. */
export interface SelectionView {
  /** what the open screen is about; the map shows it as selected */
  selected: string | null;
  /** what was open last: a list scrolls to it */
  last: string | null;
}

export const selection = createView<SelectionView>({ selected: null, last: null });

/** While a screen about a row stands, the map shows it as selected, and the list will scroll to it. */
export function useSelected(id: string): void {
  useEffect(() => selection.set({ selected: id, last: id }), [id]);
}

/** A list is about no row. */
export function useNoneSelected(): void {
  useEffect(() => selection.set(now => ({ ...now, selected: null })), []);
}

/** What the map shows in every section, by the switches of the Live section. */
export interface MapSwitches {
  showAssets: boolean;
  showLocations: boolean;
}

export const mapSwitches = createView<MapSwitches>({ showAssets: true, showLocations: true }, all => all);

/** The stations on the map that stand for what is at them (station view): those whose card is not pinned. */
export const foldedStations = createStore<ReadonlySet<string>>(new Set());

export function switchMap(part: Partial<MapSwitches>): void {
  mapSwitches.set(now => ({ ...now, ...part }));
}

/** The map, once it stands; screens work without it. */
export const mapHolder = createStore<MapControl | null>(null);

/**
 * A section shows the past: it has brought that into view, so that the first picture of the assets moves the map no
 * more, and where assets are now is not drawn among where they were.
 */
export const pastShown = createStore(false);

/** What a screen draws over the lower edge of the map goes there: controls and camera keep clear of it. */
export const mapFoot = createStore<HTMLElement | null>(null);

/** Brings a row into view. */
export function panTo(id: string): void {
  mapHolder.get()?.select(id, { pan: true });
}
