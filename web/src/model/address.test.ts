import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Address, addressLines, addressOf, addressWords, countries, isEmptyAddress, statesOf } from './address';

interface Vectors {
  words: { country: string; state: string; postalCode: string; stateList: boolean }[];
}
const file = fileURLToPath(new URL('../../../catalog/vectors/address.json', import.meta.url));
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const blank: Address = { address1: '', address2: '', city: '', state: '', postal_code: '', country_code: '' };

describe('the words of an address', () => {
  // spec: 5.address.08, 5.address.09
  it.each(vectors.words)(
    'the words and the kind of field of "$country"',
    ({ country, state, postalCode, stateList }) => {
      expect(addressWords(country)).toMatchObject({ state, postalCode, stateList });
      expect(statesOf(country.toUpperCase()) !== undefined).toBe(stateList);
    },
  );
});

// spec: 3.user.02
it('reads a state in capitals', () => expect(addressOf({ ...blank, state: 'de' }).state).toBe('DE'));

it('writes an address as on an envelope', () => {
  const wire = {
    ...blank,
    address1: '1 Main St',
    city: 'Elsmere',
    state: 'DE',
    postal_code: '19805',
    country_code: 'US',
  };
  expect(addressLines(wire)).toEqual(['1 Main St', 'Elsmere, DE 19805', 'United States']);
  expect(addressLines({ ...blank, country_code: 'US' })).toEqual([]);
  expect(isEmptyAddress({ ...blank, country_code: 'US' })).toBe(true);
});

it('offers every country once, those with rules of their own first', () => {
  const all = countries();
  expect(all.slice(0, 2).map(one => one.label)).toEqual(['United States', 'Canada']);
  expect(new Set(all.map(one => one.id)).size).toBe(all.length);
  expect(all.length).toBe(249);
});
