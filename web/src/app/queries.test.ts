// @vitest-environment jsdom

import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnswerName, answered, replayed } from '~/api/recorded';
import { keys } from '~/features/keys/key';
import { organizations } from '~/features/organizations/queries';
import { thingQuery, typesQuery } from '~/features/things/queries';
import { users } from '~/features/users/queries';
import { rowAt } from '~/live/testing';
import { things } from '~/office';
import { queries } from './queries';

const SECOND = 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') });
});
afterEach(() => {
  queries.clear();
  vi.useRealTimers();
});

/** Looks at something and leaves again, as a screen does that opens and closes. */
async function visit(query: object): Promise<unknown> {
  const observer = new QueryObserver(queries, query as ConstructorParameters<typeof QueryObserver>[1]);
  const leave = observer.subscribe(() => undefined);
  const atOnce = observer.getCurrentResult().data;
  await vi.advanceTimersByTimeAsync(1);
  leave();
  return atOnce;
}

function asked() {
  const ask = vi.fn(async () => 'answer');
  return { ask, query: queryOptions({ queryKey: ['one'], queryFn: ask }) };
}

describe('what was read', () => {
  // spec: 9.limits.06
  it('is taken for true for 30 s, then asked for again', async () => {
    const { ask, query } = asked();
    await visit(query);
    await vi.advanceTimersByTimeAsync(29 * SECOND);
    await visit(query);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    await visit(query);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  // spec: 9.limits.07
  it('is asked for again every 30 min while it stays on the screen', async () => {
    const { ask, query } = asked();
    const leave = new QueryObserver(queries, query).subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(1799 * SECOND);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(ask).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1800 * SECOND);
    expect(ask).toHaveBeenCalledTimes(3);
    leave();
  });

  // spec: 9.limits.07
  it.each([
    ['users', users.list('o1'), 'listMembers.ok'],
    ['organizations', organizations.list(), 'listOrganizations.ok'],
    ['assets', things.list('o1'), 'listThings.ok'],
    ['keys', keys.list('o1'), 'listKeys.ok'],
  ] satisfies [string, object, AnswerName][])('is so with the list of %s', async (_, query: object, recording) => {
    const ask = vi.fn(async () => replayed(recording));
    vi.stubGlobal('fetch', ask);
    const leave = new QueryObserver(queries, query as ConstructorParameters<typeof QueryObserver>[1]).subscribe(
      () => undefined,
    );
    await vi.advanceTimersByTimeAsync(1799 * SECOND);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(ask).toHaveBeenCalledTimes(2);
    leave();
    vi.unstubAllGlobals();
  });

  // spec: 7.cache.02
  it('is kept for 3600 s after nobody looks at it any more', async () => {
    const { query } = asked();
    await visit(query);
    await vi.advanceTimersByTimeAsync(3599 * SECOND);
    expect(await visit(query)).toBe('answer');
    await vi.advanceTimersByTimeAsync(3601 * SECOND);
    expect(await visit(query)).toBeUndefined();
  });
});

// spec: 7.cache.03 (assets; zones and areas come with their screens)
it('an asset is asked for each time it is opened: nothing of it is kept', async () => {
  const ask = vi.fn(async () => answered('getThing.ok', rowAt('a', 0)));
  vi.stubGlobal('fetch', ask);
  await visit(thingQuery('a'));
  await vi.advanceTimersByTimeAsync(1);
  expect(queries.getQueryData(thingQuery('a').queryKey)).toBeUndefined();
  await visit(thingQuery('a'));
  expect(ask).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});

// spec: 7.cache.02
it('the types are asked for once in an hour', async () => {
  const ask = vi.fn(async () => replayed('listThingTypes.ok'));
  vi.stubGlobal('fetch', ask);
  await visit(typesQuery);
  await vi.advanceTimersByTimeAsync(3599 * SECOND);
  await visit(typesQuery);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3601 * SECOND);
  await visit(typesQuery);
  expect(ask).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});
