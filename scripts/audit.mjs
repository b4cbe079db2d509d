// The part of scripts/audit.sh that needs no network: every npm package is locked with its digest, none runs
// a script at install, and nothing stands below its row in floors.tsv.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const problems = [];
const lock = Object.entries(JSON.parse(readFileSync('web/package-lock.json', 'utf8')).packages).filter(([path]) => path);
const nameOf = (path, entry) => entry.name ?? path.replace(/^.*node_modules\//, '');
for (const [path, entry] of lock) {
  if (!entry.integrity && !entry.link && !entry.inBundle) problems.push(`${nameOf(path, entry)}: locked without a digest`);
  if (entry.hasInstallScript && !(entry.dev || entry.devOptional || entry.optional)) problems.push(`${nameOf(path, entry)}: runs a script at install`);
}

const list = execFileSync('go', ['list', '-m', '-f', '{{.Path}}\t{{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}', 'all'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const go = list.split('\n').map(line => line.split('\t')).filter(([, version]) => version);
const std = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim().replace(/^go/, '');
const used = [['go', 'std', std], ...go.map(([path, version]) => ['go', path, version]), ...lock.map(([path, entry]) => ['npm', nameOf(path, entry), entry.version])];

/** Compares 1.2.3 with 1.10.0 by numbers; what follows a hyphen counts as older. */
function older(a, b) {
  const parts = v => v.replace(/^v/, '').split('-')[0].split('.').map(Number);
  const [x, y] = [parts(a), parts(b)];
  for (let i = 0; i < 3; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) < (y[i] ?? 0);
  return a.includes('-') && !b.includes('-');
}
for (const line of readFileSync('scripts/floors.tsv', 'utf8').split('\n')) {
  if (!line || line.startsWith('#')) continue;
  const [kind, name, floor, why] = line.split('\t');
  for (const [ofKind, ofName, version] of used) {
    if (ofKind === kind && ofName === name && older(version, floor)) problems.push(`${name} ${version} is below ${floor} (${why})`);
  }
}
for (const problem of problems) console.log(problem);
console.log(`${lock.length} npm packages and ${go.length} Go modules are what was locked, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
