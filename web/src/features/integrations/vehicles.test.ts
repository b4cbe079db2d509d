import { expect, it } from 'vitest';
import type { Vehicle } from './integration';
import {
  begunWith,
  chosenOf,
  clashesOf,
  foundText,
  marksText,
  NEW,
  sentOf,
  unmatchedOf,
  whyText,
  withChoice,
  withNew,
} from './vehicles';

const vehicle = (external_id: string, over: Partial<Vehicle> = {}): Vehicle => ({
  ...{ external_id, name: `Truck ${external_id}`, vin: '', serial: '', plate: '', thing_id: null, match: 'none' },
  ...over,
});
const linked = vehicle('1', { thing_id: 'a', match: 'linked' });
const byVin = vehicle('2', { vin: '1FV123', thing_id: 'b', match: 'vin' });
const none = vehicle('3');
const twice = vehicle('4', { plate: 'AB-12', match: 'twice' });
const twin = vehicle('5', { plate: 'ab 12', match: 'twice' });
const all = [linked, byVin, none, twice, twin];

it('chooses at first what was matched, and nothing that is not sure', () => {
  const choices = begunWith(all);
  expect(chosenOf(choices)).toBe(2);
  expect(foundText(all)).toBe('5 vehicles: 2 matched, 1 without a match, 2 found twice.');
  expect(foundText([linked])).toBe('1 vehicle: 1 matched.');
});

it('sends what is to be linked, and which standing link is not', () => {
  const choices = begunWith(all);
  expect(sentOf(all, choices)).toEqual([
    { external_id: '1', thing_id: 'a' },
    { external_id: '2', thing_id: 'b' },
  ]);
  const less = withChoice(withChoice(choices, '1', { isChosen: false, thingId: 'a' }), '2', {
    isChosen: false,
    thingId: 'b',
  });
  expect(sentOf(all, less)).toEqual([{ external_id: '1', thing_id: null }]);
});

it('notices vehicles that are to be the same asset', () => {
  const choices = withChoice(begunWith(all), '4', { isChosen: true, thingId: 'a' });
  expect([...clashesOf(choices)].sort()).toEqual(['1', '4']);
  expect(clashesOf(withChoice(choices, '1', { isChosen: false, thingId: 'a' })).size).toBe(0);
});

it('says why a vehicle has no asset, and whose marks are the same', () => {
  expect(whyText(linked, all, 'Geotab')).toBe('');
  expect(whyText(none, all, 'Geotab')).toBe('Geotab knows no VIN, serial number, or plate of it.');
  expect(whyText(vehicle('6', { vin: 'X', plate: 'Y' }), all, 'Geotab')).toBe('No asset has its VIN or plate.');
  expect(whyText(twice, all, 'Geotab')).toBe('“Truck 5” has the same plate. Choose the asset of each.');
  expect(whyText(vehicle('7', { vin: 'Z', match: 'twice' }), all, 'Geotab')).toBe(
    'Several assets or vehicles could be meant. Choose the right asset.',
  );
});

it('tells vehicles apart by what the provider says of them', () => {
  expect(marksText(byVin)).toBe('VIN 1FV123');
  expect(marksText(none)).toBe('ID 3');
});

it('makes new assets of all without a match, and of those that are found twice only one by one', () => {
  const both = [...all, vehicle('6')];
  const choices = withNew(begunWith(both), unmatchedOf(both, begunWith(both)));
  expect(unmatchedOf(both, begunWith(both)).map(one => one.external_id)).toEqual(['3', '6']);
  expect(unmatchedOf(both, choices)).toEqual([]);
  expect(sentOf(both, choices).slice(2)).toEqual([
    { external_id: '3', thing_id: NEW },
    { external_id: '6', thing_id: NEW },
  ]);
  expect(clashesOf(choices).size).toBe(0);
  const less = withChoice(choices, '3', { isChosen: false, thingId: NEW });
  expect(unmatchedOf(both, less).map(one => one.external_id)).toEqual(['3']);
  const linkedOne = withChoice(begunWith(both), '3', { isChosen: true, thingId: 'c' });
  expect(unmatchedOf(both, linkedOne).map(one => one.external_id)).toEqual(['6']);
});
