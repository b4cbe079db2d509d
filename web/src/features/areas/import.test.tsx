// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { serverClock } from '~/lib/clock';
import { stubBrowser } from '~/lib/testing';
import { T0 } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { AreaImport } from './AreaImport';
import { formatOf } from './files';

let root: Root;
let host: HTMLElement;
let sent: Record<string, unknown>[];
let answer: () => Response;

beforeEach(() => {
  vi.spyOn(serverClock, 'now').mockReturnValue(T0);
  stubBrowser();
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });
  sent = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body ?? '{}')));
    return answer();
  });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  root.render(<AreaImport onClose={() => undefined} />);
});
afterEach(() => {
  root.unmount();
  host.remove();
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent ?? '';
const says = (words: string) => vi.waitFor(() => expect(text()).toContain(words));

async function choose(name: string, content: string): Promise<void> {
  const input = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]');
    return found ?? Promise.reject();
  });
  const file = new File([content], name);
  file.text = async () => content;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

const press = async (words: string) =>
  (
    await vi.waitFor(
      () => [...document.querySelectorAll('button')].find(b => b.textContent === words) ?? Promise.reject(),
    )
  ).click();

it('shows what a file would do and why features are refused, and then does it', async () => {
  answer = () => replayed('importAreas.preview');
  await choose('areas.geojson', '{"type":"FeatureCollection","features":[]}');
  await says('2 new, 0 to change, 0 unchanged, 2 rejected.');
  await says('Exclusion shape is invalid: its outline crosses or touches itself');
  await says('Hydrant 7');
  expect(sent[0]).toMatchObject({ format: 'geojson', preview: true, organization_id: 'o1' });
  answer = () => replayed('importAreas.ok');
  await press('Import 2 areas');
  await says('2 areas added, 0 changed, 0 unchanged, 2 rejected.');
  expect(sent[1]).toMatchObject({ preview: false });
});

it('offers the way back of an import, and says what was not undone', async () => {
  answer = () => replayed('importAreas.preview');
  await choose('areas.geojson', '{"type":"FeatureCollection","features":[]}');
  await says('2 new');
  answer = () => replayed('importAreas.ok');
  await press('Import 2 areas');
  await says('You can undo this import until');
  answer = () => replayed('undoAreaImport.import_undone');
  await press('Undo import');
  await says('This import was already undone.');
  answer = () => replayed('undoAreaImport.ok');
  await press('Undo import');
  await says('Import undone: 1 deleted, 0 restored, 1 not undone.');
  await says('It was changed in the meantime.');
});

it('says what is wrong with a file', async () => {
  await choose('areas.kmz', 'PK');
  await says('Unzip a .kmz file first.');
  expect(sent).toEqual([]);
  answer = () => replayed('importAreas.validation_failed.not_kml');
  await choose('areas.kml', 'x');
  await says("The file isn't KML");
  expect(sent[0]).toMatchObject({ format: 'kml' });
});

it.each(['a.geojson', 'a.JSON', 'a.geojsonl', 'a.GeoJSONS', 'a.geojsonseq', 'a.ndjson', 'a.jsonl'])(
  'reads %s as GeoJSON',
  name => {
    expect(formatOf(name)).toBe('geojson');
  },
);

it('knows a file by its name', () => {
  expect(['a.KML', 'a.geojson', 'a.json', 'a.shp', 'kml'].map(formatOf)).toEqual([
    'kml',
    'geojson',
    'geojson',
    undefined,
    undefined,
  ]);
});
