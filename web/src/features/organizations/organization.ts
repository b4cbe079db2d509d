import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import { type Address, addressOf } from '~/model/address';
import { addressCheck, addressRules, needed, optionalEmail, rulesOf, text } from '~/model/rules';

const { name, phone } = limits.text;

/** An organization as an administrator looks after it: a row of GET /organizations. */
export type OrganizationRow = Schemas['OrganizationRow'];

export const organizationTypes: readonly { id: string; name: string; displayName: string }[] = enums.organizationTypes;

const typeOf = ({ organization_type: type }: Pick<OrganizationRow, 'organization_type'>) =>
  organizationTypes.find(one => one.id === type.id || one.name === type.name);

/** "Fire department" */
export const typeName = (row: OrganizationRow): string => typeOf(row)?.displayName ?? row.organization_type.name;

/** Whom to talk to. */
export const contactLines = {
  contact_name: { label: 'Contact name', rule: text(name.value) },
  email: { label: 'Email', rule: optionalEmail, type: 'email' },
  phone_number: { label: 'Phone', rule: text(phone.value), type: 'tel' },
  cell_phone_number: { label: 'Cell phone', rule: text(phone.value), type: 'tel' },
} as const;

/** Nothing, a known license, or the address of other terms; the server judges the address closely. */
const feedLicense = text(limits.closure.licenseText.value).check(
  z.refine(
    said => said === '' || enums.feedLicenses.some(one => one.id === said) || /^https?:\/\/[^\s/]/.test(said),
    'Enter the full address of your license, such as https://example.org/terms.',
  ),
);

/** "CC0 1.0 (no rights reserved)", the address of other terms, or that none is stated. */
export const licenseName = (license: string): string =>
  license === '' ? 'None stated' : (enums.feedLicenses.find(one => one.id === license)?.name ?? license);

/** The rules of an organization (requirements 5.address); the address follows its country. */
export const organizationSchema = z
  .object({
    name: needed(name.value),
    ...rulesOf(contactLines),
    ...addressRules,
    organization_type_id: z.string(),
    timezone: z.string(),
    event_wording: z.enum(['default', 'events', 'incidents']),
    lock_screen_ms: z.number(),
    mfa_required: z.boolean(),
    sso_only: z.boolean(),
    feeds_public: z.boolean(),
    alerts_public: z.boolean(),
    feed_license: feedLicense,
    is_wzdx_org: z.boolean(),
    show_infinite_timeout_option: z.boolean(),
    is_large_org: z.boolean(),
    acs: z.boolean(),
  })
  .check(addressCheck());

export type OrganizationForm = z.infer<typeof organizationSchema>;

/** What the form says otherwise than the row. */
export const readOrganization = (row: OrganizationRow) => ({
  ...addressOf(row),
  organization_type_id: typeOf(row)?.id ?? '',
  acs: row.organization_type.acs,
});

/** What the signed-in user's organization is to this one, in a word. */
export const relationText = { own: 'Yours', managed: 'Managed', accessed: 'Accessed' } as const;

/** "5 minutes" for the idle time until the screen locks, "Never" for 0. */
export function lockText(ms: number): string {
  if (ms === 0) return 'Never';
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? 'After 1 minute' : `After ${minutes} minutes`;
}

const MINUTE_MS = 60_000;

/** The idle times to choose from; one that was set otherwise joins them. */
export function lockChoices(present: number): number[] {
  const choices = [0, 5 * MINUTE_MS, 15 * MINUTE_MS, limits.session.lockScreenMs.value, 60 * MINUTE_MS];
  return choices.includes(present) ? choices : [...choices, present].sort((a, b) => a - b);
}

/** Where an organization is, on a line. */
export const placeText = (row: Pick<Address, 'city' | 'state'>): string =>
  [row.city, row.state].filter(Boolean).join(', ');

export const eventWordingText = { default: 'Automatic', events: 'Events', incidents: 'Incidents' } as const;
