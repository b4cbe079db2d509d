import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Voice } from './voice';

class Utterance {
  onstart?: () => void;
  onend?: () => void;
  lang = '';
  constructor(readonly text: string) {}
}
let spoken: Utterance[];
const cancel = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  spoken = [];
  vi.stubGlobal('SpeechSynthesisUtterance', Utterance);
  vi.stubGlobal('speechSynthesis', { speak: (one: Utterance) => spoken.push(one), cancel: cancel.mockReset() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const texts = () => spoken.map(one => one.text);

it('says one sentence at a time', () => {
  const voice = new Voice();
  voice.say('Fire truck ahead');
  expect([voice.isFree(), texts()]).toEqual([false, []]); // the tone first
  vi.advanceTimersByTime(400);
  expect(texts()).toEqual(['Fire truck ahead']);
  voice.say('Police ahead');
  spoken[0]?.onstart?.();
  vi.advanceTimersByTime(5000);
  expect(voice.isFree()).toBe(false);
  spoken[0]?.onend?.();
  expect(voice.isFree()).toBe(true);
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual(['Fire truck ahead']);
});

it('drops what has not begun within 3 seconds, and waits for no voice for ever', () => {
  const voice = new Voice();
  voice.say('Fire truck ahead');
  vi.advanceTimersByTime(2999);
  expect(cancel).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([cancel.mock.calls.length, voice.isFree()]).toEqual([1, true]);
  voice.say('Police ahead');
  vi.advanceTimersByTime(400);
  spoken[1]?.onstart?.();
  vi.advanceTimersByTime(12_000);
  expect([cancel.mock.calls.length, voice.isFree()]).toEqual([2, true]);
});

it('is quiet at once', () => {
  const voice = new Voice();
  voice.say('Fire truck ahead');
  voice.hush();
  vi.advanceTimersByTime(5000);
  expect([texts(), voice.isFree()]).toEqual([[], true]);
});

it('does not wait for a voice that is not there', () => {
  vi.stubGlobal('SpeechSynthesisUtterance', undefined);
  Reflect.deleteProperty(globalThis, 'SpeechSynthesisUtterance');
  const voice = new Voice();
  voice.say('Fire truck ahead');
  expect(voice.isFree()).toBe(true);
});
