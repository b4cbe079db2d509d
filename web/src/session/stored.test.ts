import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parsePreferences } from './preferences';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  name => /\.tsx?$/.test(name) && !/\.test\.|fakes|testing/.test(name),
);

// spec: 9.open.03
it('the browser keeps the preferences of the requirements and ours, each of them documented', () => {
  const decisions = readFileSync('../docs/decisions.md', 'utf8');
  const said = /What a browser keeps.*?\n(?=\d+\. |$)/s.exec(decisions)?.[0] ?? '';
  const named = [...said.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  for (const name of Object.keys(parsePreferences(undefined))) expect(named).toContain(name);
  const keys = sources.flatMap(path => [...readFileSync(`src/${path}`, 'utf8').matchAll(/'(lightbar\.\w+)'/g)]);
  const kept = [...new Set(keys.map(([, key]) => key ?? ''))].filter(key => !LOCKS.includes(key));
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.filter(key => !said.includes(`\`${key}\``))).toEqual([]);
});

/** Names of locks and channels between tabs: they keep nothing. */
const LOCKS = ['lightbar.refresh'];
