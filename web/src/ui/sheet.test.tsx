// @vitest-environment jsdom
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sheet, useFullSheet } from './Sheet';
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
