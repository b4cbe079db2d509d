import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { chunk } from './chunk';

// biome-ignore lint/suspicious/noExplicitAny: what React's `lazy` takes
type Component = ComponentType<any>;

/** A component that comes with a part of the app: `name` is what the part's module exports it as. */
export const lazyPart = <Name extends string, Part extends Readonly<Record<Name, Component>>>(
  load: () => Promise<Part>,
  name: Name,
): LazyExoticComponent<Part[Name]> => lazy(chunk(() => load().then(part => ({ default: part[name] }))));
