// @vitest-environment jsdom
import { act, Profiler, useCallback } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowser } from '~/lib/testing';
import { liveStore, useCounts, useThing, useVisibleIds } from '~/live';
import { pointAt, rowAt, T0 } from '~/live/testing';
import { defaultFilter } from '~/model/filter';
import { wordsOf } from '~/model/organization';
import { VirtualList } from '~/ui';
import { ThingRow } from './ThingRow';

const words = wordsOf({
  id: '',
  name: '',
  timezone: 'UTC',
  countryCode: 'US',
  respondersType: 'some',
  eventWording: 'default',
});
const ROWS = 5000;

let root: Root;
let host: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  stubBrowser();
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(650);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(400);
  liveStore.reset('org-1');
  liveStore.setFilter(defaultFilter(true));
  const rows = Array.from({ length: ROWS }, (_, i) =>
    rowAt(`id-${i}`, 0, { nickname: `Unit ${String(i).padStart(5, '0')}` }),
  );
  liveStore.applyRows(rows, T0, T0, true);
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
  vi.unstubAllGlobals();
});

const renders = { list: 0, rows: 0, counts: 0 };

function Counts() {
  renders.counts++;
  return <b>{useCounts().online}</b>;
}

function One() {
  return <i>{useThing('id-7')?.primaryDisplayName ?? 'gone'}</i>;
}

function List() {
  renders.list++;
  const keys = useVisibleIds();
  const height = useCallback(() => 65, []);
  const renderRow = useCallback(
    (id: string) => (
      <Profiler id={id} onRender={() => renders.rows++}>
        <ThingRow id={id} words={words} />
      </Profiler>
    ),
    [],
  );
  return <VirtualList label="Assets" keys={keys} rowHeight={height} renderRow={renderRow} />;
}

const flush = (...messages: Parameters<typeof liveStore.applyMessages>[0]) =>
  act(() => liveStore.applyMessages(messages, T0 + 5000));

describe('rendering', () => {
  // spec: 2.things.08, 4.stream.02
  it('holds only rows in sight, and a message renders its row and never the list', () => {
    act(() => root.render(<List />));
    const inDom = host.querySelectorAll('[role="row"]').length;
    expect(inDom).toBeGreaterThan(9);
    expect(inDom).toBeLessThan(40);
    renders.list = 0;
    renders.rows = 0;

    flush(pointAt('id-3', 1000, { street: 'Elm St', status: 'active' }));
    expect(renders).toMatchObject({ list: 0, rows: 1 });
    expect(host.textContent).toContain('Elm St');

    flush(...Array.from({ length: 100 }, (_, i) => pointAt(`id-${4000 + i}`, 1000, { status: 'active' })));
    expect(renders).toMatchObject({ list: 0, rows: 1 });

    flush(pointAt('id-4999', 2000, { status: 'active_location' }));
    expect(renders.list).toBeGreaterThan(0);
    expect(host.querySelector('[role="row"]')?.textContent).toContain('Unit 04999');
  });

  it('does not render counts for a message that changes none', () => {
    renders.counts = 0;
    act(() => root.render(<Counts />));
    flush(pointAt('id-1', 1000));
    expect(renders.counts).toBe(1);
    flush(pointAt('id-1', 2000, { status: 'offline' }));
    expect(renders.counts).toBe(2);
    expect(host.textContent).toBe(String(ROWS - 1));
  });

  it('shows nothing for an asset that has gone', () => {
    act(() => root.render(<One />));
    expect(host.textContent).toBe('Unit 00007');
    flush({ type: 'admin', action: 'removed', thing: rowAt('id-7', 0) });
    expect(host.textContent).toBe('gone');
  });

  // spec: 4.status.09
  it('marks a row out of service', () => {
    act(() =>
      liveStore.applyRows([rowAt('id-0', 1, { nickname: 'Plow 2', in_service: false, version: 9 })], T0 + 1, T0, false),
    );
    act(() => root.render(<ThingRow id="id-0" words={words} />));
    expect(host.textContent).toContain('Out-of-Service');
    expect(host.textContent).toContain('Responding');
  });

  // spec: 4.test.01 4.test.02
  it('marks a row in test mode, which then looks like no alert, until the test ends', () => {
    const say = (test_mode: boolean, version: number) =>
      act(() => liveStore.applyMessages([{ type: 'thing', thing: rowAt('id-0', 1, { test_mode, version }) }], T0 + 1));
    act(() => root.render(<ThingRow id="id-0" words={words} />));
    const alert = host.querySelector('svg')?.innerHTML;
    expect(host.textContent).not.toContain('Test Mode');
    say(true, 9);
    expect(host.textContent).toContain('Responding Test Mode');
    expect(host.querySelector('b')?.className).toBe('s-test');
    expect(host.querySelector('svg')?.innerHTML).not.toBe(alert);
    expect(host.querySelector('svg')?.innerHTML).toContain('stroke-dasharray');
    say(false, 10);
    expect(host.textContent).not.toContain('Test Mode');
    expect(host.querySelector('svg')?.innerHTML).toBe(alert);
  });
});
