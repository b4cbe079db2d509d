// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { texts } from '~/api';
import { replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { stubBrowser } from '~/lib/testing';
import { T0 } from '~/live/testing';
import type { MapControl } from '~/map/types';
import { host, reload, says, see, stageSection, text } from '~/section/testing';
import { mapHolder } from '~/section/view';
import { fed, load, open, wireClosure } from './testing';

stageSection('o1');

let zoom = 16;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  vi.stubGlobal('fetch', async () => replayed('getClosure.not_found'));
  mapHolder.set({
    subscribe: () => () => undefined,
    getState: () => ({ zoom }),
    view: () => null,
    aim: () => undefined,
    select: () => undefined,
    on: () => () => undefined,
    openDrawing: () => new Promise(() => undefined),
  } as unknown as MapControl);
});

const onPhone = (is: boolean) =>
  stubBrowser(() => (is ? { width: 390, pointer: 'coarse' } : { width: 1440, pointer: 'fine' }));
const labels = () => [...host.querySelectorAll('a, button')].map(e => e.getAttribute('aria-label') ?? e.textContent);

// spec: 2.route.08 2.route.09 6.req.08 6.closure.01 6.closure.02
it.each([
  [false, 'closure:create', '/dashboard/closures/new', true],
  [false, 'closure:manage', '/dashboard/closures/new', true],
  [false, 'mobile:closure:create', '/dashboard/closures/new', false],
  [true, 'mobile:closure:create', '/dashboard/closures/new', true],
  [true, 'mobile:closure:manage', '/dashboard/closures/new', true],
  [true, 'closure:manage', '/dashboard/closures/new', false],
  [false, 'closure:update', '/dashboard/closures/c1/edit', true],
  [false, 'mobile:closure:update', '/dashboard/closures/c1/edit', false],
  [true, 'mobile:closure:update', '/dashboard/closures/c1/edit', true],
  [true, 'closure:update', '/dashboard/closures/c1/edit', false],
])('on a phone: %s, with %s, %s opens: %s', async (phone, permission, path, opens) => {
  onPhone(phone);
  load(wireClosure('c1'));
  await open(path, '', ['closure:read', permission]);
  await see(() => expect(text()).not.toBe(''));
  await see(() => expect(text().includes(texts.chrome.forbidden)).toBe(!opens));
});

// spec: 9.map.01
it.each([
  [false, 'closure:create', true],
  [false, 'mobile:closure:create', false],
  [true, 'mobile:closure:create', true],
  [true, 'closure:create', false],
])('on a phone: %s, %s is led to the new closure: %s', async (phone, permission, isLed) => {
  onPhone(phone);
  zoom = 15.5;
  await open('/dashboard/closures', 'Closures', ['closure:read', permission]);
  expect(labels().includes('+ Add')).toBe(isLed);
  reload();
  zoom = 15.4;
  await open('/dashboard/closures', 'Closures', ['closure:read', permission]);
  expect(labels().includes('Zoom to Add')).toBe(isLed);
});

it('leads to the edit of what is managed here, and of nothing else', async () => {
  onPhone(false);
  load(wireClosure('c1'), wireClosure('c2', fed));
  await open('/dashboard/closures/c1', 'Lanes', ['closure:read', 'closure:update']);
  expect(labels()).toContain('Edit Closure');
  reload();
  await open('/dashboard/closures/c2', 'Managed by WZDx feed', ['closure:read', 'closure:update']);
  expect(labels()).not.toContain('Edit Closure');
  reload();
  await open('/dashboard/closures/c1', 'Lanes', ['closure:read']);
  expect(labels()).not.toContain('Edit Closure');
  await says('Last Changed');
});
