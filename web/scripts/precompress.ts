import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What shrinks; fonts and pictures are compressed already, index.html gets a nonce with each answer. */
const SHRINKS = /\.(js|mjs|css|svg|json|geojson)$/;
/** Below this an answer fits into one packet anyway. */
const WORTH_BYTES = 1024;

/** Puts name.br and name.gz beside each built file, so that the server sends the best without any work. */
export function precompress(): Plugin {
  let folder = 'dist';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !SHRINKS.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const data = await readFile(file);
        if (data.length < WORTH_BYTES) continue;
        const quality = {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
        };
        await writeFile(`${file}.br`, brotliCompressSync(data, quality));
        await writeFile(`${file}.gz`, gzipSync(data, { level: 9 }));
      }
    },
  };
}
