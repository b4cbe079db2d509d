// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { streamStore } from '~/live';
import { T0 } from '~/live/testing';
import { preferences, setPreference } from '~/session';
import { LayerSwitches } from './LayerSwitches';
import type { SectionLayer } from './layer';

const noun = { kind: 'closure', has: () => false, bind: () => () => undefined };
const Mark = () => null;
const layer = (id: SectionLayer['id'], label: string, count: number): SectionLayer => ({
  id,
  label,
  Mark,
  noun,
  useCount: () => count,
});

let host: HTMLElement;
let root: ReturnType<typeof createRoot>;
beforeEach(() => {
  stubBrowser();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  setPreference('layers', ['closures', 'hazards']);
  vi.unstubAllGlobals();
});

it('has a switch for each, which says how many there are, and remembers what is chosen', async () => {
  streamStore.patch({ phase: 'live', asOf: T0, failure: undefined });
  const layers = [layer('closures', 'Closures', 3), layer('areas', 'Areas', 1204)];
  await act(async () => root.render(<LayerSwitches layers={layers} />));
  const switches = () => [...host.querySelectorAll('input')];
  expect(switches().map(one => one.closest('label')?.textContent)).toEqual(['Closures 3', 'Areas 1,204']);
  expect(switches().map(one => [one.getAttribute('role'), one.checked])).toEqual([
    ['switch', true],
    ['switch', false],
  ]);
  await act(async () => switches()[1]?.click());
  await act(async () => switches()[0]?.click());
  // The layers that are not offered here stay as they were chosen.
  expect([...preferences.get().layers].sort()).toEqual(['areas', 'hazards']);
  expect(JSON.parse(localStorage.getItem('lightbar.preferences') ?? '').layers.sort()).toEqual(['areas', 'hazards']);
});
