import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const filesOf = (names: string) => names.split(' ').map(name => `${name}.e2e.ts`);

/** Journeys on which no map is drawn, but for a moment; the longest first. */
const PAGES = filesOf('accounts closureask secondfactor office public sso setup');

/** With a map, and longer than half a minute; the longest first. */
const LONG = filesOf(
  'commands watchdog drawing agree drive reports closureform truth entry live mapuse large subscriptions screens mapdrawn hazards mapsearch areas',
);

/**
 * What is long begins, so that at the end no worker has it alone. Vitest knows what earlier runs took; on a new machine
 * it goes by the size of files, which says little.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = [...PAGES, ...LONG];
    const place = ({ moduleId }: TestSpecification) => first.indexOf(basename(moduleId)) + 1 || first.length + 1;
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

// Browser journeys on the real binary, three files at a time: they wait for answers more than for the processor, also with
// a map, which is drawn in a sixteenth of its pixels.
export default defineConfig({
  root: here('.'),
  resolve: { alias: { '@catalog': here('../../catalog'), '~': here('../src') } },
  test: {
    environment: 'node',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: PAGES,
          globalSetup: here('./once.ts'),
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'map',
          include: ['*.e2e.ts'],
          exclude: PAGES,
          globalSetup: here('./once.ts'),
          maxWorkers: 3,
        },
      },
    ],
  },
});
