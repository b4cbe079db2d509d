// @vitest-environment jsdom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, recorded, replayed } from '~/api/recorded';
import { rowAt } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import { load, openThings, says, see, stageThings } from './testing';

const A = '01900000-0000-7000-8000-00000000000a';
const B = '01900000-0000-7000-8000-00000000000b';
const both = recorded('getThing.sources').data.sources ?? [];
let sources: typeof both;
let asset: ReturnType<typeof rowAt>;

stageThings('o1');
beforeEach(() => {
  sources = both;
  asset = rowAt(A, 0, { nickname: 'Ladder 1' });
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes(`/things/${asset.id}`) ? answered('getThing.ok', { ...asset, sources }) : replayed('listThings.empty'),
  );
  const wire = profileWith({}, {}, { permissions: ['thing:read'] });
  session.state.set({ phase: 'signedIn', profile: profileOf(wire), organizationId: 'o1' });
  load(asset);
});

const block = () => document.querySelector('section[aria-label=Sources]');

describe('the sources of an asset', () => {
  it('say which one is shown, and why', async () => {
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await says('Device (HTTP)');
    const rows = [...(block()?.querySelectorAll('dt') ?? [])].map(row => row.textContent);
    expect(rows).toEqual(['Device (HTTP)', 'Geotab · County fleet']);
    const values = [...(block()?.querySelectorAll('dd') ?? [])].map(row => row.textContent ?? '');
    expect(values[0]).toContain('Shown');
    expect(values[0]).toContain('Newest position');
    expect(values[1]).not.toContain('Shown');
    expect(values[1]).toContain('Another source has a newer position');
  });

  it('say of a late report when it came', async () => {
    sources = both.map(one => ({
      ...one,
      last_at: '2026-11-21T08:00:00.000Z',
      received_at: '2026-11-21T10:00:00.000Z',
    }));
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await says('It came');
  });

  it('are not shown where there is one', async () => {
    sources = both.slice(0, 1);
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await see(() => expect(block()).toBeNull());
  });

  const UNKNOWN = 'is not known since the server restarted';

  it('say after a restart that nobody knows which one is shown, not why each is not', async () => {
    sources = both.map(one => ({ ...one, is_shown: false, why: 'older' }));
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await says(UNKNOWN);
    expect(block()?.textContent).toContain('Geotab · County fleet');
    expect(block()?.textContent).not.toContain('Another source has a newer position');
    expect(block()?.textContent).not.toContain('Shown');
  });

  it('say it also where none has reported since, if a provider may', async () => {
    sources = [];
    await openThings(`/dashboard/things/${A}`, 'Ladder 1');
    await says(UNKNOWN);
    expect(block()?.querySelectorAll('dt')).toHaveLength(0);
  });

  it('say nothing of a restart where no position is shown', async () => {
    sources = both.map(one => ({ ...one, is_shown: false, why: 'no_position' }));
    asset = rowAt(B, 0, { nickname: 'Rescue 7', lat: null, lng: null });
    load(asset);
    await openThings(`/dashboard/things/${B}`, 'Rescue 7');
    await says('Its newest report has no usable position');
    expect(block()?.textContent).not.toContain(UNKNOWN);
  });
});
