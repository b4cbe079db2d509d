import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import { asFailure, type Operation, type PerField, type Schemas, say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { ADDRESS_OF_WIRE, type Address, checkAddress, lineError, wireAddress } from '~/model/address';
import { changedText } from '~/model/changed';
import { isEmail } from '~/model/email';
import type { Trouble } from '~/ui';
import type { OrganizationRecord } from './organization';

const NAME_MAX = limits.text.name.value;
const PHONE_MAX = limits.text.phone.value;

const line = (max: number) =>
  z.check<string>(context => {
    const message = lineError(context.value, max);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });

/** Empty or a valid address (specification section 5, "Optional email"). */
const optionalEmail = z.refine<string>(text => text === '' || isEmail(text), texts.validation.email);

const text = (max: number) => z.string().check(z.trim(), line(max));

/** The rules of an organization (specification section 5); the address follows its country. */
export const organizationSchema = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, texts.validation.required), line(NAME_MAX)),
    email: z.string().check(z.trim(), optionalEmail),
    contactName: text(NAME_MAX),
    phone: text(PHONE_MAX),
    cellPhone: text(PHONE_MAX),
    address1: z.string(),
    address2: z.string(),
    city: z.string(),
    state: z.string(),
    postalCode: z.string(),
    countryCode: z.string(),
    typeId: z.string(),
    timezone: z.string(),
    eventWording: z.enum(['default', 'events', 'incidents']),
    /** Milliseconds as the text of a choice. */
    lockScreen: z.string(),
    mfaRequired: z.boolean(),
    ssoOnly: z.boolean(),
    offersAwareness: z.boolean(),
    isLarge: z.boolean(),
    acs: z.boolean(),
  })
  .check(
    z.check(context => {
      for (const [field, message] of Object.entries(checkAddress(context.value).wrong))
        context.issues.push({ code: 'custom', message, path: [field], input: context.value });
    }),
  );

export type OrganizationForm = z.infer<typeof organizationSchema>;

export function formOf(record: OrganizationRecord): OrganizationForm {
  return {
    name: record.name,
    email: record.email,
    contactName: record.contactName,
    phone: record.phone,
    cellPhone: record.cellPhone,
    address1: record.address1,
    address2: record.address2,
    city: record.city,
    state: record.state,
    postalCode: record.postalCode,
    countryCode: record.countryCode,
    typeId: record.typeId,
    timezone: record.timezone,
    eventWording: record.eventWording,
    lockScreen: String(record.lockScreenMs),
    mfaRequired: record.mfaRequired,
    ssoOnly: record.ssoOnly,
    offersAwareness: record.offersAwareness,
    isLarge: record.isLarge,
    acs: record.acs,
  };
}

/** The body of PUT /organization and PUT /organization/{id}. */
export type OrganizationUpdate = Schemas['OrganizationWrite'];

/** Contact and address always, settings where they have changed: some of them need more than the edit permission. */
export function updateOf(before: OrganizationRecord, form: OrganizationForm): OrganizationUpdate {
  const update: OrganizationUpdate = {
    name: form.name,
    email: form.email,
    contact_name: form.contactName,
    phone_number: form.phone,
    cell_phone_number: form.cellPhone,
    ...wireAddress(checkAddress(form as Address).normal),
  };
  const was: Record<string, unknown> = settingsOf(formOf(before));
  const changed = Object.entries(settingsOf(form)).filter(([name, value]) => value !== was[name]);
  return { ...update, ...Object.fromEntries(changed) };
}

const settingsOf = (form: OrganizationForm) => ({
  organization_type_id: form.typeId,
  timezone: form.timezone,
  event_wording: form.eventWording,
  lock_screen_ms: Number(form.lockScreen),
  mfa_required: form.mfaRequired,
  sso_only: form.ssoOnly,
  show_infinite_timeout_option: form.offersAwareness,
  is_large_org: form.isLarge,
  acs: form.acs,
});

const FIELD_OF_WIRE: Readonly<Record<string, string>> = {
  ...ADDRESS_OF_WIRE,
  name: 'name',
  email: 'email',
  contact_name: 'contactName',
  phone_number: 'phone',
  cell_phone_number: 'cellPhone',
  organization_type_id: 'typeId',
  timezone: 'timezone',
  event_wording: 'eventWording',
  lock_screen_ms: 'lockScreen',
  mfa_required: 'mfaRequired',
  sso_only: 'ssoOnly',
} satisfies PerField<OrganizationUpdate>;

/**
 * What a failed save leaves in the form; `load` asks for what is saved now when somebody else was faster. The own
 * organization is edited, a managed one updated: each has its texts.
 */
export async function troubleOf(
  error: unknown,
  operation: Operation,
  load: () => Promise<OrganizationRecord>,
): Promise<Trouble<OrganizationRecord>> {
  const failure = asFailure(error);
  const current = failure.status === 409 ? await load().catch(() => undefined) : undefined;
  if (current) return { current, who: changedText(error, 'organization', serverClock.now()) };
  const fields = Object.entries(failure.fields).map(([wire, sentence]) => [FIELD_OF_WIRE[wire] ?? wire, sentence]);
  // "Organization not found" would be wrong where fields are marked.
  const isMarked = fields.length > 0 && failure.message !== '';
  return { text: isMarked ? failure.message : say(operation, error), fields: Object.fromEntries(fields) };
}

/** Whether an id can be one (specification section 5: "Ids: uuid"). */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

const MINUTE_MS = 60_000;

/** The idle times to choose from; one that was set otherwise joins them. */
export function lockChoices(present: number): number[] {
  const choices = [0, 5 * MINUTE_MS, 15 * MINUTE_MS, limits.session.lockScreenMs.value, 60 * MINUTE_MS];
  return choices.includes(present) ? choices : [...choices, present].sort((a, b) => a - b);
}

/** Every time zone of the browser, and the present one if it is not among them. */
export function timeZones(present: string): string[] {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];
  return all.includes(present) || present === '' ? all : [present, ...all];
}
