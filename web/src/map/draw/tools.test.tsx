// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { DrawTools } from './DrawTools';
import { Drawing } from './drawing';

let root: Root;
let drawing: Drawing;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  drawing = new Drawing(
    { kind: 'polygon' },
    {
      middle: () => null,
      aim: () => undefined,
      reveal: () => undefined,
      say: () => undefined,
      closed: () => undefined,
    },
  );
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => root.render(<DrawTools drawing={drawing} />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const bar = () => document.querySelector<HTMLElement>('[role=toolbar]');
const all = () => [...(bar()?.querySelectorAll('button') ?? [])];
const words = (one: Element | null) => one?.getAttribute('aria-label') ?? one?.textContent;
const stops = () => all().filter(one => one.tabIndex === 0);
const key = async (name: string) => {
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  });
  return words(document.activeElement);
};

describe('the toolbar of what is drawn', () => {
  it('is one stop of the Tab key, and arrows go through it and round', async () => {
    expect(stops().map(words)).toEqual(['Undo']);
    await act(async () => all()[0]?.focus());
    const heard: unknown[] = [];
    for (const name of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'ArrowLeft', 'Home'])
      heard.push(await key(name));
    expect(heard).toEqual(['Redo', 'Delete point', 'Redo', 'Points', 'Undo', 'Points', 'Undo']);
    await key('ArrowRight');
    expect(stops().map(words)).toEqual(['Redo']);
    // What is drawn draws the tools anew: the stop stays.
    await act(async () => drawing.move(0, { lat: 39.74, lng: -75.54 }));
    expect(stops().map(words)).toEqual(['Redo']);
  });
});

describe('what is typed and cannot be read', () => {
  const field = () => document.querySelector<HTMLInputElement>('input');
  const type = (text: string) =>
    act(async () => {
      const input = field();
      input?.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const leave = () => act(async () => field()?.blur());
  const refusal = () => document.body.textContent?.includes('Enter a latitude and a longitude');

  it('leads back to its field and holds up a save, until it is mended or taken back', async () => {
    await act(async () => drawing.move(0, { lat: 39.74, lng: -75.54 }));
    expect(drawing.isHeld()).toBe(false);
    await type('91, 0');
    await leave();
    expect(refusal()).toBe(true);
    expect(drawing.isHeld()).toBe(true);
    expect(document.activeElement).toBe(field());
    await key('Escape');
    expect(field()?.value).toBe('39.74, -75.54');
    expect([refusal(), drawing.isHeld()]).toEqual([false, false]);
    await type('');
    await leave();
    expect(drawing.isHeld()).toBe(true);
    await type('39.75, -75.54');
    await leave();
    expect(drawing.isHeld()).toBe(false);
    expect(drawing.state.get().draft.points).toEqual([{ lat: 39.75, lng: -75.54 }]);
  });

  it('goes with the list that it stands in', async () => {
    await act(async () => drawing.move(0, { lat: 39.74, lng: -75.54 }));
    await type('nowhere');
    await leave();
    await act(async () => document.querySelector<HTMLElement>('[aria-label=Points]')?.click());
    expect([field(), drawing.isHeld()]).toEqual([null, false]);
  });
});
