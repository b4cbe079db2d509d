// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schemas } from '~/api';
import { recorded, replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { MapController } from '~/map/controller';
import type { Drawing, DrawOptions } from '~/map/draw/drawing';
import type { MapControl } from '~/map/types';
import { byText, press, says, see, stageSection, text, type } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { EVERY_MAP_VIEW, setPreference } from '~/session';
import { open } from './testing';

stageSection('o1');

const DESCRIBED = recorded('findDirections.described').data;
const SAID = 'Market St from 5th to 6th';
const MIDDLE = { lat: 39.7411, lng: -75.5508 };

let asked: Schemas['DirectionsAsked'][];
let answer: (body: Schemas['DirectionsAsked']) => Response;
let canvas: MapController;
let fitBounds: ReturnType<typeof vi.fn>;

function stage(hasRoads: boolean): void {
  mapHolder.set({
    subscribe: () => () => undefined,
    on: () => () => undefined,
    getState: () => ({ zoom: 16, hasRoads }),
    view: () => ({ middle: MIDDLE, zoom: 16 }),
    select: () => undefined,
    fitBounds,
    openDrawing: (options: DrawOptions) => canvas.openDrawing(options),
  } as unknown as MapControl);
}

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  setPreference('hiddenMapInstructions', [EVERY_MAP_VIEW]);
  canvas = new MapController({ theme: 'dark', now: () => T0 });
  fitBounds = vi.fn();
  stage(true);
  asked = [];
  answer = () => replayed('findDirections.described');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (!new URL(url, 'http://x').pathname.endsWith('/directions')) return replayed('getClosure.not_found');
    const body = JSON.parse(String(init.body)) as Schemas['DirectionsAsked'];
    asked.push(body);
    return body.text ? answer(body) : replayed('findDirections.ok');
  });
});

const field = (label: string) =>
  document.getElementById(byText('label', label).getAttribute('for') ?? '') as HTMLInputElement;
const filled = () => [
  ...['Road Name', 'From', 'To'].map(label => field(label).value),
  document.querySelector('[aria-label=Direction] [aria-checked=true]')?.textContent ?? '',
];
const begin = (): Promise<Drawing> =>
  vi.waitFor(() => {
    const now = canvas.desk.open.get();
    if (now?.kind !== 'line') throw new Error('no line is drawn');
    byText('label', 'Road and Limits');
    return now;
  });
function say(words: string): void {
  const box = field('Road and Limits');
  box.focus();
  type(box, words);
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
const set = (on: Drawing, ...points: readonly { lat: number; lng: number }[]): void => {
  for (const point of points) on.move(on.state.get().draft.points.length, point);
  on.finish();
};

// spec: 7.other.02
describe('a line that is described', () => {
  it('is laid by Enter, with all that it says, and can be corrected', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    const drawn = await begin();
    say(SAID);
    await see(() => expect(filled()).toEqual(['North Market Street', 'East 5th Street', 'East 6th Street', 'N']));
    expect(drawn.state.get().draft.points).toEqual(DESCRIBED.waypoints?.map(kept));
    expect(drawn.state.get().draft.isClosed).toBe(true);
    await see(() => expect(drawn.state.get().guide).toEqual(DESCRIBED.route));
    expect(fitBounds).toHaveBeenCalledOnce();
    // One question: the road through its points is known already, and the form was not sent.
    expect(asked.filter(({ waypoints }) => waypoints)).toEqual([]);
    expect(asked[0]).toEqual({ text: SAID, near: MIDDLE });
    expect(text()).not.toContain('Required');
    type(field('To'), 'The bridge');
    // Its points are as clicked ones: one that is moved asks for the road through them.
    drawn.move(1, { lat: 39.7416, lng: -75.5492 });
    await see(() => expect(asked.at(-1)?.waypoints).toHaveLength(2));
    await see(() => expect(drawn.state.get().guide).toEqual(recorded('findDirections.ok').data.route));
    expect(field('To').value).toBe('The bridge');
  });

  it('gives back what it replaced', async () => {
    await open('/dashboard/closures/new', 'Add Closure');
    const drawn = await begin();
    set(drawn, { lat: 39.7402, lng: -75.5516 }, { lat: 39.7416, lng: -75.5492 });
    await see(() => expect(field('Road Name').value).toBe('North Market Street'));
    const before = [drawn.state.get().draft.points, filled()];
    type(field('From'), 'The corner');
    say(SAID);
    await see(() => expect(filled()[1]).toBe('East 5th Street'));
    await press('button', 'Undo');
    await see(() => expect(drawn.state.get().draft.points).toEqual(before[0]));
    expect(filled()).toEqual([before[1]?.[0], 'The corner', ...(before[1]?.slice(2) ?? [])]);
    expect(text()).not.toContain('N, East 5th Street to East 6th Street.');
  });

  it('is offered to choose from where it has several meanings', async () => {
    answer = ({ choice }) => replayed(choice ? 'findDirections.choice' : 'findDirections.choices');
    await open('/dashboard/closures/new', 'Add Closure');
    const drawn = await begin();
    say('Market St between 5th and 6th');
    await says('Which one?');
    expect(drawn.state.get().draft.points).toEqual([]);
    await press('button', 'North Market Street N, East 5th Street to East 6th Street, Wilmington');
    await see(() => expect(filled()[0]).toBe('North Market Street'));
    expect(asked.at(-1)).toEqual({ text: 'Market St between 5th and 6th', near: MIDDLE, choice: 2 });
  });

  it('says under the field what was not understood, and nothing while somebody types', async () => {
    answer = () => replayed('findDirections.validation_failed.text');
    await open('/dashboard/closures/new', 'Add Closure');
    await begin();
    type(field('Road and Limits'), 'I-95 N, exit 9 to');
    await see(() => expect(asked).toHaveLength(1));
    expect(text()).not.toContain('No exit 9');
    say('I-95 N, exit 9 to exit 5');
    await says('No exit 9 on I-95 here; exits here: 5A.');
    expect(field('Road and Limits').getAttribute('aria-invalid')).toBe('true');
  });

  it('is not asked for where the server knows no roads', async () => {
    stage(false);
    await open('/dashboard/closures/new', 'Add Closure');
    await says('Nothing is drawn yet.');
    expect(text()).not.toContain('Road and Limits');
  });
});

/** A point as a drawing keeps it. */
const kept = ({ lat, lng }: { lat: number; lng: number }) => ({
  lat: Number(lat.toFixed(7)),
  lng: Number(lng.toFixed(7)),
});
