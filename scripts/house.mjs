// Counts what a field and a noun of this repository cost, for comparing two commits. Reads the files that git knows.
// Usage: node scripts/house.mjs   (prints one line a figure)
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const CODE = /\.(go|ts|tsx)$/;
/** Tests and their tools, and what a generator writes. */
const BESIDE = /_test\.go$|\.test\.tsx?$|\.e2e\.ts$|\.gen\.|^(recordings|internal\/testkit|web\/e2e)\/|\/testdata\/|^catalog\/vectors\/|testing\.tsx?$|recorded\.ts$|storetest\/|smtptest\//;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter(file => /\.(go|ts|tsx|json|sql)$/.test(file) && !BESIDE.test(file))
  .map(file => ({ file, lines: readFileSync(file, 'utf8').replace(/\n$/, '').split('\n') }));
const code = files.filter(({ file }) => CODE.test(file));
const sum = list => list.reduce((n, { lines }) => n + lines.length, 0);

/** Lines that name something, and in how many files. */
function lines(word, other = /$^/) {
  const found = files.map(({ lines }) => lines.filter(line => word.test(line) && !other.test(line)).length).filter(n => n > 0);
  return `${found.reduce((a, b) => a + b, 0)} lines in ${found.length} files`;
}

/** Files whose name or folder is a noun's. */
const noun = word => {
  const own = code.filter(({ file }) => word.test(basename(file)) || file.split('/').slice(0, -1).some(folder => word.test(folder)));
  return `${sum(own)} lines in ${own.length} files`;
};

const rows = [
  ['production lines (.go .ts .tsx)', `${sum(code)} in ${code.length} files`],
  ['an organization\'s contact_name', lines(/contact_?name/i)],
  ['an asset\'s registry', lines(/\bregistry_?(number)?\b(?!.*(huma|prometheus|schema))|RegistryNumber|[tr]\.Registry/i, /huma|prometheus|Metrics|goose|metrics\.|registry\.|Components|document[A-Z]\w+\(|gatherShapes|IANA/)],
  ['organization', noun(/^organizations?(_|\b|[A-Z])/i)],
  ['user', noun(/^users?(_|\b|[A-Z])/i)],
  ['key', noun(/^keys?(_|\b|[A-Z])/i)],
  ['area', noun(/^areas?(_|\b|[A-Z])/i)],
  ['lines above 140', String(code.flatMap(({ lines }) => lines).filter(line => line.length > 140).length)],
  ['files above 400 lines', String(code.filter(({ lines }) => lines.length > 400).length)],
];
for (const [what, figure] of rows) console.log(`${what}: ${figure}`);
