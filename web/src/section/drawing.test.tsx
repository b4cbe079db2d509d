// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { MapController } from '~/map/controller';
import { loadKit } from '~/map/draw/desk';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import { EVERY_MAP_VIEW, preferences, setPreference } from '~/session';
import { parsePreferences } from '~/session/preferences';
import { Instructions } from './Instructions';
import { useDrawing } from './useDrawing';
import { mapHolder } from './view';

let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  preferences.set(parsePreferences(undefined));
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  mapHolder.set(null);
});

const show = (view: string) =>
  act(async () =>
    root.render(<Instructions key={view} view={view} title="Draw an area" steps={['Click.', 'Drag.']} />),
  );
const dialog = () => document.querySelector('[role=dialog]');
const press = (selector: string, text: string) =>
  act(async () => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find(e => e.textContent?.includes(text));
    if (!found) throw new Error(`no ${text}`);
    (found.querySelector('input') ?? found).click();
  });

// spec: 2.map.18 3.pref.01
describe('the instructions of a map view', () => {
  it('open by themselves until they are not wanted again, of that view alone, and by the link at any time', async () => {
    await show('area');
    expect([...(dialog()?.querySelectorAll('li') ?? [])].map(li => li.textContent)).toEqual(['Click.', 'Drag.']);
    await press('label', "Don't show again");
    await press('button', 'OK');
    expect(dialog()).toBeNull();
    await show('closure');
    expect(dialog()).not.toBeNull();
    await show('area');
    expect(dialog()).toBeNull();
    expect(preferences.get().hiddenMapInstructions).toEqual(['area']);
    await press('button', 'View Instructions');
    expect(dialog()?.querySelector('input')?.checked).toBe(true);
    await press('label', "Don't show again");
    await press('button', 'OK');
    await show('closure');
    await show('area');
    expect(dialog()).not.toBeNull();
  });

  it('of no view open by themselves where somebody wants none', async () => {
    setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
    await show('area');
    expect(dialog()).toBeNull();
  });
});

let drawing: Drawing | null = null;
function Screen(options: DrawOptions) {
  drawing = useDrawing(options);
  return null;
}

describe('a shape that a screen draws', () => {
  const render = (options: DrawOptions | null) => act(async () => root.render(options && <Screen {...options} />));
  /** What draws has been loaded, and what follows from it is rendered. */
  const opened = () => act(() => loadKit());

  it('is there with the map, tells its newest listener, and goes with the screen', async () => {
    const map = new MapController({ theme: 'dark', now: () => 0 });
    await render({ kind: 'circle', onChange: () => expect.unreachable() });
    expect(drawing).toBeNull();
    await act(async () => mapHolder.set(map));
    await opened();
    expect(drawing).not.toBeNull();
    expect(map.desk.open.get()).toBe(drawing);
    const onChange = vi.fn();
    await render({ kind: 'circle', onChange, check: () => 'Too large.' });
    await act(async () => {
      drawing?.move(0, { lat: 1, lng: 2 });
      drawing?.resize(50);
    });
    expect(onChange.mock.calls).toEqual([[null], [{ type: 'Circle', center: { lat: 1, lng: 2 }, radiusM: 50 }]]);
    expect(drawing?.state.get().problem).toBe('Too large.');
    await render(null);
    expect(map.desk.open.get()).toBeNull();
  });

  it('begins anew as another kind, and never outlives a screen that has gone before it came', async () => {
    const map = new MapController({ theme: 'dark', now: () => 0 });
    mapHolder.set(map);
    await render({ kind: 'line' });
    await opened();
    const line = drawing;
    await render({ kind: 'polygon' });
    await opened();
    expect(map.desk.open.get()?.kind).toBe('polygon');
    expect(drawing).not.toBe(line);
    await render(null);
    let come = (): void => undefined;
    const way = new Promise<void>(resolve => {
      come = resolve;
    });
    const open = vi.spyOn(map, 'openDrawing').mockImplementation(options => way.then(() => map.desk.begin(options)));
    await render({ kind: 'circle' });
    await render(null);
    come();
    await act(async () => open.mock.results[0]?.value);
    expect(map.desk.open.get()).toBeNull();
  });
});
