// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { T0 } from '~/live/testing';
import { byText, press, says, see, stageSection, text } from '~/section/testing';
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

const CSV = 'Event ID;Lat;Lon;Kind;Where\n1;39,74;-75,55;Pothole;Bridge\n2;39,74;-75,56;Crash;Ramp\n';
/** jsdom has no File.text. */
const fileOf = (name: string, content: string) =>
  Object.assign(new File([content], name), { text: async () => content });

async function choose(file: File): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function begin(): Promise<void> {
  await open('/dashboard/hazards', 'No results found.', ['hazard:read', 'organization:update']);
  await press('[aria-label=More]', '');
  await press('[role=menuitem]', 'Import…');
  await says('Choose a file');
}

/** The button of the list with a label. */
const list = (label: string) =>
  [...document.querySelectorAll('[role=dialog] label, [role=dialog] span')]
    .find(one => one.textContent === label)
    ?.parentElement?.querySelector('button');
const pick = async (label: string, option: string) => {
  list(label)?.click();
  await press('[role=option]', option);
};

it('is looked at as the server reads it, read otherwise, and then imported so', async () => {
  answer = () => replayed('importHazards.guess');
  await begin();
  await choose(fileOf('county.csv', CSV));
  await says('county.csv: 2 of 2 will be imported, 0 rejected.');
  const file = { name: 'county.csv', format: 'csv', organization_id: 'o1', content: CSV, guess: true, timezone: 'UTC' };
  expect(sent).toEqual([{ ...file, preview: true, types: {} }]);
  expect(list('Latitude')?.textContent).toContain('Lat');
  expect(list('Description')?.textContent).toContain('None');
  await pick('Pothole', 'Road damage');
  await see(() => expect(sent.at(-1)).toEqual({ ...file, preview: true, types: { Pothole: 'road_damage' } }));
  await says('Import 2');
  await pick('Description', 'Where');
  const columns = { id: 'Event ID', lat: 'Lat', lng: 'Lon', type: 'Kind' };
  await see(() => expect(sent.at(-1)).toMatchObject({ preview: true, columns: { ...columns, description: 'Where' } }));
  await says('Import 2');
  answer = () => replayed('importHazards.validation_failed.column');
  await press('[role=dialog] button', 'Import 2');
  await says('The file has no column id');
  const read = { columns, types: { Pothole: 'other', Crash: 'crash' }, time_format: 'iso' };
  expect(sent.at(-1)).toEqual({ ...file, preview: false, ...read });
  answer = () => replayed('importHazards.ok');
  await press('[role=dialog] button', 'Import 2');
  await says('2 of 10 imported, 8 rejected.');
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
  await begin();
  await choose(fileOf('county.pdf', ''));
  await says('Choose a GeoJSON file (.geojson, .json) or a CSV file (.csv).');
  expect(sent).toEqual([]);
  answer = () => replayed('importHazards.validation_failed.guess');
  await choose(fileOf('county.tsv', '%PDF-1.7'));
  await says('The first line of the file must list the column names, separated by commas, semicolons, or tabs.');
  answer = () => replayed('importHazards.guess_incomplete');
  await choose(fileOf('county.csv', 'number,what,where\n1,2,3\n'));
  await says('Choose a column for: Latitude, Longitude.');
  await see(() => expect(byText('[role=dialog] button', 'Import 0')?.hasAttribute('disabled')).toBe(true));
});

it('has no columns for the places of a GeoJSON file', async () => {
  answer = () => replayed('importHazards.guess');
  await begin();
  await choose(fileOf('a.geojson', '{"type":"FeatureCollection","features":[]}'));
  await says('Properties');
  expect(sent[0]).toMatchObject({ format: 'geojson' });
  expect(list('Latitude')).toBeUndefined();
});
