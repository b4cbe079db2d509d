import { describe, expect, it, vi } from 'vitest';
import { chunk, fetchParts } from './chunk';

describe('the parts of the app', () => {
  it('come before anybody asks for them, each once, with those that they name', async () => {
    const inner = vi.fn(() => Promise.resolve('inner'));
    const outer = vi.fn(async () => {
      chunk(inner);
      return 'outer';
    });
    const asked = chunk(vi.fn(() => Promise.resolve('asked before')));
    await asked();
    chunk(outer);
    await fetchParts();
    await fetchParts();
    expect(outer).toHaveBeenCalledTimes(1);
    expect(inner).toHaveBeenCalledTimes(1);
  });

  it('are tried again when they did not come, and none keeps the others away', async () => {
    const lost = vi.fn(() => Promise.reject<string>(new TypeError('Importing a module script failed.')));
    const other = vi.fn(() => Promise.resolve('other'));
    chunk(lost);
    chunk(other);
    await fetchParts();
    expect(lost).toHaveBeenCalledTimes(1);
    expect(other).toHaveBeenCalledTimes(1);
    lost.mockImplementation(() => Promise.resolve('back'));
    await fetchParts();
    await fetchParts();
    expect(lost).toHaveBeenCalledTimes(2);
    expect(other).toHaveBeenCalledTimes(1);
  });
});
