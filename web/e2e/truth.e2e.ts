// What stands on the screen says how right it is: a stream that is dropped on its way, a session that has ended, a map
// that the browser draws no more.
import { connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { client, ingest, mapReady, row, type Server, signIn, type Tab, until } from './harness';
import { axe, both } from './look';
import { setScene } from './scene';
import { expectMarksDrawn, findMap, RUNNER, report, sendUnits, UNITS } from './stage';

const scene = setScene();
/** What lies between the pages and the server. */
let way: Awaited<ReturnType<typeof layWay>>;

/** A way to the server that can be cut, and that can drop streams while all else passes. */
async function layWay(to: string) {
  const open = new Set<Socket>();
  const state = { isCut: false, dropsStreams: false };
  const listener = createServer(near => {
    if (state.isCut) return near.destroy();
    near.once('data', first => {
      if (state.dropsStreams && first.toString('latin1').startsWith('GET /cable'))
        return near.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      const far = connect(Number(new URL(to).port), 'localhost');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(one);
        one.on('error', () => other.destroy()).on('close', () => open.delete(one) && other.destroy());
      }
      far.write(first);
      near.pipe(far).pipe(near);
    });
    near.on('error', () => near.destroy());
  });
  await new Promise<void>(resolve => listener.listen(0, 'localhost', resolve));
  const address = listener.address();
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    cut: () => {
      state.isCut = true;
      drop();
    },
    free: () => {
      state.isCut = false;
    },
    dropStreams: (drops: boolean) => {
      state.dropsStreams = drops;
      if (drops) drop();
    },
    end: () => {
      drop();
      listener.close();
    },
  };
}

/** The server by that way. */
const beyond = (): Server => ({ ...scene.server, url: way.url });

const chip = (page: Page, text: string) => page.locator('[data-map]').getByText(text, { exact: true });
const POLLING = 'Updating every 15 seconds';

beforeAll(async () => {
  await sendUnits(scene.server);
  way = await layWay(scene.server.url);
});
afterAll(() => way.end());

const tabs: Tab[] = [];
async function open(options?: Parameters<typeof scene.open>[0]): Promise<Page> {
  const tab = await scene.open(options);
  tabs.push(tab);
  await tab.page.addInitScript({ path: axe });
  return tab.page;
}
afterEach(() => {
  way.dropStreams(false);
  // The browser's own words for a stream that was refused.
  const isOurs = (text: string) => !text.startsWith('console: WebSocket connection to');
  for (const { complaints } of tabs.splice(0)) complaints.splice(0, complaints.length, ...complaints.filter(isOurs));
});

// spec: 9.limits.08
it('a page whose stream is dropped on the way reads what changes, says how often, and streams when it can', async () => {
  way.dropStreams(true);
  const page = await open();
  await signIn(page, beyond());
  await chip(page, POLLING).waitFor();
  const parked = row(page, UNITS[0].name);
  await parked.waitFor();
  await ingest(scene.server, [{ ...report(UNITS[0], 0.004), speed: 15, alerting: true }]);
  await until('the light to be on', async () => /Responding/.test((await parked.textContent()) ?? ''), 17_000);
  await mapReady(page);
  expect(await both(page, 'desktop', 'truth-polling')).toEqual([]);
  expect(await page.getByText(/connection is having trouble/).count()).toBe(0);
  way.dropStreams(false);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await chip(page, 'Live').waitFor();
});

it('on a phone it says so beside the sheet', async () => {
  way.dropStreams(true);
  const page = await open({ size: 'phone' });
  await signIn(page, beyond());
  await chip(page, POLLING).waitFor();
  await mapReady(page);
  expect(await both(page, 'phone', 'truth-polling')).toEqual([]);
});

it('a session that ended while the line was cut leads to the sign-in within 10 s, from every screen', async () => {
  const pages = await Promise.all(
    ['things', 'areas', 'accounts'].map(async section => {
      const page = await open({ size: 'tablet', still: true });
      await signIn(page, beyond(), 'admin', section === 'things' ? undefined : section);
      if (section === 'accounts') await page.getByRole('table').or(page.getByRole('grid')).first().waitFor();
      else await chip(page, 'Live').waitFor();
      return page;
    }),
  );
  const admin = await client(scene.server);
  way.cut();
  await admin.remove('/sessions');
  way.free();
  const from = Date.now();
  // What each page is told counts: on a loaded machine three maps that are drawn in software take their time to go.
  const told = pages.map(async page => {
    await page.waitForResponse(answer => answer.url().includes('/api/') && answer.status() === 401);
    return Date.now() - from;
  });
  await Promise.all(pages.map(page => page.waitForURL(url => url.pathname === '/welcome/signin')));
  expect(Math.max(...(await Promise.all(told)))).toBeLessThan(10_000);
  for (const page of pages) await page.getByText('Session expired. Please log in to Dashboard again.').waitFor();
});

/** Takes the map's graphics away for good. */
const loseForGood = (page: Page) =>
  page.evaluate(() => {
    const canvas = window.map.engineMap()?.getCanvas();
    canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    canvas?.setAttribute('data-lost', '');
  });

it('a map whose graphics are gone is replaced by a new one with the marks of now; where none can be had, a notice stands until it can', async () => {
  const page = await open();
  await signIn(page, scene.server);
  await findMap(page);
  await chip(page, 'Live').waitFor();
  await loseForGood(page);
  await chip(page, 'Map loading').waitFor();
  await page.locator('canvas[data-lost]').waitFor({ state: 'detached' });
  await findMap(page);
  await chip(page, 'Live').waitFor();
  await expectMarksDrawn(page, scene.server);

  await page.evaluate(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
      if (kind === 'webgl2' && !this.isConnected) return null;
      return Reflect.apply(real, this, [kind, ...more]);
    } as typeof real;
    Object.assign(window, { giveBack: () => Object.assign(HTMLCanvasElement.prototype, { getContext: real }) });
  });
  await loseForGood(page);
  await page.getByText('The browser stopped drawing the map. The list has the same assets.').waitFor();
  await chip(page, 'No map').waitFor();
  await page.getByText(/· list as of \d/).waitFor();
  await row(page, RUNNER.name).waitFor();
  expect(await both(page, 'desktop', 'truth-nomap')).toEqual([]);
  await page.evaluate(() => (window as unknown as { giveBack: () => void }).giveBack());
  await findMap(page);
  await chip(page, 'Live').waitFor();
});
