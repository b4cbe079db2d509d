import { expect, it } from 'vitest';
import { defaultFilter } from '~/model/filter';
import { wireLocation } from '~/model/testing';
import { LiveStore } from './store';
import { at, T0 } from './testing';

// spec: 4.events.02
it('the list of locations begins with the active ones, also after one has ended', () => {
  const store = new LiveStore(defaultFilter(true));
  store.reset('org-1');
  const row = (id: string, minutes: number, is_active: boolean, version = 1) =>
    wireLocation({
      id,
      is_active,
      start_time: at(minutes * 60_000),
      end_time: is_active ? null : at(minutes * 60_000 + 30_000),
      version,
    });
  const ids = () =>
    store
      .of('location')
      .list()
      .map(location => location.id);
  store
    .of('location')
    .merge([row('old', 1, false), row('first', 2, true), row('new', 9, false), row('second', 5, true)], T0, T0);
  expect(ids()).toEqual(['second', 'first', 'new', 'old']);
  store.applyMessages([{ type: 'location', location: row('second', 5, false, 2) }], T0);
  expect(ids()).toEqual(['first', 'new', 'second', 'old']);
});
