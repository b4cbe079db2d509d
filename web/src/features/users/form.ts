import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { asFailure, type PerField, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { lineError } from '~/model/address';
import { changedText } from '~/model/changed';
import { isEmail } from '~/model/email';
import type { Trouble } from '~/ui';
import type { Member } from './member';
import type { NewUser, UserUpdate } from './queries';

const NAME_MAX = limits.text.name.value;
const PHONE_MAX = limits.text.phone.value;

const required = z.minLength(1, texts.validation.required);

/** A rule of one line of text; an empty one is not judged. */
const line = (max: number) =>
  z.check<string>(context => {
    const message = lineError(context.value, max);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });

const person = {
  firstName: z.string().check(z.trim(), required, line(NAME_MAX)),
  lastName: z.string().check(z.trim(), required, line(NAME_MAX)),
  roleId: z.string().check(required),
  organizationId: z.string(),
};

/** The rules of a new user (specification section 5, User). */
export const addSchema = z.object({
  ...person,
  email: z.string().check(z.trim(), required, z.refine(isEmail, texts.validation.email)),
});
export type AddForm = z.infer<typeof addSchema>;

/** The rules of an edited user. */
export const editSchema = z.object({
  ...person,
  phone: z.string().check(z.trim(), line(PHONE_MAX)),
  hasAwarenessMode: z.boolean(),
});
export type EditForm = z.infer<typeof editSchema>;

export function formOf(member: Member): EditForm {
  return {
    firstName: member.firstName,
    lastName: member.lastName,
    phone: member.phone,
    roleId: member.roleId,
    organizationId: member.organizationId,
    hasAwarenessMode: member.hasAwarenessMode,
  };
}

/** The body of POST /users; the organization only where there is a choice. */
export function newUserOf(form: AddForm): NewUser {
  return {
    firstname: form.firstName,
    lastname: form.lastName,
    email: form.email,
    role_id: form.roleId,
    ...(form.organizationId ? { organization_id: form.organizationId } : {}),
  };
}

/** The body of PUT /users/{id}: names and role always, the rest where it has changed. */
export function updateOf(before: Member, form: EditForm): UserUpdate {
  return {
    firstname: form.firstName,
    lastname: form.lastName,
    ...(form.roleId ? { role_id: form.roleId } : {}),
    ...(form.phone === before.phone ? {} : { phonenumber: form.phone }),
    ...(form.organizationId === before.organizationId ? {} : { organization_id: form.organizationId }),
    ...(form.hasAwarenessMode === before.hasAwarenessMode ? {} : { awareness_mode_access: form.hasAwarenessMode }),
  };
}

const FIELD_OF_WIRE: Readonly<Record<string, string>> = {
  firstname: 'firstName',
  lastname: 'lastName',
  email: 'email',
  phonenumber: 'phone',
  role_id: 'roleId',
  organization_id: 'organizationId',
  awareness_mode_access: 'hasAwarenessMode',
} satisfies PerField<UserUpdate & NewUser>;

/** What a failed save leaves in the form; `load` asks for what is saved now when somebody else was faster. */
export async function troubleOf(
  error: unknown,
  say: (error: unknown) => string,
  load?: () => Promise<Member>,
): Promise<Trouble<Member>> {
  const { status, fields } = asFailure(error);
  const current = status === 409 ? await load?.().catch(() => undefined) : undefined;
  if (current) return { current, who: changedText(error, 'user', serverClock.now()) };
  const own = Object.entries(fields).map(([wire, text]) => [FIELD_OF_WIRE[wire] ?? wire, text]);
  return { text: say(error), fields: Object.fromEntries(own) };
}
