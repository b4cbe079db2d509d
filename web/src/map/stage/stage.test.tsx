// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AssetColumns } from '~/model/batch';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { DEFAULT_CONFIG } from '../config';
import { MapController } from '../controller';
import { locationLayer } from '../layers/location';
import type { MapAsset, MapProvider, MapState } from '../types';
import { Cards } from './Cards';
import { ContextMenu } from './ContextMenu';
import { Controls, MapTypeControl } from './Controls';
import { Finder, NoticeBar } from './Finder';
import { Found } from './Found';
import { LiveChip } from './LiveChip';
import { Attribution, Cover, MapStage } from './MapStage';
import { Places } from './Places';

const NOW = 1_000_000;
const asset: MapAsset = {
  row: 0,
  id: 'a0',
  lat: 39.5,
  lng: -75.5,
  course: 38,
  speed: 15,
  status: 'ACTIVE',
  type: 'fire',
  inService: true,
  at: NOW,
  staleAt: 0,
  shown: true,
  label: 'Ladder 1',
};
const IMAGERY: MapProvider = {
  id: 'usgs',
  title: '',
  kind: 'raster',
  role: 'satellite',
  url: 'https://tiles.example/{z}/{x}/{y}',
  attribution: 'USGS',
  maxZoom: 16,
};

let root: Root;
let host: HTMLElement;
let controller: MapController;
let copied: string[];

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  copied = [];
  const clipboard = {
    writeText: (text: string) => {
      copied.push(text);
      return Promise.resolve();
    },
  };
  vi.stubGlobal('navigator', { clipboard, userAgent: 'Firefox/150.0', geolocation: undefined });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  controller = new MapController({ theme: 'dark', now: () => NOW, name: 'Safety Cloud' });
  controller.assets.apply({ upserted: AssetColumns.of([asset]), removed: [] });
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function signIn(...permissions: string[]): void {
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile({ permissions })), organizationId: 'o1' });
}
const show = (element: React.ReactNode) => act(async () => root.render(element));
const press = (element: Element | null | undefined) =>
  act(async () => {
    element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  });
const named = (name: string) => host.querySelector<HTMLElement>(`[aria-label="${name}"]`);
const withText = (selector: string, text: string) =>
  [...host.querySelectorAll<HTMLElement>(selector)].find(element => element.textContent === text);

describe('controls', () => {
  it('all have a name, and following needs a selected asset', async () => {
    await show(<Controls controller={controller} />);
    const names = [...host.querySelectorAll('button')].map(button => button.getAttribute('aria-label'));
    expect(names).toEqual([
      'Show your location',
      'Find coordinates',
      'Zoom in',
      'Zoom out',
      'Show All',
      'Follow asset',
    ]);
    expect(named('Follow asset')?.hasAttribute('disabled')).toBe(true);
    await act(async () => controller.select('a0'));
    expect(named('Follow asset')?.hasAttribute('disabled')).toBe(false);
    await press(named('Follow asset'));
    expect(named('Follow asset')?.getAttribute('aria-pressed')).toBe('true');
    await act(async () => controller.select(null));
    expect(controller.getState().following).toBe(false);
  });

  it('are one stop of the Tab key: arrows go from one to the next, past what is off', async () => {
    const key = (name: string) =>
      act(
        async () =>
          void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })),
      );
    const stops = () =>
      [...host.querySelectorAll('button')].filter(one => one.tabIndex === 0).map(one => one.getAttribute('aria-label'));
    const focused = () => document.activeElement?.getAttribute('aria-label');
    await show(<Controls controller={controller} />);
    expect(stops()).toEqual(['Show your location']);
    await act(async () => named('Show your location')?.focus());
    await key('ArrowUp');
    expect(focused()).toBe('Show All');
    await key('ArrowDown');
    expect(focused()).toBe('Show your location');
    await act(async () => controller.select('a0'));
    await key('End');
    expect([focused(), stops()]).toEqual(['Follow asset', ['Follow asset']]);
    await act(async () => controller.select(null));
    expect(stops()).toEqual(['Show your location']);
    await key('Tab');
    expect(stops()).toHaveLength(1);
  });

  // spec: 2.map.03
  it('the type control shows when there is a choice, and to nobody before', async () => {
    signIn('organization:manage');
    await show(<MapTypeControl controller={controller} />);
    expect(host.querySelector('button')).toBeNull();
    await act(async () => controller.setConfig({ ...DEFAULT_CONFIG, providers: [IMAGERY] }));
    expect(host.textContent).toBe('RoadmapSatellite');
    expect(withText('button', 'Roadmap')?.getAttribute('aria-checked')).toBe('true');
  });

  // spec: 2.map.04 8.geo.01
  it('find-me says why it cannot', async () => {
    await show(
      <>
        <Controls controller={controller} />
        <NoticeBar controller={controller} />
      </>,
    );
    await press(named('Show your location'));
    expect(host.querySelector('[role="status"]')?.textContent).toBe('Your browser does not support geolocation.');
    await press(named('Dismiss'));
    expect(host.querySelector('[role="status"]')?.textContent).toBe('');
  });
});

