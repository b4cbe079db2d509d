import enums from '@catalog/enums.json';
import { countOf, countText } from '~/model/format';
import type { Vehicle, VehicleLink } from './integration';

/** In place of an asset: one is made of the vehicle. */
export const NEW = 'new';

/** What becomes of one of the provider's vehicles: whether it is linked, and to which asset ('' = none yet, NEW). */
interface Choice {
  isChosen: boolean;
  thingId: string;
}

/** The choices by the provider's id of the vehicle. */
export type Choices = ReadonlyMap<string, Choice>;

export type Kind = 'matched' | 'none' | 'twice';

export const kindOf = ({ match }: Pick<Vehicle, 'match'>): Kind =>
  match === 'none' || match === 'twice' ? match : 'matched';

/** What is chosen at first: every vehicle that has a match. */
export const begunWith = (vehicles: readonly Vehicle[]): Choices =>
  new Map(
    vehicles.map(one => {
      const isChosen = kindOf(one) === 'matched' && !!one.thing_id;
      return [one.external_id, { isChosen, thingId: isChosen ? (one.thing_id ?? '') : '' }];
    }),
  );

/** The choices with one of them otherwise. */
export const withChoice = (choices: Choices, id: string, choice: Choice): Choices =>
  new Map([...choices, [id, choice]]);

/** The vehicles that are to be linked to an asset that another one is to be linked to as well. */
export function clashesOf(choices: Choices): ReadonlySet<string> {
  const byThing = new Map<string, string[]>();
  for (const [id, { isChosen, thingId }] of choices)
    if (isChosen && thingId !== NEW) byThing.set(thingId, [...(byThing.get(thingId) ?? []), id]);
  return new Set([...byThing.values()].flatMap(ids => (ids.length > 1 ? ids : [])));
}

/** The vehicles without a match for which nothing was chosen yet. */
export const unmatchedOf = (vehicles: readonly Vehicle[], choices: Choices): readonly Vehicle[] =>
  vehicles.filter(one => {
    const { isChosen = false, thingId = '' } = choices.get(one.external_id) ?? {};
    return kindOf(one) === 'none' && !isChosen && (thingId === '' || thingId === NEW);
  });

/** The choices with a new asset for each of these vehicles. */
export const withNew = (choices: Choices, vehicles: readonly Vehicle[]): Choices =>
  new Map([...choices, ...vehicles.map(one => [one.external_id, { isChosen: true, thingId: NEW }] as const)]);

export const chosenOf = (choices: Choices): number => [...choices.values()].filter(one => one.isChosen).length;

/** What is sent: the links that are wanted, and of those that stand the ones that are not. */
export const sentOf = (vehicles: readonly Vehicle[], choices: Choices): VehicleLink[] =>
  vehicles.flatMap(({ external_id, match }): VehicleLink[] => {
    const { isChosen = false, thingId = '' } = choices.get(external_id) ?? {};
    if (isChosen) return [{ external_id, thing_id: thingId }];
    return match === 'linked' ? [{ external_id, thing_id: null }] : [];
  });

/** By what a vehicle was found. */
export const matchText = ({ match }: Pick<Vehicle, 'match'>): string =>
  enums.vehicleMatches.find(({ name }) => name === match)?.displayName ?? match;

/** "42 vehicles: 38 matched, 3 without a match, 1 found twice." */
export function foundText(vehicles: readonly Vehicle[]): string {
  const counts: Record<Kind, number> = { matched: 0, none: 0, twice: 0 };
  for (const one of vehicles) counts[kindOf(one)] += 1;
  const parts = [`${countText(counts.matched)} matched`];
  if (counts.none > 0) parts.push(`${countText(counts.none)} without a match`);
  if (counts.twice > 0) parts.push(`${countText(counts.twice)} found twice`);
  return `${countOf(vehicles.length, 'vehicle')}: ${parts.join(', ')}.`;
}

const marks = [
  ['vin', 'VIN'],
  ['serial', 'serial number'],
  ['plate', 'plate'],
] as const;

const plain = (mark: string) => mark.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Why a vehicle has no asset yet, and what to do about it; '' where it has one. */
export function whyText(vehicle: Vehicle, vehicles: readonly Vehicle[], provider: string): string {
  const kind = kindOf(vehicle);
  if (kind === 'matched') return '';
  const said = marks.filter(([mark]) => plain(vehicle[mark]) !== '');
  if (kind === 'none')
    return said.length === 0
      ? `${provider} knows no VIN, serial number, or plate of it.`
      : `No asset has its ${said.map(([, word]) => word).join(' or ')}.`;
  for (const [mark, word] of said) {
    const twin = vehicles.find(one => one !== vehicle && plain(one[mark]) === plain(vehicle[mark]));
    if (twin) return `“${twin.name || twin.external_id}” has the same ${word}. Choose the asset of each.`;
  }
  return 'Several assets or vehicles could be meant. Choose the right asset.';
}

/** What a search looks through. */
export const wordsOf = ({ name, vin, serial, plate, external_id }: Vehicle) => [name, vin, serial, plate, external_id];

/** What tells a vehicle from others, as far as the provider says it. */
export const marksText = ({ vin, serial, plate, external_id }: Vehicle): string =>
  [vin && `VIN ${vin}`, plate && `Plate ${plate}`, serial && `Serial ${serial}`].filter(Boolean).join(' · ') ||
  `ID ${external_id}`;
