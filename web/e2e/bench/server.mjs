// Builds the benchmark's page as the web app is built, so that what is measured is what is shipped, and serves it with
// map tiles from PMTiles files: base from public/map/base.pmtiles, region from the file LIGHTBAR_TILES names.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PMTiles } from 'pmtiles';
import { build, preview } from 'vite';

const here = path => fileURLToPath(new URL(path, import.meta.url));

/** Reads ranges of a file the way pmtiles wants them. */
class FileSource {
  constructor(path, handle) {
    this.path = path;
    this.handle = handle;
  }

  getKey() {
    return this.path;
  }

  async getBytes(offset, length) {
    const buffer = new Uint8Array(length);
    const { bytesRead } = await this.handle.read(buffer, 0, length, offset);
    return { data: buffer.buffer.slice(0, bytesRead) };
  }
}

async function openTiles(path) {
  if (!path) return null;
  try {
    return new PMTiles(new FileSource(path, await open(path)));
  } catch {
    return null;
  }
}

function tilesPlugin(archives) {
  return {
    name: 'tiles',
    configurePreviewServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const match = /^\/map\/(base|region)\/(\d+)\/(\d+)\/(\d+)\.mvt/.exec(request.url ?? '');
        if (!match) return next();
        const [, name, z, x, y] = match;
        const tile = await archives[name]?.getZxy(Number(z), Number(x), Number(y));
        if (!tile) {
          response.statusCode = 204;
          return response.end();
        }
        response.setHeader('Content-Type', 'application/vnd.mapbox-vector-tile');
        return response.end(Buffer.from(tile.data)); // pmtiles has unpacked it
      });
    },
  };
}

/** Builds the page, starts the server; answers its address and a stop function. */
export async function serve(port) {
  const archives = {
    base: await openTiles(here('../../public/map/base.pmtiles')),
    region: await openTiles(process.env.LIGHTBAR_TILES),
  };
  const outDir = await mkdtemp(join(tmpdir(), 'lightbar-bench-'));
  const config = { root: here('../..'), configFile: here('../../vite.config.ts'), logLevel: 'error' };
  const input = here('drawing.html');
  await build({ ...config, build: { outDir, emptyOutDir: true, copyPublicDir: false, rollupOptions: { input } } });
  const server = await preview({
    ...config,
    build: { outDir },
    preview: { port, strictPort: true, proxy: {} },
    plugins: [tilesPlugin(archives)],
  });
  return {
    url: `http://localhost:${port}/e2e/bench`,
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
  ],
};
