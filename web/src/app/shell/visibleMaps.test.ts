import { expect, it } from 'vitest';
import type { SectionLayer } from '~/section/layer';
import type { MapNoun } from '~/section/map';
import type { LayerId } from '~/session';
import { profileOf } from '~/session/profile';
import { profileWith } from '~/session/session.fakes';
import type { OnMap } from './sectionMaps';
import { isLive, layersOf, visibleMaps } from './visibleMaps';

const noun = (kind: string, stays = false): MapNoun => ({ kind, stays, has: () => false, bind: () => () => undefined });
const Mark = () => null;
const layer = (id: LayerId): SectionLayer => ({ id, label: id, Mark, noun: noun(`${id} behind`), useCount: () => 0 });
const map = (id: LayerId, stays = false): OnMap => ({ id, nouns: [noun(id, stays)], layer: layer(id) });
const things: OnMap = { id: 'things', nouns: [noun('asset', true)], showsLayers: true };
const MAPS = [map('zones'), things, map('areas', true), map('closures'), map('hazards')];
const ALL = ['things', 'areas', 'closures', 'zones', 'hazards'];

const who = (permissions: readonly string[], sections = ALL) =>
  profileOf(profileWith({}, {}, { permissions: [...permissions], dashboard_access: sections }));
const everything = who(['thing:read', 'exclusion:read', 'closure:read', 'zone:read', 'hazard:read', 'mobile:access']);
const ids = (layers: readonly SectionLayer[]) => layers.map(({ id }) => id);

it('offers the layers that somebody may see, in one order, in the sections that show them', () => {
  expect(ids(layersOf(MAPS, 'things', everything))).toEqual(['closures', 'hazards', 'areas', 'zones']);
  expect(layersOf(MAPS, 'closures', everything)).toEqual([]);
  expect(ids(layersOf(MAPS, 'things', who(['thing:read', 'hazard:read'])))).toEqual(['hazards']);
  expect(ids(layersOf(MAPS, 'things', who(['thing:read', 'hazard:read', 'zone:read'], ['things', 'zones'])))).toEqual([
    'zones',
  ]);
});

it('puts on the map what is shown, the layers that are on, and what stays', () => {
  const kinds = (shown: string, on: readonly LayerId[], isPhone = false) =>
    visibleMaps(MAPS, shown, { profile: everything, isPhone, on }).flatMap(({ nouns }) =>
      nouns.map(({ kind }) => kind),
    );
  expect(kinds('things', ['hazards'])).toEqual(['asset', 'areas', 'hazards behind']);
  // A layer takes the place of what stays of the same section.
  expect(kinds('things', ['areas', 'closures'])).toEqual(['asset', 'areas behind', 'closures behind']);
  expect(kinds('closures', ['hazards', 'closures'])).toEqual(['asset', 'areas', 'closures']);
  expect(kinds('things', ['hazards'], true)).toContain('hazards behind');
});

it('lets what stays stand quietly where another section is the subject', () => {
  const quiet = noun('event, quiet');
  const events: OnMap = { id: 'events', nouns: [{ ...noun('event', true), behind: quiet }], showsLayers: true };
  const profile = who(['thing:read', 'incident:read', 'closure:read'], ['things', 'events', 'closures']);
  const kinds = (shown: string) =>
    visibleMaps([...MAPS, events], shown, { profile, isPhone: false, on: [] }).flatMap(({ nouns }) =>
      nouns.map(n => n.kind),
    );
  expect(kinds('closures')).toEqual(['asset', 'closures', 'event, quiet']);
  expect(kinds('things')).toEqual(['asset', 'event']);
  expect(kinds('events')).toEqual(['asset', 'event']);
  expect(['things', 'events', 'closures'].map(shown => isLive([...MAPS, events], shown))).toEqual([true, true, false]);
});
