// vi.waitFor gives up after a second, which a busy machine may need for one
// render. The limit only guards against hanging, so it is a minute everywhere.
import { vi } from 'vitest';

const waitFor = vi.waitFor;
vi.waitFor = (check, options) =>
  waitFor(check, { interval: typeof options === 'object' ? (options.interval ?? 20) : 20, timeout: 60_000 });
