// @vitest-environment jsdom
import { act, Profiler } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { wireLocation } from '~/model/testing';
import { useRow, useRows } from './hooks';
import { liveStore } from './live';
import { T0 } from './testing';

afterEach(() => {
  vi.unstubAllGlobals();
  liveStore.reset('');
});

function One() {
  return <i>{useRow('location', 'a')?.street}</i>;
}

function All() {
  const streets = useRows('location').map(row => row.street);
  return <b>{streets.join(' ')}</b>;
}

it('renders a row when it changes, and a list when one of its rows does', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const host = document.createElement('div');
  const root = createRoot(host);
  const rendered: string[] = [];
  const note = (id: string) => rendered.push(id);
  act(() =>
    root.render(
      <>
        <Profiler id="one" onRender={note}>
          <One />
        </Profiler>
        <Profiler id="all" onRender={note}>
          <All />
        </Profiler>
      </>,
    ),
  );
  const say = (id: string, street: string, version: number) =>
    act(() => liveStore.applyMessages([{ type: 'location', location: wireLocation({ id, street, version }) }], T0));
  rendered.length = 0;
  say('a', 'Elm', 1);
  expect(rendered.sort()).toEqual(['all', 'one']);
  rendered.length = 0;
  say('b', 'Oak', 1);
  expect(rendered).toEqual(['all']);
  expect(host.textContent).toBe('ElmElm Oak');
  act(() => root.unmount());
});