describe('a map that is on its way', () => {
  it('is covered until it is ready and where it is to be', async () => {
    let state: MapState = { ...controller.getState(), phase: 'loading', expectsPlace: true };
    const told = new Set<() => void>();
    const map = Object.assign(Object.create(controller) as MapController, {
      getState: () => state,
      subscribe: (listener: () => void) => {
        told.add(listener);
        return () => told.delete(listener);
      },
    });
    const become = (change: Partial<MapState>) =>
      act(async () => {
        state = { ...state, ...change };
        for (const listener of told) listener();
      });
    await show(<Cover controller={map} />);
    const isLifted = () => host.querySelector('[data-lifted]') !== null;
    expect(isLifted()).toBe(false);
    await become({ phase: 'ready' });
    expect(isLifted()).toBe(false);
    await become({ expectsPlace: false });
    expect(isLifted()).toBe(true);
    await become({ phase: 'loading' });
    expect(isLifted()).toBe(false);
  });

  it('expects a place until somebody has chosen one', () => {
    controller.expectPlace(true);
    expect(controller.getState().expectsPlace).toBe(true);
    controller.showAll();
    expect(controller.getState().expectsPlace).toBe(false);
    controller.expectPlace(true);
    expect(controller.getState().expectsPlace).toBe(false);
  });
});

describe('a map that could not be loaded', () => {
  it('says so, and is tried again by hand; not while it is being tried', async () => {
    let retries = 0;
    const told = new Set<() => void>();
    const notice = { code: 'unloaded' as const, text: "The map couldn't load. Trying again…" };
    let state: MapState = { ...controller.getState(), phase: 'unloaded', notice };
    const map = Object.assign(Object.create(controller) as MapController, {
      getState: () => state,
      subscribe: (listener: () => void) => {
        told.add(listener);
        return () => told.delete(listener);
      },
      retry: () => {
        retries++;
        state = { ...state, phase: 'loading' };
        for (const listener of told) listener();
      },
    });
    await show(<NoticeBar controller={map} />);
    expect(host.querySelector('[role="status"]')?.textContent).toBe(`${notice.text}Retry`);
    await press(withText('button', 'Retry'));
    expect(retries).toBe(1);
    expect(withText('button', 'Retry')?.getAttribute('aria-disabled')).toBe('true');
  });
});

// spec: 2.map.10
describe('the coordinate search', () => {
  it('opens by its control, refuses what is no place, closes by Escape', async () => {
    await show(<Finder controller={controller} />);
    expect(host.querySelector('input')).toBeNull();
    await act(async () => controller.toggleFinder());
    const input = host.querySelector('input');
    expect(input?.placeholder).toBe('41.8623, -87.6167');
    await act(async () => {
      host.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    });
    expect(host.querySelector('[role="alert"]')?.textContent).toBe('Unable to find location.');
    await act(async () => {
      input?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    });
    expect(host.querySelector('input')).toBeNull();
  });

  it('gives the focus back to the control that opened it', async () => {
    await show(
      <>
        <Controls controller={controller} />
        <Finder controller={controller} />
      </>,
    );
    named('Find coordinates')?.focus();
    await press(named('Find coordinates'));
    expect(document.activeElement).toBe(host.querySelector('input'));
    await act(async () => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    });
    expect(document.activeElement).toBe(named('Find coordinates'));
    await press(named('Find coordinates'));
    named('Close')?.focus();
    await press(named('Close'));
    expect(document.activeElement).toBe(named('Find coordinates'));
  });
});

describe('a place that was searched for', () => {
  it('keeps its pin when the search box is closed, until the pin is removed', async () => {
    await show(
      <>
        <Finder controller={controller} />
        <Found controller={controller} />
      </>,
    );
    await act(async () => controller.toggleFinder());
    const input = host.querySelector('input') as HTMLInputElement;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '39.7447, -75.5484');
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
    await act(async () => {
      host.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    });
    await act(async () => controller.toggleFinder());
    const pin = () => host.querySelector('[aria-label="Pin at 39.7447, -75.5484"]');
    expect(pin()).not.toBeNull();
    await press(pin()?.querySelector('[aria-label="Remove pin"]'));
    expect(pin()).toBeNull();
  });
});

