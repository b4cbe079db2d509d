// An organization that grows over the limit while somebody looks: streamed, polled, streamed again, and the same on the screen.
import limits from '@catalog/limits.json';
import type { Page, WebSocket } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { MapController } from '~/map';
import { client, ingest, register, row, type Server, signIn, until } from './harness';
import { listed, searchOf } from './journey';
import { setScene } from './scene';

const SNAPSHOT = '/api/organization/things/snapshot';
const LIMIT = limits.lists.largeOrganizationThings.value;
/** The demo has assets of its own, which have not been heard and count as well. */
const SMALL = LIMIT - 100;
const GROWN = LIMIT + 1000;
/** The limit of one request is 1 MiB. */
const LOT = 2500;
const HOME = { lat: 39.7391, lng: -75.5398 };
const MOVER = 7;

const scene = setScene();

const systemName = (i: number) => `LG-${String(i).padStart(5, '0')}`;
const nickname = (i: number) => `Grown ${i}`;
const report = (i: number, more: Record<string, unknown> = {}) => ({
  type: 'point',
  asset: systemName(i),
  at: new Date().toISOString(),
  lat: HOME.lat + ((i % 100) - 50) * 0.002,
  lng: HOME.lng + (Math.floor(i / 100) - 30) * 0.003,
  speed: 0,
  accuracy: 4,
  ...more,
});

/** Makes the assets known and has each report once. */
async function grow(server: Server, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += LOT) {
    const numbers = Array.from({ length: Math.min(LOT, to - start) }, (_, k) => start + k);
    await register(
      server,
      numbers.map(i => ({
        haas_id: systemName(i),
        nickname: nickname(i),
        thing_type: 'fire',
        device_type: 'api',
        external_id: `EXT-${i}`,
      })),
    );
    await ingest(
      server,
      numbers.map(i => report(i)),
    );
  }
}

interface Columns {
  id: string[];
  nickname: string[];
}

async function idOf(server: Server, name: string): Promise<string> {
  const columns = await (await client(server)).get<Columns>(
    `/organization/things/snapshot?org_ids%5B%5D=${server.organization}`,
  );
  return columns.id[columns.nickname.indexOf(name)] ?? '';
}

/** Where the mark of an asset stands, and how many marks are drawn. */
const markOf = (page: Page, id: string) =>
  page.evaluate(asset => {
    type Fiber = { return: Fiber | null; memoizedProps: { controller?: MapController } | null };
    const stage = document.querySelector('[data-map="ready"]');
    const key = stage && Object.keys(stage).find(name => name.startsWith('__reactFiber$'));
    let fiber = key ? (stage as unknown as Record<string, Fiber>)[key] : null;
    for (; fiber; fiber = fiber.return) {
      const controller = fiber.memoizedProps?.controller;
      if (controller) return { place: controller.standing.placeOf(asset), drawn: controller.layer.fill.visible };
    }
    return { place: null, drawn: 0 };
  }, id);

const titleOf = async (page: Page) => (await page.getByRole('heading', { level: 1, name: 'Live' }).textContent()) ?? '';
const counts = (n: number) => `Live Assets ${n.toLocaleString('en-US')} / ${n.toLocaleString('en-US')}`;

describe('an organization that becomes large', () => {
  it('is shown whole, followed and searched, whether it is streamed or polled', async () => {
    const { server } = scene;
    await grow(server, 0, SMALL);
    const { page } = await scene.open({ still: true });
    const asked: string[] = [];
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.startsWith('/api/organization/things')) asked.push(`${pathname} ${searchParams.get('page') ?? ''}`);
    });
    const open = new Set<WebSocket>();
    page.on('websocket', socket => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    await signIn(page, server);

    // Streamed: every asset counts, and stands on the map.
    await until('the small organization', async () => (await titleOf(page)) === counts(SMALL));
    await row(page, 'Grown').first().waitFor();
    await until('its stream', () => open.size === 1);
    const id = await idOf(server, nickname(MOVER));
    await until('its marks', async () => (await markOf(page, id)).drawn >= SMALL);
    expect(asked.filter(path => path.startsWith(SNAPSHOT))).toEqual([]);

    // It grows while somebody looks: one answer brings all, and the stream ends.
    await grow(server, SMALL, GROWN);
    await until('the grown organization', async () => (await titleOf(page)) === counts(GROWN));
    await until('the end of the stream', () => open.size === 0);
    await until('all marks', async () => (await markOf(page, id)).drawn >= GROWN);

    // Something moves: the row and the mark follow with the next poll, which is one request.
    await searchOf(page).fill(`ext-${MOVER}`);
    await searchOf(page).fill(`ext-${GROWN - 1}`);
    await row(page, nickname(GROWN - 1)).waitFor();
    expect(await listed(page).count()).toBe(1);
    await searchOf(page).fill(`${nickname(MOVER)}`);
    const mover = row(page, nickname(MOVER)).filter({ hasText: systemName(MOVER) });
    await mover.waitFor();
    asked.length = 0;
    const lat = HOME.lat + 0.5;
    await ingest(server, [report(MOVER, { lat, speed: 15.2, course: 38, alerting: true })]);
    await mover.getByText('Responding').waitFor();
    await mover.getByText(/^NE · 34 mph/).waitFor();
    expect(Math.abs(((await markOf(page, id)).place?.lat ?? 0) - lat)).toBeLessThan(1e-6);
    expect(new Set(asked)).toEqual(new Set([`${SNAPSHOT} `]));

    // Somebody wants it streamed: the next answer says so.
    const boss = await client(server, 'super');
    await boss.put(`/organization/${server.organization}`, { is_large_org: false });
    await until('the stream again', () => open.size === 1);
    await ingest(server, [report(MOVER, { lat: lat + 0.01, speed: 12, course: 90, alerting: true })]);
    await mover.getByText(/^E · 27 mph/).waitFor();
    await searchOf(page).fill('');
    await until('all of it still', async () => (await titleOf(page)) === counts(GROWN));
  });
});
