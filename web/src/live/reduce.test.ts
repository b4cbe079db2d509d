import { describe, expect, it } from 'vitest';
import type { WireMessage } from '~/api';
import { streamed } from '~/api/recorded';
import { Status } from '~/model/status';
import { goneThing } from '~/model/testing';
import { Picture } from './picture';
import { mergeRows, reduceMessages } from './reduce';
import { pointAt, rowAt, seeded, shuffled, T0 } from './testing';

const NOW = T0 + 60_000;

function pictureOf(...ids: string[]): Picture {
  const picture = new Picture();
  mergeRows(
    picture,
    ids.map(id => rowAt(id, 0)),
    T0,
    NOW,
  );
  return picture;
}

const thingOf = (picture: Picture, id: string) => {
  const thing = picture.things.get(id);
  if (!thing) throw new Error(`no ${id}`);
  return thing;
};

describe('reduce', () => {
  it('takes the newer report and leaves the older', () => {
    const picture = pictureOf('a');
    reduceMessages(picture, [pointAt('a', 5000), pointAt('a', 3000)], NOW);
    expect(thingOf(picture, 'a')).toMatchObject({ speed: 5, street: 'street 5000', runPointsCount: 5000 });
    const before = thingOf(picture, 'a');
    const changes = reduceMessages(picture, [pointAt('a', 4000)], NOW);
    expect(thingOf(picture, 'a')).toBe(before);
    expect(changes.before.size).toBe(0);
  });

  it('gives the same state for any order of the same messages', () => {
    const random = seeded(42);
    for (let round = 0; round < 100; round++) {
      const ids = ['a', 'b', 'c'];
      const messages: WireMessage[] = [];
      for (const id of ids) {
        for (let i = 0; i < 8; i++) {
          const ms = 1000 + i * 1000 + Math.floor(random() * 900);
          const accuracy = random() < 0.3 ? 500 : 4;
          if (random() < 0.3) messages.push({ ...pointAt(id, ms, { accuracy }), type: 'heartbeat' });
          else messages.push(pointAt(id, ms, { accuracy }));
        }
        messages.push({
          type: 'thing',
          thing: rowAt(id, 4500 + Math.floor(random() * 99), { version: 9, nickname: `new ${id}` }),
        });
      }
      const states = [messages, shuffled(messages, random), shuffled(messages, random)].map(order => {
        const picture = pictureOf(...ids);
        for (const m of order) reduceMessages(picture, [m], NOW);
        return ids.map(id => thingOf(picture, id));
      });
      expect(states[1]).toEqual(states[0]);
      expect(states[2]).toEqual(states[0]);
    }
  });

  it('is the same whether the list row or the reports come first', () => {
    const messages = [pointAt('x', 5000), pointAt('x', 2000, { accuracy: 900 }), pointAt('x', 3000)];
    const first = new Picture();
    mergeRows(first, [rowAt('x', 1000)], T0, NOW);
    reduceMessages(first, messages, NOW);
    const late = new Picture();
    reduceMessages(late, messages, NOW);
    expect(late.things.size).toBe(0);
    mergeRows(late, [rowAt('x', 1000)], T0, NOW);
    expect(late.things.get('x')).toEqual(first.things.get('x'));
  });

  // spec: 4.live.01, 4.live.02, 9.limits.25
  it('keeps the position when a report is not accurate enough', () => {
    const picture = pictureOf('a');
    const before = thingOf(picture, 'a');
    reduceMessages(picture, [pointAt('a', 5000, { accuracy: 101 })], NOW);
    expect(thingOf(picture, 'a')).toMatchObject({
      lat: before.lat,
      lng: before.lng,
      at: before.at,
      heartbeatAt: T0 + 5000,
    });
    reduceMessages(picture, [pointAt('a', 6000, { accuracy: 31, station_id: 's' })], NOW);
    expect(thingOf(picture, 'a').lat).toBe(before.lat);
    reduceMessages(picture, [pointAt('a', 7000, { accuracy: 31 })], NOW);
    expect(thingOf(picture, 'a').lat).toBe(39.007);
  });

  // spec: 4.live.03, 4.live.04, 4.status.16
  it('makes a thing active with an active closure and standby after it', () => {
    const on = streamed('heartbeat.board_on');
    const [closure] = on.live.closures;
    const picture = pictureOf(on.live.id);
    reduceMessages(picture, [on], NOW);
    expect(closure).toBeDefined();
    expect(thingOf(picture, on.live.id)).toMatchObject({
      status: Status.ACTIVE,
      activeClosures: [{ id: closure?.id, wzdxId: closure?.external_id }],
    });
    reduceMessages(picture, [streamed('heartbeat.board_off')], NOW);
    expect(thingOf(picture, on.live.id)).toMatchObject({ status: Status.STANDBY, activeClosures: [] });
  });

  // spec: 7.stream.04
  it('adds and removes assets by the admin feed', () => {
    const picture = pictureOf('a');
    reduceMessages(picture, [{ type: 'admin', action: 'added', thing: rowAt('b', 0) }], NOW);
    expect([...picture.things.keys()]).toEqual(['a', 'b']);
    reduceMessages(picture, [{ type: 'admin', action: 'removed', thing: rowAt('a', 0) }], NOW);
    expect([...picture.things.keys()]).toEqual(['b']);
  });

  it('does not let an older list row bring back what the stream took away', () => {
    const picture = pictureOf('a');
    reduceMessages(picture, [{ type: 'admin', action: 'removed', thing: rowAt('a', 0) }], NOW);
    reduceMessages(picture, [pointAt('a', 90_000)], NOW);
    mergeRows(picture, [rowAt('a', 0)], NOW - 1, NOW);
    expect(picture.things.size).toBe(0);
    mergeRows(picture, [rowAt('a', 0)], NOW + 1, NOW);
    expect(picture.things.size).toBe(1);
  });

  // spec: 7.cache.01, 4.list.03
  it('merges an incremental answer: one row changes, others stay, deleted ones go', () => {
    const picture = pictureOf('a', 'b', 'c');
    const b = thingOf(picture, 'b');
    mergeRows(picture, [rowAt('a', 0, { version: 4, nickname: 'Engine 9' }), goneThing('c')], T0 + 5, NOW);
    expect(thingOf(picture, 'a').primaryDisplayName).toBe('Engine 9');
    expect(thingOf(picture, 'b')).toBe(b);
    expect(picture.things.has('c')).toBe(false);
  });

  it('never lets an older profile or a compact row replace a newer one', () => {
    const picture = pictureOf('a');
    mergeRows(picture, [rowAt('a', 1, { version: 2, nickname: 'Old' })], T0, NOW);
    expect(thingOf(picture, 'a').nickname).toBe('Ladder 1');
  });
});
