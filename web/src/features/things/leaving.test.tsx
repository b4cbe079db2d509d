// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, replayed } from '~/api/recorded';
import { type LiveAuthority, liveStore, type Subscription, streamStore } from '~/live';
import { at, rowAt, T0 } from '~/live/testing';
import { headOfSnapshot } from '~/model/snapshot';
import { goneThing, snapshotOf } from '~/model/testing';
import { runLive } from '~/section/live';
import { selection } from '~/section/view';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { byText, load, openThings, press, says, see, stageThings, text } from './testing';

const A = '01900000-0000-7000-8000-00000000000a';
let detail: () => Response;

stageThings('o1');
beforeEach(() => {
  detail = () => replayed('getThing.not_found');
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes(`/things/${A}`) ? detail() : replayed('listThings.empty'),
  );
  const wire = profileWith({}, {}, { permissions: ['thing:read', 'thing:update'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
});

const engine = rowAt(A, 0, { nickname: 'Ladder 1', street: 'First St', vin_number: 'VIN9' });
const goes = () => liveStore.applyRows([goneThing(A)], T0 + 1000, T0 + 1000, false);

describe('an asset that goes while its detail is open', () => {
  it('is said to be gone though it was read on its own', async () => {
    load(engine);
    liveStore.reset('o1');
    const columns = snapshotOf([engine], at(0));
    liveStore.applySnapshot(columns, headOfSnapshot(columns), true);
    detail = () => answered('getThing.ok', engine);
    await openThings(`/dashboard/things/${A}`, 'VIN9');
    detail = () => replayed('getThing.not_found');
    goes();
    await see(() => expect(text()).not.toContain('Ladder 1'));
  });

  it('is said to be gone when the list had all of it', async () => {
    load(engine);
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    goes();
    await see(() => expect(text()).not.toContain('Ladder 1'));
  });

  it('makes room for the list when another organization is looked at', async () => {
    load(engine);
    detail = () => answered('getThing.ok', engine);
    const router = await openThings(`/dashboard/things/${A}`, 'First St');
    liveStore.reset('o2');
    const now = session.state.get();
    if (now.phase === 'signedIn') session.state.set({ ...now, organizationId: 'o2' });
    await see(() => expect(router.state.location.pathname).toBe('/dashboard/things'));
    expect(text()).not.toContain('First St');
  });
});

describe('focus', () => {
  const focused = () => document.activeElement?.tagName;

  it('returns to what opened the filters', async () => {
    load(engine);
    await openThings('/dashboard/things', 'Assets');
    const button = byText('button', 'Filters');
    button.focus();
    button.click();
    await see(() => expect(document.querySelector('form')?.contains(document.activeElement)).toBe(true));
    await press('form button', 'Apply');
    await see(() => expect(document.querySelector('form')).toBeNull());
    await see(() => expect(document.activeElement).toBe(byText('button', 'Filters')));
  });

  it('is in the list after the way back from a detail', async () => {
    load(engine);
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await see(() => expect(focused()).toBe('H1'));
    await press('button', 'Live');
    await says('Live Assets');
    await see(() => expect(focused()).not.toBe('BODY'));
  });

  it('is on the heading of a form that opens', async () => {
    load(engine);
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await press('a', 'Edit');
    await see(() => expect(document.activeElement?.textContent).toBe('Edit Profile'));
  });
});

describe('awareness mode', () => {
  it('keeps what was searched and chosen when it is switched, and is noted', async () => {
    vi.stubGlobal(
      'WebSocket',
      class {
        close() {}
        send() {}
      },
    );
    const rows = [rowAt(A, 0, { nickname: 'Ladder 1' }), rowAt('b', 0, { nickname: 'Medic 2' })];
    vi.stubGlobal('fetch', async (url: string) =>
      url.includes('/organization/things') ? answered('listThings.ok', rows) : replayed('listActiveLocations.empty'),
    );
    let now: Subscription = { organizationId: 'o1', isLarge: false, sees: [], awareness: false };
    let tell: () => void = () => undefined;
    const subscribe = (listener: () => void) => {
      tell = listener;
      return () => undefined;
    };
    const authority: LiveAuthority = { token: () => undefined, onRefused: () => undefined, onAccess: () => undefined };
    const stop = runLive({ subscribe, subscription: () => now }, authority);
    await openThings('/dashboard/things', 'Live Assets 2 / 2');
    selection.set({ selected: 'b', last: 'b' });
    now = { ...now, awareness: true };
    tell();
    expect(selection.get().selected).toBe('b');
    expect(liveStore.thing('b')).toBeDefined();
    expect(streamStore.get().awareness).toBe(true);
    stop();
  });
});
