// Serves the pages of this folder through vite, with map tiles from PMTiles files:
// base from public/map/base.pmtiles, region from the file LIGHTBAR_TILES names.
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PMTiles } from 'pmtiles';
import { createServer } from 'vite';

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
    configureServer(server) {
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

/** Starts the server; answers its address and a stop function. */
export async function serve(port) {
  const archives = {
    base: await openTiles(here('../../public/map/base.pmtiles')),
    region: await openTiles(process.env.LIGHTBAR_TILES),
  };
  const server = await createServer({
    root: here('../..'),
    configFile: here('../../vite.config.ts'),
    // A changed file must not reload a page that is being measured.
    server: { port, proxy: {}, hmr: false, watch: null },
    cacheDir: here('../../node_modules/.vite-bench'),
    optimizeDeps: { entries: ['e2e/bench/*.html'] },
    logLevel: 'error',
    plugins: [tilesPlugin(archives)],
  });
  await server.listen();
  const header = archives.region ? await archives.region.getHeader() : null;
  const bounds = header && {
    min_lat: header.minLat,
    min_lng: header.minLon,
    max_lat: header.maxLat,
    max_lng: header.maxLon,
  };
  return { url: `http://localhost:${port}/e2e/bench`, bounds, stop: () => server.close() };
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
