// vi.waitFor gives up after a second, which a busy machine may need for one
// render. The limit only guards against hanging, so it is a minute everywhere.
import { afterAll, vi } from 'vitest';

const waitFor = vi.waitFor;
vi.waitFor = (check, options) =>
  waitFor(check, { interval: typeof options === 'object' ? (options.interval ?? 20) : 20, timeout: 60_000 });

// A screen may still load a part of itself when its test has seen enough: a file ends when nothing loads anymore,
// else vitest tears the environment down under the import and the whole run fails.
afterAll(() => vi.dynamicImportSettled());
