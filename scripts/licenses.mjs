// Fails on a shipped dependency whose license is not permissive: Go modules of
// the binary and npm packages that are not build tools.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const permissive = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'OFL-1.1', 'Unlicense', 'BlueOak-1.0.0', 'MIT-0', 'CC0-1.0', 'Zlib']);

function classify(text) {
  if (/Apache License\s+Version 2\.0/.test(text)) return 'Apache-2.0';
  if (/Permission is hereby granted, free of charge/.test(text)) return 'MIT';
  if (/Redistribution and use in source and binary forms/.test(text)) return /[Nn]either the name/.test(text) ? 'BSD-3-Clause' : 'BSD-2-Clause';
  if (/Permission to use, copy, modify, and\/or distribute|Permission to use, copy, modify, and distribute/.test(text)) return 'ISC';
  if (/This is free and unencumbered software/.test(text)) return 'Unlicense';
  if (/Mozilla Public License/.test(text)) return 'MPL-2.0';
  if (/GNU (AFFERO |LESSER )?GENERAL PUBLIC LICENSE/i.test(text)) return 'GPL family';
  return 'unknown';
}

const rows = [];
const modules = execFileSync('go', ['list', '-deps', '-f', '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}', './cmd/lightbar'], { encoding: 'utf8' });
for (const line of new Set(modules.split('\n').filter(Boolean))) {
  const [name, dir] = line.split('\t');
  const file = readdirSync(dir).find(f => /^(LICEN[CS]E|COPYING)/i.test(f));
  rows.push([name, file ? classify(readFileSync(join(dir, file), 'utf8')) : 'unknown']);
}
const lock = JSON.parse(readFileSync('web/package-lock.json', 'utf8'));
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path || entry.dev || entry.optional || entry.devOptional) continue;
  const named = entry.license ?? JSON.parse(readFileSync(join('web', path, 'package.json'), 'utf8')).license ?? 'unknown';
  const text = typeof named === 'string' ? named : named.type;
  rows.push([path.replace(/^.*node_modules\//, ''), text.replace(/[()]/g, '')]);
}
const bad = rows.filter(([, license]) => !license.split(/ OR | or /).some(l => l.split(' AND ').every(part => permissive.has(part))));
for (const [name, license] of bad) console.error(`${name}: ${license}`);
console.log(`${rows.length} shipped dependencies, ${bad.length} not permissive`);
process.exit(bad.length ? 1 : 0);
