// @vitest-environment jsdom
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WireThing } from '~/api';
import { liveStore } from '~/live';
import { rowAt, T0 } from '~/live/testing';
import { ToastRegion } from '~/ui/Toast';
import { announceArrivals } from './arrivals';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('has a polite region say who has come on scene, those of three seconds in one sentence', async () => {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  await act(async () => root.render(createElement(ToastRegion)));
  const said = () => host.querySelector('.visually-hidden[aria-live="polite"]')?.textContent;
  const names = ['Engine 4', 'Medic 2', 'Ladder 1', 'Tow 9', 'Unit 20'];
  const rows = (status: WireThing['status'], ...chosen: string[]) =>
    chosen.map(nickname => rowAt(nickname, 1, { nickname, status }));
  const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
  liveStore.reset('o1');
  liveStore.applyRows(rows('active', ...names), T0, T0, true);
  const stop = announceArrivals();
  const arrive = (...chosen: string[]) => liveStore.applyRows(rows('active_location', ...chosen), T0, T0, false);
  arrive('Engine 4');
  await pass(2999);
  expect(said()).toBe('');
  await pass(1);
  expect(said()).toBe('Engine 4 on scene');
  liveStore.applyRows(rows('active', ...names), T0, T0, true);
  for (const name of names) {
    arrive(name);
    await pass(500);
  }
  await pass(3000);
  expect(said()).toBe('Engine 4, Medic 2, Ladder 1, and 2 more on scene');
  stop();
  liveStore.applyRows(rows('active', 'Tow 9'), T0, T0, true);
  arrive('Tow 9');
  await pass(5000);
  expect(said()).toBe('Engine 4, Medic 2, Ladder 1, and 2 more on scene');
  await act(async () => root.unmount());
  host.remove();
});
