import { expect, it } from 'vitest';
import { createEventReader, type StreamEvent } from './eventStream';

function read(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const reader = createEventReader(event => events.push(event));
  for (const piece of pieces) reader(piece);
  return events;
}

const TEXT =
  '\uFEFFretry: 3000\n: hello\nid: 7\nevent: alert\ndata: {"a":\ndata:  1}\n\n\ndata: x\r\n\r\nid\rdata\r\rdata: cut';
const EVENTS = [
  { type: 'alert', data: '{"a":\n 1}', id: '7' },
  { type: 'message', data: 'x', id: '7' },
  { type: 'message', data: '', id: '' },
];

it('reads events whatever pieces they come in', () => {
  expect(read(TEXT)).toEqual(EVENTS);
  expect(read(...TEXT)).toEqual(EVENTS);
  for (let at = 1; at < TEXT.length; at++) expect(read(TEXT.slice(0, at), TEXT.slice(at))).toEqual(EVENTS);
});

it('hears how long to wait', () => {
  const waits: number[] = [];
  const reader = createEventReader(() => undefined, { retry: ms => waits.push(ms) });
  reader('retry: 3000\nretry: soon\nretry:250\n\n');
  expect(waits).toEqual([3000, 250]);
});

it('refuses what has no end', () => {
  const reader = createEventReader(() => undefined, { most: 100 });
  expect(() => reader('x'.repeat(101))).toThrow(RangeError);
  const lines = createEventReader(() => undefined, { most: 100 });
  expect(() => {
    for (;;) lines('data: 0123456789\n');
  }).toThrow('an event is too long');
});
