import { afterEach, expect, it, vi } from 'vitest';
import { type AnswerName, recorded, replayed } from '~/api/recorded';
import { searchPlaces, streetAt } from './places';

afterEach(() => vi.unstubAllGlobals());

function answering(name: AnswerName): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return replayed(name);
  });
  return asked;
}

const near = { lat: 39.7, lng: -75.5 };

// spec: 2.map.10
it('coordinates need no server, and all else does', async () => {
  const asked = answering('searchPlaces.empty');
  const said = async (text: string, at: typeof near | null) => (await searchPlaces(text, at)).places;
  expect(await said(' 41.8623, -87.6167 ', near)).toMatchObject([
    { kind: 'coordinates', label: '41.8623, -87.6167', lat: 41.8623, lng: -87.6167 },
  ]);
  expect(await said('   ', near)).toEqual([]);
  expect(asked).toEqual([]);
  expect(await said('91, 0', near)).toEqual([]);
  expect(await said('PFRX+FM', near)).toEqual([]);
  expect(asked).toHaveLength(2);
});

it('anything else is asked of the server, with the place that it is near to', async () => {
  const asked = answering('searchPlaces.ok');
  expect(await searchPlaces(' market st ', near)).toEqual({ places: recorded('searchPlaces.ok').data, why: undefined });
  await searchPlaces('é'.repeat(500), null);
  expect(asked[0]).toBe('/api/geocode?q=market+st&lat=39.7&lng=-75.5');
  expect(new URL(asked[1] ?? '', 'https://x').searchParams.get('q')).toHaveLength(200);
});

it('the street at a place is the first that is found, or none', async () => {
  answering('searchPlaces.reverse');
  expect((await streetAt(near))?.label).toBe('North Market Street');
  answering('searchPlaces.empty');
  expect(await streetAt(near)).toBeNull();
});
