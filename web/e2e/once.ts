// Prepared once for all journeys of a project: the region's streets, a server, a browser for each worker.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TestProject } from 'vitest/node';
import { launch } from './browser';
import { wantsPictures } from './harness';
import { binary, start } from './process';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder map/ of a data folder, with the region's tiles and roads; undefined without a region. */
    map: string | undefined;
    /** The server that files share, each with organizations of its own. Its map draws no streets, but for pictures. */
    server: { url: string; data: string };
    /** Where the browsers listen, one for each worker: a browser has one clipboard. Its files have contexts of their own. */
    browsers: string[];
  }
}

/** Journeys of all files come from one address, which is many more sign-ins than people make. */
const SETTINGS = { limits: { session: { signInsPerNetworkMinute: 10_000 } } };

/** PMTiles version 3: where the header says the root directory lies, in bytes. */
const ROOT_AT = 8;
const ROOT_LENGTH = 16;

/**
 * The map with tiles of which its directory knows none: where nobody looks at streets they are routed on and searched,
 * not drawn. They take more than half of what software draws in each picture.
 */
function withoutTiles(map: string): string {
  const folder = join(map, 'without-tiles');
  mkdirSync(folder);
  for (const file of ['region.roads', 'region.places']) symlinkSync(join(map, file), join(folder, file));
  const tiles = readFileSync(join(map, 'region.pmtiles'));
  const root = gzipSync(Buffer.from([0]));
  root.copy(tiles, Number(tiles.readBigUInt64LE(ROOT_AT)));
  tiles.writeBigUInt64LE(BigInt(root.length), ROOT_LENGTH);
  writeFileSync(join(folder, 'region.pmtiles'), tiles);
  return folder;
}

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
    start('serve', ['--config', settings], { map: map && !wantsPictures ? withoutTiles(map) : map }),
    Promise.all(workers.map(() => launch())),
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
