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

it('refuses what has no end', () => {
  const reader = createEventReader(() => undefined, 100);
  expect(() => reader('x'.repeat(101))).toThrow(RangeError);
  const lines = createEventReader(() => undefined, 100);
  expect(() => {
    for (;;) lines('data: 0123456789\n');
  }).toThrow('an event is too long');
});