// spec: 2.map.08 2.map.09 9.ui.06 9.ui.10
describe('the context menu', () => {
  const open = () => controller.openMenu({ x: 10, y: 10, place: { lat: 41.86231239, lng: -87.6167 } });

  it('copies plain, for Waze and for Google Maps, and says Copied for 2 seconds', async () => {
    vi.useFakeTimers();
    await show(<ContextMenu controller={controller} />);
    await act(async () => open());
    for (const label of ['Copy coordinates', 'Copy for Waze', 'Copy for Google Maps']) {
      await press(withText('[role="menuitem"]', label));
    }
    expect(copied).toEqual([
      '41.8623123, -87.6167',
      'https://waze.com/ul?ll=41.8623123%2C-87.6167&navigate=yes',
      'https://www.google.com/maps/search/?api=1&query=41.8623123%2C-87.6167',
    ]);
    expect(withText('[role="menuitem"]', 'Copied')).toBeDefined();
    await act(async () => vi.advanceTimersByTime(1999));
    expect(withText('[role="menuitem"]', 'Copied')).toBeDefined();
    await act(async () => vi.advanceTimersByTime(1));
    expect(withText('[role="menuitem"]', 'Copied')).toBeUndefined();
  });

  it('links to both services, moves by arrow keys, closes by Escape and by a press outside', async () => {
    await show(<ContextMenu controller={controller} />);
    await act(async () => open());
    expect(withText('a', 'View on Waze')?.getAttribute('href')).toContain(
      'https://waze.com/ul?ll=41.8623123%2C-87.6167',
    );
    expect(withText('a', 'View on Google Maps')?.getAttribute('href')).toContain('https://www.google.com/maps/');
    const key = (name: string) =>
      act(async () => {
        host.querySelector('[role="menu"]')?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
      });
    expect(document.activeElement?.textContent).toBe('Copy coordinates');
    await key('ArrowUp');
    expect(document.activeElement?.textContent).toBe('View on Google Maps');
    await key('ArrowDown');
    expect(document.activeElement?.textContent).toBe('Copy coordinates');
    await key('Escape');
    expect(host.querySelector('[role="menu"]')).toBeNull();
    await act(async () => open());
    await act(async () => {
      document.body.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
    });
    expect(host.querySelector('[role="menu"]')).toBeNull();
  });
});

describe('the focus after the context menu', () => {
  it('is where it was, or on the map where that has gone', async () => {
    const focus = vi.spyOn(controller, 'focus');
    await show(
      <>
        <Controls controller={controller} />
        <ContextMenu controller={controller} />
      </>,
    );
    const openAndClose = async () => {
      await act(async () => controller.openMenu({ x: 10, y: 10, place: { lat: 41.8, lng: -87.6 } }));
      expect(document.activeElement?.getAttribute('role')).toBe('menuitem');
      await act(async () => {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      });
    };
    named('Show All')?.focus();
    await openAndClose();
    expect(document.activeElement).toBe(named('Show All'));
    expect(focus).not.toHaveBeenCalled();
    named('Show All')?.blur();
    await openAndClose();
    expect(focus).toHaveBeenCalledOnce();
  });
});

describe('what stands on the map, by the keyboard', () => {
  const places = [
    { kind: 'location', id: 'l1' },
    { kind: 'location', id: 'l2' },
  ];
  const key = (name: string) =>
    act(async () => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    });

  it('is one stop; arrows go from one to the next, each opens its card, Enter keeps it', async () => {
    controller.setCards((_, id) => ({ title: id === 'l1' ? 'W 9th St' : 'N Market St', lines: [], directions: true }));
    const state = () => ({ ...controller.getState(), places });
    let told: { cards: MapState['cards'] } = controller.getState();
    let now = state();
    const map = new Proxy(controller, {
      get: (of, name) => {
        if (name !== 'getState')
          return typeof of[name as 'on'] === 'function' ? of[name as 'on'].bind(of) : of[name as 'on'];
        return () => {
          if (told !== of.getState()) [told, now] = [of.getState(), state()];
          return now;
        };
      },
    });
    await show(
      <>
        <Places controller={map} />
        <Cards controller={controller} />
      </>,
    );
    const group = named('On the map');
    expect([...(group?.querySelectorAll('button') ?? [])].map(one => one.tabIndex)).toEqual([0, -1]);
    await act(async () => group?.querySelector('button')?.focus());
    const card = () => [...host.querySelectorAll('section')].map(one => one.getAttribute('aria-label'));
    expect(card()).toEqual(['W 9th St']);
    await key('ArrowRight');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('N Market St');
    expect(card()).toEqual(['N Market St']);
    await press(document.activeElement);
    expect(controller.getState().pinned).toEqual(['l2']);
    await key('ArrowRight');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('W 9th St');
    expect(card()).toEqual(['N Market St', 'W 9th St']);
  });
});

