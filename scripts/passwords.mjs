// Makes internal/people/password_leaked.txt: the commonest of leaked passwords, as internal/people/password.go looks them up.
//   node scripts/passwords.mjs
// Source: @zxcvbn-ts/language-common (MIT), a list by rank, in lower case. Taken are all as far as the 3,000th that is long enough for the
// rules of passwords, and whatever of the rest is long enough for the profile "nist". Kept is what is left without the digits and signs
// around a word, once; what password_common.txt or the law already catches is left out.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = '@zxcvbn-ts/language-common@4.1.3';
const [enough, long, longNist, word] = [3000, 8, 15, 4];

const folder = mkdtempSync(join(tmpdir(), 'lightbar-passwords-'));
const packed = execFileSync('npm', ['pack', '--silent', source], { cwd: folder, encoding: 'utf8' }).trim();
execFileSync('tar', ['xzf', packed, 'package/src/passwords.json'], { cwd: folder });
const ranked = JSON.parse(readFileSync(join(folder, 'package/src/passwords.json'), 'utf8'));
rmSync(folder, { recursive: true });

let left = enough;
const end = ranked.findIndex(one => one.length >= long && --left === 0) + 1;
const taken = [...ranked.slice(0, end), ...ranked.slice(end).filter(one => one.length >= longNist)];

const around = /^[0-9*@!#%&()^~{}]+|[0-9*@!#%&()^~{}]+$/g; // as isCommon trims
const letters = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', '!': 'i' };
const plain = text => text.replace(/[013457@!]/g, sign => letters[sign]);
const own = new URL('../internal/people/password_common.txt', import.meta.url);
const known = new Set(readFileSync(own, 'utf8').split('\n'));
const kept = [];
for (const one of taken.map(text => text.toLowerCase())) {
  const core = one.replace(around, '');
  const form = core.length >= word ? core : one;
  if (core === '' || [one, plain(one), core, plain(core)].some(text => known.has(text))) continue;
  known.add(form);
  kept.push(form);
}
const head = `# The commonest of leaked passwords, without the digits and signs around them: made by scripts/passwords.mjs
# from ${source} (MIT, Copyright 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts).
`;
writeFileSync(new URL('../internal/people/password_leaked.txt', import.meta.url), `${head}${kept.join('\n')}\n`);
process.stdout.write(`${taken.length} taken of ${ranked.length}, ${kept.length} kept\n`);
