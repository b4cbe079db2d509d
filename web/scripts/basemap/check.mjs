// Reads a PMTiles file with the reader that browsers use. Input: lines "z x y".
// Output: one line of JSON about the file, then for each input line the tile's
// SHA-256 after unpacking, or "none". Used by the tests of internal/geo.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { PMTiles } from 'pmtiles';

class FileSource {
  constructor(file, name) {
    this.file = file;
    this.name = name;
  }

  getKey() {
    return this.name;
  }

  async getBytes(offset, length) {
    const data = new ArrayBuffer(length);
    const { bytesRead } = await this.file.read(new Uint8Array(data), 0, length, offset);
    return { data: data.slice(0, bytesRead) };
  }
}

const file = await open(process.argv[2]);
const tiles = new PMTiles(new FileSource(file, process.argv[2]));
const header = await tiles.getHeader();
const metadata = await tiles.getMetadata();
const about = { ...header, layers: metadata.vector_layers.map(l => l.id), attribution: metadata.attribution };
process.stdout.write(`${JSON.stringify(about)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const tile = await tiles.getZxy(...line.split(' ').map(Number));
  const sum = tile ? createHash('sha256').update(new Uint8Array(tile.data)).digest('hex') : 'none';
  process.stdout.write(`${line} ${sum}\n`);
}
await file.close();
