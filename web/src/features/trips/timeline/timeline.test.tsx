// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { mapFoot } from '~/section/view';
import { session, setPreference } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { clock, setRate } from '../clock';
import { prepared } from '../prepared';
import { shownTrips } from '../shown';
import { aThingsTrips, aTrip, drive, iso, T0 } from '../testtrips';
import { trackOf } from '../track';
import { allSilent, columnsOf, ticksOf } from './scale';
import { Timeline } from './Timeline';

const HOUR = 3_600_000;
const spans = [
  { start: iso(T0), end: iso(T0 + 600_000), state: 'moving' as const },
  { start: iso(T0 + 600_000), end: iso(T0 + HOUR), state: 'silent' as const },
];
const trips = aThingsTrips({
  runs: [aTrip(drive(T0, 600))],
  spans,
  lights: [{ start: iso(T0), end: iso(T0 + 60_000) }],
});

let root: Root;
let host: HTMLElement;
let frames: ((now: number) => void)[] = [];
let now = 0;

beforeEach(() => {
  stubBrowser();
  session.state.set({
    phase: 'signedIn',
    profile: profileOf(profileWith({ timezone: 'UTC' }, {}, {})),
    organizationId: 'o1',
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(700);
  frames = [];
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  host = document.body.appendChild(document.createElement('div'));
  mapFoot.set(document.body.appendChild(document.createElement('div')));
  root = createRoot(host);
  setRate(60);
});

afterEach(() => {
  root.unmount();
  shownTrips.set(undefined);
  mapFoot.get()?.remove();
  mapFoot.set(null);
  host.remove();
  vi.unstubAllGlobals();
});

const things = [{ id: 'a', name: 'Engine 4', letter: 'A', color: 0 as const, trips }];

async function open(): Promise<void> {
  root.render(<Timeline />);
  shownTrips.set({ from: T0, to: T0 + HOUR, things, selected: undefined });
  await vi.waitFor(() => expect(slider()).not.toBeNull());
  await vi.waitFor(() => expect(prepared.get().isAll && prepared.get().things.length).toBe(1));
}

const slider = () => document.querySelector('[role="slider"]');
const said = () => slider()?.getAttribute('aria-valuetext');
const text = () => mapFoot.get()?.textContent ?? '';
const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));

/** Draws frames until nobody asks for one; answers how many. */
function runOut(ms: number): number {
  let count = 0;
  while (frames.length > 0 && count < 10_000) {
    now += ms;
    const due = frames;
    frames = [];
    for (const frame of due) frame(now);
    count++;
  }
  return count;
}

describe('the timeline', () => {
  it('draws nothing until trips are shown', async () => {
    root.render(<Timeline />);
    await vi.waitFor(() => expect(slider()).toBeNull());
    expect(text()).toBe('');
    await open();
    expect(text()).toContain('Engine 4');
    for (const word of ['Moving', 'Standing', 'On-Scene', 'No data', 'Lights on', 'Run'])
      expect(text()).toContain(word);
  });

  it('says the instant, and each asset then, in words', async () => {
    await open();
    expect(said()).toBe('3:00:00 PM');
    await vi.waitFor(() => expect(text()).toContain('Moving · 22 mph · Lights on'));
    press('End');
    await vi.waitFor(() => expect(said()).toBe('4:00:00 PM'));
    await vi.waitFor(() => expect(text()).toContain('No data since 3:10 PM'));
  });

  it('goes by keys: 10 s, with Shift a minute, to both ends', async () => {
    await open();
    press('ArrowRight');
    press('ArrowRight', { shiftKey: true });
    await vi.waitFor(() => expect(said()).toBe('3:01:10 PM'));
    press('ArrowLeft', {}, slider() as Element);
    await vi.waitFor(() => expect(said()).toBe('3:01:00 PM'));
    press('End');
    expect(clock.get().at).toBe(T0 + HOUR);
    press('Home');
    expect(clock.get().at).toBe(T0);
    press('f');
    expect(clock.get().follow).toBe(true);
  });

  it('leaves keys to what has the focus, and to who has switched them off', async () => {
    await open();
    const field = host.parentElement?.appendChild(document.createElement('input')) as Element;
    press('ArrowRight', {}, field);
    press(' ', {}, field);
    field.remove();
    const other = document.body.appendChild(document.createElement('button'));
    press(' ', {}, other);
    press('ArrowRight', {}, other);
    other.remove();
    setPreference('shortcuts', false);
    press(' ');
    press('f');
    setPreference('shortcuts', true);
    expect(clock.get()).toMatchObject({ at: T0, playing: false, follow: false });
    press(' ');
    expect(clock.get().playing).toBe(true);
  });

  it('plays to the end and then asks for no more frames', async () => {
    await open();
    press(' ');
    expect(runOut(100)).toBe(HOUR / 60 / 100);
    expect(clock.get()).toMatchObject({ playing: false, at: T0 + HOUR });
    expect(frames).toEqual([]);
    await vi.waitFor(() => expect(said()).toBe('4:00:00 PM'));
  });

  it('begins at a trip that is chosen, and stops when it goes', async () => {
    await open();
    press('End');
    shownTrips.set({ from: T0, to: T0 + HOUR, things, selected: { thingId: 'a', runId: `run ${iso(T0)}` } });
    await vi.waitFor(() => expect(clock.get().at).toBe(T0));
    press(' ');
    root.render(null);
    await vi.waitFor(() => expect(clock.get()).toMatchObject({ playing: false, at: 0 }));
    runOut(16);
    expect(clock.get().at).toBe(0);
  });

  it('has the lanes only while it is open', async () => {
    await open();
    const toggle = document.querySelector<HTMLElement>('[aria-expanded="true"][aria-label="Show less"]');
    toggle?.click();
    await vi.waitFor(() => expect(text()).not.toContain('Engine 4'));
    expect(said()).toBe('3:00:00 PM');
  });
});

describe('the scale', () => {
  it('has round times, as many as have room', () => {
    const ticks = ticksOf(T0 + 60_000, T0 + 6 * HOUR, 500, 'America/New_York');
    expect(ticks.map(({ text }) => text)).toEqual(['11 AM', '12 PM', '1 PM', '2 PM', '3 PM', '4 PM']);
    expect(ticksOf(T0, T0 + 1_800_000, 500, 'UTC').map(({ text }) => text)).toContain('3:15');
    expect(ticksOf(T0, T0, 500, 'UTC')).toEqual([]);
  });

  it('draws no speed where there are no points, and does not join over a gap', () => {
    const track = trackOf({ runs: [aTrip([...drive(T0, 60), ...drive(T0 + 1_800_000, 60)])], other: [] });
    const { least, joined } = columnsOf(track, T0, T0 + HOUR, 60);
    const filled = [...least.keys()].filter(x => !Number.isNaN(least[x] as number));
    expect(filled).toEqual([0, 30]);
    expect([joined[0], joined[30]]).toEqual([0, 0]);
  });

  it('knows when all are silent', () => {
    const silent = (start: number, end: number) => ({ start, end, state: 'silent' });
    expect(allSilent([[silent(0, 10), silent(20, 30)], [silent(5, 25)]])).toEqual([
      { start: 5, end: 10 },
      { start: 20, end: 25 },
    ]);
    expect(allSilent([])).toEqual([]);
  });
});
