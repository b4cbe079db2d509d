import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import catalog from '@catalog/texts.json';
import type { Schemas } from '~/api';

/** A postal address, by the names of the wire; every field is a text, '' for none. `country_code` is ISO 3166-1 alpha-2. */
export type Address = Pick<
  Schemas['User'],
  'address1' | 'address2' | 'city' | 'state' | 'postal_code' | 'country_code'
>;

/** Its fields: two people edit it as one thing. */
export const ADDRESS_FIELDS = ['address1', 'address2', 'city', 'state', 'postal_code', 'country_code'] as const;

/** What an address's fields are called in a country (requirements 5.address). */
export interface AddressWords {
  state: string;
  postalCode: string;
  /** The state is chosen from a list. */
  stateList: boolean;
}

/** State/Zip Code (US), Province/Postal Code (CA), Region/Postal Code (others). */
export function addressWords(countryCode: string): AddressWords {
  const words: Readonly<Record<string, AddressWords>> = enums.addressWords;
  return words[countryCode.toUpperCase()] ?? enums.addressWords.default;
}

/** The states to choose from (US, CA); undefined where the state is free text. */
export function statesOf(countryCode: string): readonly { code: string; name: string }[] | undefined {
  return (enums.states as Readonly<Record<string, readonly { code: string; name: string }[]>>)[countryCode];
}

const REQUIRED = catalog.texts.validation.required;
const US_ZIP = /^[0-9]{5}(-[0-9]{4})?$/;
const CA_CODE = /^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$/;
const OTHER_CODE = /^[A-Z0-9]([A-Z0-9 -]*[A-Z0-9])?$/;
/** Control characters, and those that turn or hide text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/u;

const LINE_MAX = limits.text.address.value;
const CODE_MAX = limits.text.postalCode.value;

/** The rule of one-line texts that people type: printable, at most `max` characters; undefined when all is well. */
export function lineError(text: string, max: number): string | undefined {
  if (UNPRINTABLE.test(text)) return 'Please use printable characters';
  return [...text].length > max ? `Must be ${max} or fewer characters` : undefined;
}

function countryError(code: string): string | undefined {
  if (code === '') return REQUIRED;
  if ([...code].length > 2) return '2 Max Characters';
  return /^[A-Z]{2}$/.test(code) ? undefined : 'Use the two-letter country code';
}

function stateError(countryCode: string, state: string): string | undefined {
  if (state === '') return REQUIRED;
  const list = statesOf(countryCode);
  return !list || list.some(one => one.code === state) ? undefined : 'Please choose from the list';
}

function postalCodeError(countryCode: string, code: string): string | undefined {
  if (countryCode === 'US') return US_ZIP.test(code) ? undefined : 'Invalid zip';
  if (countryCode === 'CA') return CA_CODE.test(code) ? undefined : 'Invalid postal code';
  return code === '' || OTHER_CODE.test(code) ? undefined : 'Invalid postal code';
}

/**
 * The law of addresses, as the server has it (requirements 5.address): the address trimmed, with state, postal code
 * and country in capitals, and a sentence for each field that is wrong. Street and city may be empty, and so may the
 * postal code outside of the US and Canada. Where no address is begun, nothing but the country is asked for.
 */
export function checkAddress(address: Address): { normal: Address; wrong: Partial<Record<keyof Address, string>> } {
  const upper = (text: string) => text.trim().toUpperCase();
  const normal: Address = {
    address1: address.address1.trim(),
    address2: address.address2.trim(),
    city: address.city.trim(),
    state: upper(address.state),
    postal_code: upper(address.postal_code),
    country_code: upper(address.country_code),
  };
  const { state, postal_code, country_code } = normal;
  const wrong: Partial<Record<keyof Address, string>> = {};
  const say = (field: keyof Address, sentence: string | undefined) => {
    if (sentence !== undefined) wrong[field] ??= sentence;
  };
  for (const field of ['address1', 'address2', 'city', 'state'] as const)
    say(field, lineError(normal[field], LINE_MAX));
  for (const field of ['postal_code', 'country_code'] as const) say(field, lineError(normal[field], CODE_MAX));
  say('country_code', countryError(country_code));
  if (!isEmptyAddress(normal)) {
    say('state', stateError(country_code, state));
    say('postal_code', postalCodeError(country_code, postal_code));
  }
  return { normal, wrong };
}

/** The address in something that has one, as forms begin with it: codes in capitals. */
export const addressOf = (row: Address): Address => ({
  address1: row.address1,
  address2: row.address2,
  city: row.city,
  state: row.state.toUpperCase(),
  postal_code: row.postal_code,
  country_code: row.country_code.toUpperCase(),
});

/** Whether nobody has filled in an address yet; a country alone is none. */
export const isEmptyAddress = (address: Address): boolean =>
  [address.address1, address.address2, address.city, address.state, address.postal_code].every(t => t.trim() === '');

/** The address on lines, as it would stand on an envelope; empty lines are left out. */
export function addressLines(address: Address): string[] {
  const { address1, address2, city, state, postal_code, country_code } = addressOf(address);
  const town = [[city, state].filter(Boolean).join(', '), postal_code].filter(Boolean).join(' ');
  const street = [address1, address2, town].filter(Boolean);
  return street.length === 0 ? [] : [...street, countryName(country_code)].filter(Boolean);
}

const CODES = `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

let names: Intl.DisplayNames | undefined;

/** "Germany" for "DE"; the code itself when it is not known, '' for none. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  names ??= new Intl.DisplayNames('en', { type: 'region' });
  return names.of(code) ?? code;
}

/** Every country by name, the two with rules of their own first. */
export function countries(): { id: string; label: string }[] {
  const all = CODES.split(/\s/).map(id => ({ id, label: countryName(id) }));
  const first = (id: string) => (id === 'US' ? 0 : id === 'CA' ? 1 : 2);
  return all.sort((a, b) => first(a.id) - first(b.id) || a.label.localeCompare(b.label, 'en'));
}
