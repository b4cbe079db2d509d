import { expect, it } from 'vitest';
import type { WireMessage } from '~/api';
import { broken } from '~/model/testing';
import { parseFrame } from './frame';
import { Picture } from './picture';
import { reduceMessages } from './reduce';
import { pointAt, rowAt, T0 } from './testing';

const frameOf = (...messages: unknown[]) => {
  const entries = messages.map((message, offset) => ({ offset, message }));
  const frame = parseFrame(JSON.stringify({ identifier: '{}', messages: entries, stream_id: 's', epoch: 'e' }));
  if (frame.type !== 'data') throw new Error(`it is ${frame.type}`);
  return frame;
};

const thing = (more: object) => ({ type: 'thing', thing: { ...rowAt('bad', 0), ...more } });
const live = (more: object) => ({ type: 'point', live: { ...rowAt('bad', 0), ...more } });

// spec: 5.data.02
it.each([
  ['closures that are a text', thing({ closures: 'all' })],
  ['closures that are a number', thing({ closures: 3 })],
  ['closures that are texts', thing({ closures: ['c1'] })],
  ['closures of a point that are an object', live({ closures: { id: 'c1' } })],
  ['a latitude that is a text', live({ lat: '39.5' })],
  ['relations that are a text', thing({ organization_relationships: 'none' })],
  ['no id', { type: 'thing', thing: { nickname: 'x' } }],
  [
    'a location whose assets are a text',
    { type: 'location', location: { id: 'l', lat: 1, lng: 2, things_active: 'a' } },
  ],
])('a message with %s is ignored, and the others of its frame live', (_, malformed) => {
  const { messages, position } = frameOf(malformed, { type: 'thing', thing: rowAt('good', 0) });
  expect(messages.map(message => ('thing' in message ? message.thing.id : ''))).toEqual(['good']);
  expect(position).toEqual({ epoch: 'e', offset: 1 });
});

// spec: 5.data.02
it('a message that cannot be read costs itself, not the batch of its second', () => {
  const picture = new Picture();
  const odd = broken<WireMessage>({ type: 'thing', thing: { ...rowAt('odd', 0), nickname: 7 } });
  const good: WireMessage = { type: 'thing', thing: rowAt('good', 0) };
  reduceMessages(picture, [odd, good, pointAt('good', 1000)], T0);
  expect([...picture.things.keys()]).toEqual(['good']);
  expect(picture.things.get('good')?.street).toBe('street 1000');
});
