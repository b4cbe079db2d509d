// Prepared once for all journeys: the region's streets. To read them takes longer than the rest of a server's start.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder map/ of a data folder, with the region's tiles and roads; undefined without a region. */
    map: string | undefined;
    /** The journeys look at pages more than at the map. */
    isOnPages: boolean;
  }
}

/** Where the binary under test is. */
export function binary(): string {
  const path = process.env.LIGHTBAR_BINARY ?? join(dirname(fileURLToPath(import.meta.url)), '../../bin/lightbar');
  if (!existsSync(path)) throw new Error(`no binary at ${path}: run make build, or set LIGHTBAR_BINARY`);
  return path;
}

export default function prepare(project: TestProject): (() => void) | undefined {
  const region = process.env.LIGHTBAR_REGION;
  if (!region) return undefined;
  const data = mkdtempSync(join(tmpdir(), 'lightbar-region-'));
  execFileSync(binary(), ['map', 'import', region, '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] });
  project.provide('map', join(data, 'map'));
  return () => rmSync(data, { recursive: true, force: true });
}