describe('cards', () => {
  const words = () =>
    controller.setCards((kind, id) =>
      kind === 'asset'
        ? { title: `Asset ${id}`, statusText: 'Responding', lines: [{ label: 'Street', value: 'N Market St' }] }
        : {
            title: 'W 9th St',
            aside: '00:11:04',
            directions: true,
            lines: [
              { label: 'Engine 4', value: '00:11:04' },
              { label: 'Unit 14', value: 'left 10:38 AM', past: true },
            ],
          },
    );

  // spec: 2.map.11
  it('open for the hovered asset and stay when pinned', async () => {
    words();
    await show(<Cards controller={controller} />);
    await act(async () => controller.cards.hover({ kind: 'asset', id: 'a0', pinned: false }));
    expect(named('Asset a0')?.textContent).toBe('Asset a0RespondingStreetN Market St');
    await press(named('Pin card'));
    expect(controller.getState().pinned).toEqual(['a0']);
    expect(named('Pin card')?.getAttribute('aria-pressed')).toBe('true');
    await press(named('Pin card'));
    expect(controller.getState().pinned).toEqual([]);
  });

  it('are at most 50: the newest pins stay', async () => {
    for (let i = 0; i < 55; i++) controller.pin(`p${i}`, true);
    expect(controller.getState().pinned).toHaveLength(50);
    expect(controller.getState().pinned[0]).toBe('p5');
  });

  it('of a location show its duration and things, copy the navigation link, go in a new tab', async () => {
    words();
    controller.setRows(locationLayer, [{ id: 'l1', lat: 39.5, lng: -75.5, active: true }]);
    await show(<Cards controller={controller} />);
    await act(async () => controller.pin('l1', true));
    expect(named('W 9th St')?.textContent).toContain('00:11:04Engine 400:11:04Unit 14left 10:38 AM');
    await press(withText('button', 'Copy'));
    const link = 'https://www.google.com/maps/dir/?api=1&destination=39.5%2C-75.5';
    expect(copied).toEqual([link]);
    const go = withText('a', 'Go');
    expect(go?.getAttribute('href')).toBe(link);
    expect(go?.getAttribute('target')).toBe('_blank');
  });
});

describe('the sources of the map data', () => {
  it('are all named', async () => {
    await act(async () =>
      controller.setConfig({ ...DEFAULT_CONFIG, base: { ...DEFAULT_CONFIG.base, attribution: 'GeoNames' } }),
    );
    await show(<Attribution controller={controller} />);
    expect(host.querySelector('[title="Map data"]')?.textContent).toBe('GeoNames');
    expect(host.querySelector('button')).toBeNull();
  });
});

// spec: 2.map.01 2.map.02
describe('without WebGL', () => {
  it('a notice stands instead of the map, with this browser’s steps', async () => {
    HTMLCanvasElement.prototype.getContext = () => null;
    await show(<MapStage controller={controller} theme="dark" insets={{ top: 0, right: 0, bottom: 0, left: 0 }} />);
    expect(host.querySelector('[data-map="unsupported"]')).not.toBeNull();
    expect(host.textContent).toContain("This browser can't show the map.");
    expect(named('WebGL must be enabled in your browser')?.textContent).toContain('about:config');
    expect(named('Zoom in')).toBeNull();
  });
});

describe('the chip', () => {
  it('says how old the picture is', async () => {
    await show(<LiveChip state="behind" label="Reconnecting" asOf="10:42:07" />);
    expect(host.textContent).toBe('Reconnecting · as of 10:42:07');
  });
});

describe('alerting', () => {
  it('a new on-scene asset pulses for 5 seconds, one of the first load does not', async () => {
    vi.useFakeTimers();
    expect(controller.getState().pulsing).toEqual([]);
    controller.assets.apply({ upserted: AssetColumns.of([{ ...asset, status: 'LOCATION' }]), removed: [] });
    expect(controller.getState().pulsing).toEqual(['a0']);
    vi.advanceTimersByTime(4999);
    expect(controller.getState().pulsing).toEqual(['a0']);
    vi.advanceTimersByTime(1);
    expect(controller.getState().pulsing).toEqual([]);
  });
});
