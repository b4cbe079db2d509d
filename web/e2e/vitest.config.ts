import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Journeys on which no map is drawn, but for a moment. */
const PAGES = ['accounts', 'closureask', 'office', 'public', 'secondfactor', 'setup', 'sso'].map(
  name => `${name}.e2e.ts`,
);

// Browser journeys on the real binary, two files at a time: they wait for answers more than for the processor, also with
// a map, which is drawn in a sixteenth of its pixels.
export default defineConfig({
  root: here('.'),
  resolve: { alias: { '@catalog': here('../../catalog'), '~': here('../src') } },
  test: {
    environment: 'node',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: PAGES,
          globalSetup: here('./once.ts'),
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'map',
          include: ['*.e2e.ts'],
          exclude: PAGES,
          globalSetup: here('./once.ts'),
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
