import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** What no browser asks of a limit: who chose it, and how low it may be set. */
const UNASKED = ['source', 'min', 'css', 'due'];

/** The groups of limits that the app's sources name. */
function named(): Set<string> {
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
  const texts = files.map(name => readFileSync(`${src}${name}`, 'utf8'));
  return new Set(texts.flatMap(text => [...text.matchAll(/\blimits\s*\.\s*(\w+)/g)].map(([, group = '']) => group)));
}

/** Leaves out of the catalog's limits what the app does not read: more than half of the bytes, in the first load of every page. */
export function slimLimits(): Plugin {
  return {
    name: 'slim-limits',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/catalog/limits.json')) return null;
      const groups = named();
      const read = Object.entries(JSON.parse(code) as Record<string, unknown>).filter(([group]) => groups.has(group));
      const slim = (key: string, value: unknown) => (UNASKED.includes(key) ? undefined : value);
      return { code: JSON.stringify(Object.fromEntries(read), slim), map: null };
    },
  };
}
