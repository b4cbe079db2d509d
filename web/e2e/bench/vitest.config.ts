import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The map alone in a browser, without the server: npx vitest run --config e2e/bench/vitest.config.ts
export default defineConfig({
  root: here('.'),
  resolve: { alias: { '@catalog': here('../../../catalog'), '~': here('../../src') } },
  test: {
    include: ['*.smoke.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
