import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import { addressOf, isEmptyAddress } from '~/model/address';
import { addressCheck, addressRules, needed, rulesOf, text } from '~/model/rules';

/** Who is signed in, as their own profile shows it and as a refused save does. */
export type Person = Pick<Schemas['User'], keyof Schemas['User'] & keyof Schemas['Member']>;

const NAME_MAX = limits.text.name.value;

export const nameLines = {
  firstname: { label: 'First name', rule: needed(NAME_MAX), isRequired: true, autoComplete: 'given-name' },
  lastname: { label: 'Last name', rule: needed(NAME_MAX), isRequired: true, autoComplete: 'family-name' },
} as const;

/** The rules of one's own profile (requirements 5.user and 5.address); nobody has to give an address. */
export const personSchema = z
  .object({ ...rulesOf(nameLines), phonenumber: text(limits.text.phone.value), ...addressRules })
  .check(addressCheck('optional'));

/** What the form says otherwise than the row; where no address stands yet, it begins with the organization's country. */
export const readPerson = (person: Person, country: string) => ({
  ...addressOf(person),
  country_code: person.country_code.toUpperCase() || country,
  phonenumber: person.phone,
});

/**
 * The body of PUT /users/{id}: names, role and phone always (requirements 5.user: "first and last name and, when
 * present, role id"), the address once there is or was one.
 */
export function updateOf(before: Person, form: z.infer<typeof personSchema>): Schemas['UserWrite'] {
  const { firstname, lastname, phonenumber } = form;
  return {
    firstname,
    lastname,
    phonenumber,
    ...(before.role_id && { role_id: before.role_id }),
    ...(isEmptyAddress(form) && isEmptyAddress(before) ? {} : addressOf(form)),
  };
}
