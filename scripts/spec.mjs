#!/usr/bin/env node
// Counts the requirements (docs/requirements) that a test names, by group, and refuses an id, a group, or a page that does not exist.
// Usage: node scripts/spec.mjs [--missing]   (--missing lists those that no test names)
// What both sides keep must be named by a test of each; scripts/spec-sides.txt has those that were not when this law came, and may only shrink.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = 'docs/requirements';
const statements = new Map(); // id → statement, in the order of the pages
const both = new Set(); // ids of those that both sides keep
const known = new Set(); // ids, groups, and pages
for (const page of readdirSync(FOLDER).sort()) {
  for (const [, id, side, statement] of readFileSync(`${FOLDER}/${page}`, 'utf8').matchAll(/^- \*\*([0-9D]\.[a-z]\w*\.\d\d)\*\* \((web|server|both)\) (.+)$/gm)) {
    if (statements.has(id)) throw new Error(`${page}: ${id} stands twice`);
    statements.set(id, statement);
    if (side === 'both') both.add(id);
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
const sides = { web: new Set(), server: new Set() }; // which ids a test of each side names; a journey is a test of both
const sidesOf = file => (file.endsWith('.e2e.ts') ? ['web', 'server'] : [/\.tsx?$/.test(file) ? 'web' : 'server']);
const unknown = [];
const look = (file, id) => known.has(id) || unknown.push(`${file}: there is no requirement ${id}`);
for (const file of files) {
  const isTest = TESTS.test(file);
  if (!isTest && !CODE.test(file)) continue;
  const text = readFileSync(file, 'utf8');
  if (isTest) {
    for (const [id] of text.matchAll(/\b[0-9D]\.[a-z]\w*\.\d\d\b/g)) {
      named.add(id);
      for (const side of sidesOf(file)) sides[side].add(id);
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

const SIDES = 'scripts/spec-sides.txt';
const lacking = [...both].flatMap(id => Object.keys(sides).filter(side => !sides[side].has(id)).map(side => `${id} ${side}`));
const excepted = readFileSync(SIDES, 'utf8').split('\n').filter(line => line !== '' && !line.startsWith('#'));
console.log(`${lacking.length} sides of the ${both.size} statements that both sides keep have no test that names them (${SIDES})`);
const wrong = [
  ...new Set(unknown),
  ...lacking.filter(one => !excepted.includes(one)).map(one => `${one}: both sides keep this requirement, and no test of this side names it`),
  ...excepted.filter(one => !lacking.includes(one)).map(one => `${SIDES}: ${one} is no exception any more: take the line out`),
];
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
