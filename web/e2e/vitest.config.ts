import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Browser journeys on the real binary, one browser at a time: two cores draw the map in software.
export default defineConfig({
  root: here('.'),
  resolve: { alias: { '@catalog': here('../../catalog'), '~': here('../src') } },
  test: {
    include: ['**/*.e2e.ts'],
    environment: 'node',
    globalSetup: here('./once.ts'),
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
