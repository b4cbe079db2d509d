// @vitest-environment jsdom
import { MapPin } from 'lucide-react';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnswerName, recorded, replayed } from '~/api/recorded';
import { AssetColumns } from '~/model/batch';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { DEFAULT_CONFIG, parseMapConfig } from '../config';
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

/** The server's answer to every call; what was asked for. */
function answering(name: AnswerName): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return replayed(name);
  });
  return asked;
}
const type = (text: string) =>
  act(async () => {
    const input = host.querySelector('input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const submit = () =>
  act(async () => {
    host.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  });
/** Presses a key where the focus is. */
const key = (name: string) =>
  act(
    async () => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })),
  );
const keyInBox = (key: string) =>
  act(async () => {
    host.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });

describe('controls', () => {
  it('all have a name, and following needs a selected asset', async () => {
    await show(<Controls controller={controller} />);
    const names = [...host.querySelectorAll('button')].map(button => button.getAttribute('aria-label'));
    expect(names).toEqual([
      'Show your location',
      'Search the map',
      'Zoom in',
      'Zoom out',
      'Show All',
      'Follow asset',
      'Unpin all',
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
    await act(async () => controller.pin('a0', true));
    await key('End');
    expect([focused(), stops()]).toEqual(['Unpin all', ['Unpin all']]);
    await press(named('Unpin all')); // and is off with that
    expect(stops()).toEqual(['Show your location']);
  });

  it('open the layers beside them; Esc closes these and gives the focus back, and so does a press elsewhere', async () => {
    const panel = () => host.querySelector('section[aria-label="Layers"]');
    const inSection = (section: string) =>
      show(<Controls controller={controller} section={section} layers="Closures 3" />);
    await show(<Controls controller={controller} section="things" />);
    expect(named('Layers')).toBeFalsy();
    await inSection('things');
    expect([named('Layers')?.getAttribute('aria-expanded'), named('Layers')?.title]).toEqual(['false', 'Layers']);
    await press(named('Layers'));
    expect([named('Layers')?.getAttribute('aria-expanded'), panel()?.textContent]).toEqual(['true', 'Closures 3']);
    await act(async () => named('Layers')?.focus());
    await key('Escape');
    expect([panel(), document.activeElement]).toEqual([null, named('Layers')]);
    await press(named('Layers'));
    await act(async () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true })));
    expect(panel()).toBeNull();
    await press(named('Layers'));
    await inSection('events');
    expect(panel()).toBeNull();
  });

  it('leave a phone its map: what is needed now and then stands behind one of them, which shows that something is on', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('coarse'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const names = () => [...host.querySelectorAll('button')].map(button => button.getAttribute('aria-label'));
    const more = () => named('More map controls');
    await show(<Controls controller={controller} />);
    const always = ['Show your location', 'Search the map', 'Show All', 'More map controls'];
    expect(names()).toEqual(always);
    expect(more()?.getAttribute('aria-expanded')).toBe('false');
    await act(async () => controller.select('a0'));
    await press(more());
    expect(names()).toEqual([...always, 'Zoom in', 'Zoom out', 'Follow asset', 'Unpin all']);
    await press(named('Follow asset'));
    expect(controller.getState().following).toBe(true);
    await press(more());
    expect(names()).toEqual(always);
    expect(more()?.hasAttribute('data-marked')).toBe(true);
    await act(async () => controller.select(null));
    expect(more()?.hasAttribute('data-marked')).toBe(false);
  });

  // spec: 2.map.03
  it('the type control shows when there is a choice, and to nobody before', async () => {
    signIn('organization:manage');
    await show(<MapTypeControl controller={controller} />);
    expect(host.querySelector('button')).toBeNull();
    await act(async () => controller.setConfig({ ...DEFAULT_CONFIG, providers: [IMAGERY] }));
    expect(host.textContent).toBe('RoadmapSatellite');
    const chosen = (name: string) => withText('button', name)?.getAttribute('aria-checked');
    expect(chosen('Roadmap')).toBe('true');
    await act(async () => withText('button', 'Roadmap')?.focus());
    await key('ArrowRight');
    expect(document.activeElement?.textContent).toBe('Satellite');
    await press(withText('button', 'Satellite'));
    expect([chosen('Roadmap'), chosen('Satellite')]).toEqual(['false', 'true']);
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

// spec: 2.map.10 8.empty.01
describe('the search box', () => {
  it('opens by its control, refuses what is no place, closes by Escape', async () => {
    answering('searchPlaces.empty');
    await show(<Finder controller={controller} />);
    expect(host.querySelector('input')).toBeNull();
    await act(async () => controller.toggleFinder());
    expect(host.querySelector('input')?.placeholder).toBe('41.8623, -87.6167');
    await submit();
    expect(host.querySelector('[role="alert"]')?.textContent).toBe('Unable to find location.');
    await type('no such street');
    await submit();
    expect(host.querySelector('[role="alert"]')?.textContent).toBe('Unable to find location.');
    answering('searchPlaces.elsewhere');
    await type('Wilmington, NC');
    await submit();
    expect(host.querySelector('[role="alert"]')?.textContent).toBe(
      'No town called Wilmington in North Carolina is known.',
    );
    await keyInBox('Escape');
    expect(host.querySelector('input')).toBeNull();
  });

  it('gives the focus back to the control that opened it', async () => {
    await show(
      <>
        <Controls controller={controller} />
        <Finder controller={controller} />
      </>,
    );
    named('Search the map')?.focus();
    await press(named('Search the map'));
    expect(document.activeElement).toBe(host.querySelector('input'));
    await act(async () => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    });
    expect(document.activeElement).toBe(named('Search the map'));
    await press(named('Search the map'));
    named('Close')?.focus();
    await press(named('Close'));
    expect(document.activeElement).toBe(named('Search the map'));
  });
});

describe('a place that was searched for', () => {
  const pin = () => host.querySelector('[aria-label="Pin at 39.7447, -75.5484"]');
  beforeEach(async () => {
    answering('searchPlaces.reverse');
    await show(
      <div data-map="ready">
        <Finder controller={controller} />
        <Found controller={controller} />
        <Controls controller={controller} />
      </div>,
    );
    await act(async () => controller.toggleFinder());
    await type('39.7447, -75.5484');
    await submit();
  });

  it('keeps its pin when the search box is closed, until the pin is removed', async () => {
    await act(async () => controller.toggleFinder());
    expect(pin()).not.toBeNull();
    await press(pin()?.querySelector('[aria-label="Remove pin"]'));
    expect(pin()).toBeNull();
  });

  it('is taken away by Escape on the map, not by one in the box', async () => {
    await keyInBox('Escape');
    expect(pin()).not.toBeNull();
    await act(async () => {
      const zoom = named('Zoom in');
      zoom?.focus();
      zoom?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    expect(pin()).toBeNull();
  });

  // spec: D.closure.06
  it('says its coordinates, its Plus Code and its street, and no what3words without a key', async () => {
    expect(pin()?.textContent).toContain('Near North Market Street Wilmington');
    expect([...host.querySelectorAll('dt')].map(one => one.textContent)).toEqual(['Coordinates', 'Plus Code']);
    await press(named('Copy Plus Code'));
    await press(named('Copy Coordinates'));
    expect(copied).toEqual(['87F6PFV2+VJQ', '39.7447, -75.5484']);
    const ways = [...(pin()?.querySelectorAll('a') ?? [])].map(way => [way.textContent, new URL(way.href).host]);
    expect(ways).toEqual([
      ['Go', 'www.google.com'],
      ['Waze', 'waze.com'],
      ['Apple Maps', 'maps.apple.com'],
    ]);
  });
});

describe('suggestions', () => {
  const options = () => [...host.querySelectorAll('[role="option"]')].map(one => one.textContent);
  const box = () => host.querySelector<HTMLInputElement>('input');
  beforeEach(async () => {
    vi.useFakeTimers();
    await show(<Finder controller={controller} />);
    await act(async () => controller.toggleFinder());
  });

  it('come when the text has stood still for 350 ms, and are chosen by keys', async () => {
    const asked = answering('searchPlaces.several');
    await type('eas');
    await type('east');
    await act(async () => vi.advanceTimersByTimeAsync(349));
    expect(asked).toEqual([]);
    await act(async () => vi.advanceTimersByTimeAsync(1));
    expect(asked).toEqual(['/api/geocode?q=east']);
    expect(options()).toEqual(['East 6th StreetWilmington', 'East 5th StreetWilmington']);
    expect(box()?.getAttribute('aria-expanded')).toBe('true');
    await keyInBox('ArrowDown');
    await keyInBox('ArrowDown');
    const marked = host.querySelector('[aria-selected="true"]');
    expect(marked?.textContent).toBe('East 5th StreetWilmington');
    expect(box()?.getAttribute('aria-activedescendant')).toBe(marked?.id);
    await submit();
    expect(controller.getState().found).toMatchObject({ label: 'East 5th Street', lat: 39.7408159 });
    expect(box()?.getAttribute('aria-expanded')).toBe('false');
  });

  it('of the organization’s own wait for no network', async () => {
    const opened = vi.spyOn(controller, 'openCardLink').mockImplementation(() => undefined);
    const own = (text: string) =>
      text === 'hosp' ? [{ id: 'h', label: 'Wilmington Hospital', hint: 'Area', path: '/areas/h' }] : [];
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    await show(<Finder controller={controller} own={own} />);
    await type('hosp');
    expect(options()).toEqual([]);
    await act(async () => vi.advanceTimersByTimeAsync(350));
    expect(options()).toEqual(['Wilmington HospitalArea']);
    await submit();
    expect(opened).toHaveBeenCalledExactlyOnceWith('/areas/h');
  });

  it('close by Escape first, the box by the next one', async () => {
    answering('searchPlaces.several');
    await type('east');
    await act(async () => vi.advanceTimersByTimeAsync(350));
    await keyInBox('Escape');
    expect(options()).toEqual([]);
    expect(box()).not.toBeNull();
    await keyInBox('Escape');
    expect(box()).toBeNull();
  });

  it('say that there are none, and that the server cannot be reached', async () => {
    answering('searchPlaces.empty');
    await type('no such street');
    await act(async () => vi.advanceTimersByTimeAsync(350));
    expect(host.querySelector('[role="status"]')?.textContent).toBe('No results found.');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await type('market');
    await act(async () => vi.advanceTimersByTimeAsync(350));
    expect(host.querySelector('[role="status"]')?.textContent).toBe('Connection failed.');
  });

  it('say which is a near match, and Enter alone does not go there', async () => {
    answering('searchPlaces.partial');
    await type('99 Market St');
    await submit(); // before the list has come
    expect(options()).toEqual(['North Market StreetNear match · Wilmington']);
    expect(controller.getState().found).toBeNull();
    expect(host.querySelector('[role="status"]')?.textContent).toBe('No exact match. Choose a near match.');
    await submit();
    expect(controller.getState().found).toBeNull();
    expect(box()?.getAttribute('aria-expanded')).toBe('true');
    await keyInBox('ArrowDown');
    await submit();
    expect(controller.getState().found).toMatchObject({ label: 'North Market Street' });
    expect(box()?.getAttribute('aria-expanded')).toBe('false');
  });

  it("offer the organization's own first, and open it", async () => {
    const opened: string[] = [];
    controller.on('cardlink', ({ path }) => opened.push(path));
    const own = (text: string) => [
      { id: 'x1', label: `${text} Hospital`, hint: 'Landmark', path: '/dashboard/areas/x1' },
    ];
    await show(<Finder controller={controller} own={own} />);
    answering('searchPlaces.partial');
    await type('east');
    await act(async () => vi.advanceTimersByTimeAsync(350));
    expect(options()).toEqual(['east HospitalLandmark', 'North Market StreetNear match · Wilmington']);
    await submit();
    expect(opened).toEqual(['/dashboard/areas/x1']);
    expect(controller.getState().found).toBeNull();
  });

  it('of a finger are chosen by a tap', async () => {
    answering('searchPlaces.crossing');
    await type('Market St & 5th');
    await act(async () => vi.advanceTimersByTimeAsync(350));
    await press(host.querySelector('[role="option"]'));
    expect(controller.getState().found).toMatchObject({ kind: 'crossing', near: 'Wilmington' });
  });
});

// spec: 2.map.16 7.other.03 8.w3w.01 8.w3w.02
describe('what3words', () => {
  const words = () => [...host.querySelectorAll('dd')].at(-1)?.textContent;
  const withKey = async () => {
    await act(async () => controller.setConfig(parseMapConfig(recorded('getMapConfig.words'))));
    await show(<Found controller={controller} />);
  };

  it('locates, shows the words with a copy button and tells what they are', async () => {
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', (url: string) =>
      url === '/api/what3words?lat=39.7411662&lng=-75.5507979'
        ? new Promise<Response>(resolve => {
            answer = resolve;
          })
        : Promise.resolve(replayed('searchPlaces.empty')),
    );
    await withKey();
    await act(async () => controller.pinPlace({ lat: 39.7411662, lng: -75.5507979 }));
    expect(words()).toBe('Locating...');
    expect(named('Copy what3words')).toBeNull();
    await act(async () => answer(replayed('getWords.ok')));
    expect(words()).toBe('///filled.count.soap');
    await press(named('Copy what3words'));
    expect(copied).toEqual(['///filled.count.soap']);
    await act(async () => named('About what3words')?.focus());
    const tip = host.querySelector('[role="tooltip"]');
    expect(tip?.textContent).toContain('three-word address');
    expect(named('About what3words')?.getAttribute('aria-describedby')).toBe(tip?.id);
  });

  // spec: 9.open.02
  it('is not asked where the installation has no key', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return replayed('searchPlaces.empty');
    });
    await act(async () => controller.setConfig(DEFAULT_CONFIG));
    await show(<Found controller={controller} />);
    await act(async () => controller.pinPlace({ lat: 39.7, lng: -75.5 }));
    expect(host.textContent).toContain('39.7');
    expect(host.textContent).not.toContain('what3words');
    expect(asked.filter(url => !url.startsWith('/api/geocode'))).toEqual([]);
  });

  it('says that it found none when the service does not answer', async () => {
    vi.stubGlobal('fetch', async (url: string) =>
      replayed(url.includes('what3words') ? 'getWords.words_unreachable' : 'searchPlaces.empty'),
    );
    await withKey();
    await act(async () => controller.pinPlace({ lat: 39.7, lng: -75.5 }));
    expect(words()).toBe('what3words not found...');
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

  it('is of the place itself, also where the map shows a copy of the world', async () => {
    await show(<ContextMenu controller={controller} />);
    for (const lng of [-87.6167 - 360, -87.6167 + 720]) {
      await act(async () => controller.openMenu({ x: lng, y: 10, place: { lat: 41.86231239, lng } }));
      await press(withText('[role="menuitem"]', 'Copy coordinates'));
    }
    expect(copied).toEqual(['41.8623123, -87.6167', '41.8623123, -87.6167']);
  });

  it('begins with what the page offers here, and closes when that is chosen', async () => {
    const begin = vi.fn();
    await show(
      <ContextMenu
        controller={controller}
        items={[{ label: 'Add closure here', Icon: MapPin, isOfPins: false, act: begin }]}
      />,
    );
    await act(async () => controller.openMenu({ x: 5, y: 5, place: { lat: 39.5, lng: -75.5 } }));
    expect(document.activeElement?.textContent).toBe('Add closure here');
    await press(withText('[role="menuitem"]', 'Add closure here'));
    expect([begin.mock.lastCall, controller.getState().menu]).toEqual([[{ lat: 39.5, lng: -75.5 }], null]);
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
    await press(withText('[role="menuitem"]', "What's here?"));
    expect(controller.getState().found).toEqual({ lat: 41.86231239, lng: -87.6167 });
    expect(host.querySelector('[role="menu"]')).toBeNull();
    await act(async () => open());
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
    await act(async () => controller.cards.hover({ kind: 'asset', id: 'a0' }));
    expect(named('Asset a0')?.textContent).toBe('Asset a0 RespondingStreetN Market St');
    await press(named('Pin card'));
    expect(controller.getState().pinned).toEqual(['a0']);
    expect(named('Pin card')?.getAttribute('aria-pressed')).toBe('true');
    await press(named('Pin card'));
    expect(controller.getState().pinned).toEqual([]);
  });

  it('say what their row is, also when it comes to the map after them', async () => {
    words();
    await show(<Cards controller={controller} />);
    await act(async () => controller.select('l1'));
    await act(async () => controller.setRows(locationLayer, [{ id: 'l1', lat: 39.5, lng: -75.5, active: true }]));
    expect(named('W 9th St')?.textContent).toContain('Engine 4');
    expect(named('Asset l1')).toBeNull();
  });

  it('on a phone leave out what is only selected; what a finger opened on the map stays', async () => {
    words();
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    controller.setRows(locationLayer, [{ id: 'l1', lat: 39.5, lng: -75.5, active: true }]);
    await show(<Cards controller={controller} />);
    await act(async () => controller.select('l1'));
    expect(named('W 9th St')).toBeNull();
    await act(async () => controller.cards.hover({ kind: 'location', id: 'l1' }));
    expect(named('W 9th St')).not.toBeNull();
  });

  it('close when the mouse has left them, not when a finger is lifted from them', async () => {
    words();
    controller.setRows(locationLayer, [{ id: 'l1', lat: 39.5, lng: -75.5, active: true }]);
    await show(<Cards controller={controller} />);
    await act(async () => controller.cards.hover({ kind: 'location', id: 'l1' }));
    vi.useFakeTimers();
    try {
      const leave = (pointerType: string) =>
        act(async () => {
          const event = Object.assign(new MouseEvent('pointerout', { bubbles: true }), { pointerType });
          named('W 9th St')?.dispatchEvent(event);
          await vi.advanceTimersByTimeAsync(1000);
        });
      await leave('touch');
      expect(named('W 9th St')).not.toBeNull();
      await leave('mouse');
      expect(named('W 9th St')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('are at most 50: the newest pins stay', async () => {
    for (let i = 0; i < 55; i++) controller.pin(`p${i}`, true);
    expect(controller.getState().pinned).toHaveLength(50);
    expect(controller.getState().pinned[0]).toBe('p5');
  });

  // spec: 2.map.12 2.map.13 2.map.14
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
    const ways = [...host.querySelectorAll<HTMLAnchorElement>('a[target="_blank"]')];
    expect(ways.map(way => [way.getAttribute('aria-label'), new URL(way.href).host])).toEqual([
      ['Go to 39.5, -75.5 with Google Maps', 'www.google.com'],
      ['Go to 39.5, -75.5 with Waze', 'waze.com'],
      ['Go to 39.5, -75.5 with Apple Maps', 'maps.apple.com'],
    ]);
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
