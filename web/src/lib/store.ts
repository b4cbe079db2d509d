import { useSyncExternalStore } from 'react';
import { notify } from './notify';

/** A value outside React that tells its listeners when it changes. */
export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  subscribe(listener: () => void): () => void;
}

/** Makes a store; setting an identical value (Object.is) tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const computed = typeof next === 'function' ? (next as (now: T) => T)(value) : next;
      if (Object.is(computed, value)) return;
      value = computed;
      notify(listeners);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads a store in a component; with a selector the component renders only when the selected value changes. */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = () => (select ? select(store.get()) : store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
