// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, firstOf, recorded, replayed, vary } from '~/api/recorded';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import type { MapControl } from '~/map/types';
import { mapHolder } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { host, openThings, says, see, stageThings } from './testing';

const LABEL = 'Jump to your saved areas...';
const station = firstOf(recorded('listAreas.ok').data);
const [savedId = ''] = recorded('getSavedAreas.ok').data.area_ids;

stageThings('o1');

const fitted: unknown[] = [];
beforeEach(() => {
  fitted.length = 0;
  mapHolder.set({
    ...({} as MapControl),
    fitBounds: bounds => fitted.push(bounds),
    select: () => undefined,
    subscribe: () => () => undefined,
    getState: () => ({ following: false }) as never,
  } as MapControl);
  const areas = liveStore.of('area');
  areas.merge([vary(station, { id: savedId }), vary(station, { id: 'other', name: 'Other Yard' })], 0, T0);
  areas.tell();
});

async function open(answer: () => Response, ...more: string[]) {
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes('saved_areas') ? answer() : replayed('listThings.empty'),
  );
  const wire = profileWith({}, {}, { permissions: ['thing:read', ...more] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  await openThings('/dashboard/things', 'Live Assets');
}

const box = () => host.querySelector<HTMLInputElement>(`input[aria-label="${LABEL}"]`);
const options = () => [...host.querySelectorAll<HTMLElement>('[role=option]')];

function write(text: string): void {
  const input = box() as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

describe('the saved areas', () => {
  // spec: 2.things.05
  it('are offered by name, and choosing one fits the map to it', async () => {
    await open(() => answered('getSavedAreas.ok'), 'exclusion:read');
    await see(() => expect(box()).not.toBeNull());
    box()?.focus();
    await see(() => expect(options().map(one => one.textContent)).toEqual([`${station.name}Station ^`]));
    write('nowhere');
    await says('No saved area has this name.');
    write(station.name.slice(0, 4).toUpperCase());
    await see(() => expect(options()).toHaveLength(1));
    options()[0]?.click();
    expect(fitted).toHaveLength(1);
    const { south, west, north, east } = fitted[0] as Record<'south' | 'west' | 'north' | 'east', number>;
    expect([(south + north) / 2, (west + east) / 2].map(one => one.toFixed(5))).toEqual(
      [station.lat, station.lng].map(one => one.toFixed(5)),
    );
    await see(() => expect(box()?.value).toBe(''));
  });

  it('say how to save one where there is none, and stay away from who sees no areas', async () => {
    await open(() => replayed('getSavedAreas.empty'), 'exclusion:read');
    await see(() => expect(box()).not.toBeNull());
    box()?.focus();
    await says('No saved areas yet. In Areas, the star saves one.');
    session.state.set({
      ...session.state.get(),
      profile: profileOf(profileWith({}, {}, { permissions: ['thing:read'] })),
    } as never);
    await see(() => expect(box()).toBeNull());
  });
});
