#!/usr/bin/env node
// Counts the requirements (docs/requirements) that a test names, by group, and refuses an id, a group, or a page that does not exist.
// Usage: node scripts/spec.mjs [--missing]   (--missing lists those that no test names)
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = 'docs/requirements';
const statements = new Map(); // id → statement, in the order of the pages
const known = new Set(); // ids, groups, and pages
for (const page of readdirSync(FOLDER).sort()) {
  for (const [, id, statement] of readFileSync(`${FOLDER}/${page}`, 'utf8').matchAll(/^- \*\*([0-9D]\.[a-z]\w*\.\d\d)\*\* \((?:web|server|both)\) (.+)$/gm)) {
    if (statements.has(id)) throw new Error(`${page}: ${id} stands twice`);
    statements.set(id, statement);
    const [first, group] = id.split('.');
    for (const name of [id, `${first}.${group}`, first]) known.add(name);
  }
}

const TESTS = /(_test\.go|\.test\.tsx?|\.e2e\.ts|\/testdata\/.*\.txt)$/;
const CODE = /\.(go|tsx?|css|mjs|sh|sql|json|md)$/;
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .trim()
  .split('\n')
  .filter(file => existsSync(file) && !file.startsWith('recordings/') && !file.startsWith(FOLDER)); // one that was moved is listed until it is committed
const named = new Set();
const unknown = [];
const look = (file, id) => known.has(id) || unknown.push(`${file}: there is no requirement ${id}`);
for (const file of files) {
  const isTest = TESTS.test(file);
  if (!isTest && !CODE.test(file)) continue;
  const text = readFileSync(file, 'utf8');
  if (isTest) {
    for (const [id] of text.matchAll(/\b[0-9D]\.[a-z]\w*\.\d\d\b/g)) {
      named.add(id);
      look(file, id);
    }
  }
  for (const [, list] of text.matchAll(/\b[Rr]equirements? ((?:[0-9D](?:\.[a-z]\w*(?:\.\d\d)?)?\b(?:, | and )?)+)/g)) {
    for (const id of list.split(/, | and /)) if (id !== '') look(file, id);
  }
}

const without = [...statements].filter(([id]) => !named.has(id));
if (process.argv.includes('--missing')) {
  for (const [id, statement] of without) console.log(`${id}\t${statement}`);
} else {
  const groups = new Map();
  for (const id of statements.keys()) {
    const group = id.slice(0, id.lastIndexOf('.'));
    const [have, all] = groups.get(group) ?? [0, 0];
    groups.set(group, [have + (named.has(id) ? 1 : 0), all + 1]);
  }
  for (const [group, [have, all]] of groups) console.log(`${group.padEnd(14)} ${String(have).padStart(3)} of ${String(all).padStart(3)}`);
}
console.log(`${statements.size - without.length} of ${statements.size} statements are named by tests`);
if (unknown.length > 0) {
  console.error([...new Set(unknown)].join('\n'));
  process.exit(1);
}
