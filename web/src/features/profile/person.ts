import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { asFailure, type PerField, type Schemas, say, texts, type WireUser } from '~/api';
import { serverClock } from '~/lib/clock';
import {
  ADDRESS_OF_WIRE,
  type Address,
  addressOf,
  checkAddress,
  isEmptyAddress,
  lineError,
  wireAddress,
} from '~/model/address';
import { changedText } from '~/model/changed';
import { type Instant, instantOf } from '~/model/instant';
import type { Trouble } from '~/ui';

/** Who is signed in, as their own profile shows it. */
export interface Person extends Address {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  roleId: string;
  /** 0: does not expire */
  passwordExpiresAt: Instant;
  version: number;
}

export function personOf(wire: WireUser): Person {
  return {
    ...addressOf(wire),
    id: wire.id,
    email: wire.email,
    firstName: wire.firstname,
    lastName: wire.lastname,
    phone: wire.phone,
    roleId: wire.role_id,
    passwordExpiresAt: instantOf(wire.password_expires_at),
    version: wire.version,
  };
}

const NAME_MAX = limits.text.name.value;
const PHONE_MAX = limits.text.phone.value;

const line = (max: number) =>
  z.check<string>(context => {
    const message = lineError(context.value, max);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });
const name = z.string().check(z.trim(), z.minLength(1, texts.validation.required), line(NAME_MAX));

/** The rules of one's own profile (specification section 5, User and Address); nobody has to give an address. */
export const personSchema = z
  .object({
    firstName: name,
    lastName: name,
    phone: z.string().check(z.trim(), line(PHONE_MAX)),
    address1: z.string(),
    address2: z.string(),
    city: z.string(),
    state: z.string(),
    postalCode: z.string(),
    countryCode: z.string(),
  })
  .check(
    z.check(context => {
      if (isEmptyAddress(context.value)) return;
      for (const [field, message] of Object.entries(checkAddress(context.value).wrong))
        context.issues.push({ code: 'custom', message, path: [field], input: context.value });
    }),
  );

export type PersonForm = z.infer<typeof personSchema>;

/** What the form begins with; where no address stands yet, the organization's country. */
export function formOf(person: Person, countryCode: string): PersonForm {
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    phone: person.phone,
    address1: person.address1,
    address2: person.address2,
    city: person.city,
    state: person.state,
    postalCode: person.postalCode,
    countryCode: person.countryCode || countryCode,
  };
}

/** The body of PUT /users/{id}. */
export type PersonUpdate = Schemas['UserWrite'];

/**
 * The body of PUT /users/{id}: names, role and phone always (specification section 5: "first and last name and, when
 * present, role id"), the address once there is or was one.
 */
export function updateOf(before: Person, form: PersonForm): PersonUpdate {
  const hasAddress = !isEmptyAddress(form) || !isEmptyAddress(before);
  return {
    firstname: form.firstName,
    lastname: form.lastName,
    ...(before.roleId ? { role_id: before.roleId } : {}),
    phonenumber: form.phone,
    ...(hasAddress ? wireAddress(checkAddress(form).normal) : {}),
  };
}

const FIELD_OF_WIRE: Readonly<Record<string, string>> = {
  ...ADDRESS_OF_WIRE,
  firstname: 'firstName',
  lastname: 'lastName',
  phonenumber: 'phone',
} satisfies PerField<PersonUpdate>;

/**
 * What a failed save of the own profile leaves in the form (specification section 8, "Profile update"); `load` asks
 * for what is saved now when somebody else was faster.
 */
export async function troubleOf(error: unknown, load: () => Promise<Person>): Promise<Trouble<Person>> {
  const failure = asFailure(error);
  const current = failure.status === 409 ? await load().catch(() => undefined) : undefined;
  if (current) return { current, who: changedText(error, 'profile', serverClock.now()) };
  const fields = Object.entries(failure.fields).map(([wire, text]) => [FIELD_OF_WIRE[wire] ?? wire, text]);
  // "User not found" would be wrong where fields are marked.
  const isMarked = fields.length > 0 && failure.message !== '';
  return { text: isMarked ? failure.message : say('profile.update', error), fields: Object.fromEntries(fields) };
}
