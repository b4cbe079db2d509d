// Prepared once for all journeys of a project: the region's streets, a server, a browser for each worker.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFor } from './browser';
import { binary, start } from './process';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder map/ of a data folder, with the region's tiles and roads; undefined without a region. */
    map: string | undefined;
    /** The server that files share, each with organizations of its own. */
    server: { url: string; data: string };
    /** Where the browsers listen, one for each worker: a browser has one clipboard. Its files have contexts of their own. */
    browsers: string[];
  }
}

/** Journeys of all files come from one address, which is many more sign-ins than people make. */
const SETTINGS = { limits: { session: { signInsPerNetworkMinute: 10_000 } } };

export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'lightbar-once-'));
  const isOnPages = project.name === 'pages';
  const region = process.env.LIGHTBAR_REGION;
  let map: string | undefined;
  // The world map will do where no map is looked at.
  if (region && !isOnPages) {
    execFileSync(binary(), ['map', 'import', region, '--data', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
    map = join(folder, 'map');
  }
  const settings = join(folder, 'lightbar.json');
  writeFileSync(settings, JSON.stringify(SETTINGS), { mode: 0o600 });
  const workers = Array.from({ length: Number(project.config.maxWorkers) });
  const [server, browsers] = await Promise.all([
    start('serve', ['--config', settings], { map }),
    Promise.all(workers.map(() => chromium.launchServer(chromiumFor(isOnPages)))),
  ]);
  project.provide('map', map);
  project.provide('server', { url: server.url, data: server.data });
  project.provide(
    'browsers',
    browsers.map(browser => browser.wsEndpoint()),
  );
  return async () => {
    await Promise.all(browsers.map(browser => browser.close()));
    const code = await server.stop();
    rmSync(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the server of ${project.name} ended with ${code}:\n${server.log()}`);
  };
}
