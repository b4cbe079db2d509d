// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { byText, press, says, see, stageSection, text } from '~/section/testing';
import { beginImport, importBody, importProblem, withColumns } from './importForm';
import { open } from './testing';

stageSection('o1');

let sent: Record<string, unknown>[];
let answer: () => Response;
beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  sent = [];
  answer = () => replayed('importHazards.preview');
  vi.stubGlobal('fetch', async (_: string, init: RequestInit = {}) => {
    if (init.body) sent.push(JSON.parse(String(init.body)));
    return answer();
  });
});

const CSV = 'Event ID,Lat,Lon,Kind\n1,39.7,-75.5,Pothole\n2,39.7,-75.5,Crash\n';
/** jsdom has no File.text. */
const fileOf = (name: string, content: string) =>
  Object.assign(new File([content], name), { text: async () => content });

async function choose(file: File): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

it('is looked at before it is kept, with what was guessed of its columns and words', async () => {
  await open('/dashboard/hazards', 'Import', ['hazard:read', 'organization:update']);
  await press('button', 'Import');
  await says('Choose a file');
  await choose(fileOf('county.csv', CSV));
  await says('county.csv');
  await says('Pothole');
  await press('[role=dialog] button', 'Preview');
  await says('will be imported');
  const preview = { name: 'county.csv', format: 'csv', organization_id: 'o1', preview: true };
  expect(sent[0]).toMatchObject({
    ...preview,
    columns: { id: 'Event ID', lat: 'Lat', lng: 'Lon', type: 'Kind' },
    types: { Pothole: 'other', Crash: 'crash' },
    timezone: 'UTC',
    time_format: 'iso',
  });
  answer = () => replayed('importHazards.validation_failed.column');
  await press('[role=dialog] button', 'Import ');
  await says('The file has no column id');
  answer = () => replayed('importHazards.ok');
  await press('[role=dialog] button', 'Import ');
  await says('2 of 10 imported, 8 rejected.');
  expect(sent.at(-1)).toMatchObject({ ...preview, preview: false });
  expect(text()).not.toContain('Choose another file');
  await says('You can undo this import until');
  answer = () => replayed('undoHazardImport.import_undone');
  await press('[role=dialog] button', 'Undo import');
  await says('This import was already undone.');
  answer = () => replayed('undoHazardImport.ok');
  await press('[role=dialog] button', 'Undo import');
  await says('Import undone: 1 deleted, 0 restored, 1 not undone.');
  await says('It was confirmed in the meantime.');
  await press('[role=dialog] button', 'Close');
  await see(() => expect(document.querySelector('[role=dialog]')).toBeNull());
});

it('says what cannot be read, and which column is missing', async () => {
  await open('/dashboard/hazards', 'Import', ['hazard:read', 'organization:update']);
  await press('button', 'Import');
  await says('Choose a file');
  await choose(fileOf('county.pdf', ''));
  await says('Choose a GeoJSON file (.geojson, .json) or a CSV file (.csv).');
  await choose(fileOf('county.json', '{"a": 1}'));
  await says('The file is not a GeoJSON FeatureCollection.');
  await choose(fileOf('county.csv', 'number,what,where\n1,2,3\n'));
  await says('Columns');
  await see(() => byText('[role=dialog] button', 'Preview'));
  await press('[role=dialog] button', 'Preview');
  await says('Choose a column for: Latitude, Longitude.');
  expect(sent).toEqual([]);
});

it('has the properties of a GeoJSON file for columns, and never its places', async () => {
  const feature = { type: 'Feature', geometry: null, properties: { category: 'Ice', note: 'x' } };
  const content = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
  const form = await beginImport(fileOf('a.geojson', content), 'UTC');
  if (typeof form === 'string') throw new Error(form);
  expect(importProblem(form)).toBeUndefined();
  expect(importBody(form, 'o1', true)).toMatchObject({ format: 'geojson', types: { Ice: 'ice' } });
  const other = withColumns(form, { type: 'note', description: '' });
  expect(other.types).toEqual({ x: 'other' });
  expect(importBody(other, 'o1', false).columns).toEqual({ type: 'note' });
});
