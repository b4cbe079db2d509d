// @vitest-environment jsdom
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sheet, useFullSheet, useMapInSight } from './Sheet';
import { type SheetStop, sheetHeight } from './sheetStops';

let root: Root;
let page: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

const ROOM = 800;

function Form() {
  useFullSheet();
  return <form />;
}

function Phone({ isEditing }: { isEditing: boolean }) {
  const [stop, setStop] = useState<SheetStop>('peek');
  return (
    <Sheet label="Live" stop={stop} onStop={setStop} available={ROOM}>
      {isEditing ? <Form /> : <p>list</p>}
    </Sheet>
  );
}

const height = () => page.querySelector('section')?.style.height;

it('a form takes the whole sheet, which rests afterwards where it did', async () => {
  await act(async () => root.render(<Phone isEditing={false} />));
  expect(height()).toBe(`${sheetHeight('peek', ROOM)}px`);
  await act(async () => root.render(<Phone isEditing />));
  expect(height()).toBe(`${sheetHeight('full', ROOM)}px`);
  await act(async () => root.render(<Phone isEditing={false} />));
  expect(height()).toBe(`${sheetHeight('peek', ROOM)}px`);
});

it('on a larger screen there is no sheet to take', async () => {
  await act(async () => root.render(<Form />));
  expect(page.querySelector('form')).not.toBeNull();
});

function Detail() {
  useMapInSight();
  return <p>detail</p>;
}

function Opened({ isOpen }: { isOpen: boolean }) {
  const [stop, setStop] = useState<SheetStop>('full');
  return (
    <Sheet label="Live" stop={stop} onStop={setStop} available={ROOM}>
      {isOpen ? <Detail /> : <p>list</p>}
    </Sheet>
  );
}

it('a detail that is opened from the full sheet leaves the map in sight; afterwards the sheet is full again', async () => {
  await act(async () => root.render(<Opened isOpen />));
  expect(height()).toBe(`${sheetHeight('half', ROOM)}px`);
  await act(async () => root.render(<Opened isOpen={false} />));
  expect(height()).toBe(`${sheetHeight('full', ROOM)}px`);
});

function Headed() {
  const [stop, setStop] = useState<SheetStop>('peek');
  return (
    <Sheet label="Live" stop={stop} onStop={setStop} available={ROOM}>
      <header data-sheet-head>
        <h1>Live</h1>
        <button type="button">Filters</button>
      </header>
      <p>list</p>
    </Sheet>
  );
}

it('moves by the whole head of its screen, but not by what stands there to be pressed, nor by the rest', async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  page.tabIndex = -1; // as the page's main part, which the skip link leads to
  await act(async () => root.render(<Headed />));
  const drag = async (selector: string) => {
    const target = page.querySelector(selector);
    const say = (type: string, clientY: number) =>
      act(async () => void target?.dispatchEvent(new MouseEvent(type, { bubbles: true, clientY })));
    await say('pointerdown', 700);
    await say('pointermove', 400);
    await say('pointerup', 400);
  };
  await drag('header button');
  await drag('p');
  expect(height()).toBe(`${sheetHeight('peek', ROOM)}px`);
  await drag('h1');
  expect(height()).not.toBe(`${sheetHeight('peek', ROOM)}px`);
});
