import enums from '@catalog/enums.json';
import type { Schemas } from '~/api';
import { type Address, addressOf } from '~/model/address';

type NamedRef = Schemas['NamedRef'];

/** A row of GET /organizations, or an organization of the profile with its relation: that one counts nothing. */
export type WireOrganizationRow = Schemas['Organization'] &
  Pick<Schemas['OrganizationRow'], 'relation'> &
  Partial<Pick<Schemas['OrganizationRow'], 'users_count' | 'things_count'>>;

/** An organization as an administrator looks after it. */
export interface OrganizationRecord extends Address {
  id: string;
  name: string;
  email: string;
  timezone: string;
  typeId: string;
  /** "Fire department" */
  typeName: string;
  contactName: string;
  phone: string;
  cellPhone: string;
  eventWording: 'default' | 'events' | 'incidents';
  billingId: string;
  /** 0 means never */
  lockScreenMs: number;
  mfaRequired: boolean;
  ssoOnly: boolean;
  offersAwareness: boolean;
  isWzdx: boolean;
  isLarge: boolean;
  acs: boolean;
  managers: readonly NamedRef[];
  accessors: readonly NamedRef[];
  relation: 'own' | 'managed' | 'accessed';
  usersCount: number | undefined;
  /** Undefined for those who may not see assets. */
  thingsCount: number | undefined;
  version: number;
}

export const organizationTypes: readonly { id: string; name: string; displayName: string }[] = enums.organizationTypes;

export function recordOf(wire: WireOrganizationRow): OrganizationRecord {
  const type = organizationTypes.find(
    one => one.id === wire.organization_type.id || one.name === wire.organization_type.name,
  );
  return {
    ...addressOf(wire),
    id: wire.id,
    name: wire.name,
    email: wire.email,
    timezone: wire.timezone,
    typeId: type?.id ?? '',
    typeName: type?.displayName ?? wire.organization_type.name,
    contactName: wire.contact_name,
    phone: wire.phone_number,
    cellPhone: wire.cell_phone_number,
    eventWording: wire.event_wording,
    billingId: wire.billing_id,
    lockScreenMs: wire.lock_screen_ms,
    mfaRequired: wire.mfa_required,
    ssoOnly: wire.sso_only,
    offersAwareness: wire.show_infinite_timeout_option,
    isWzdx: wire.is_wzdx_org,
    isLarge: wire.is_large_org,
    acs: wire.organization_type.acs,
    managers: wire.organization_managers,
    accessors: wire.organization_accessors,
    relation: wire.relation,
    usersCount: wire.users_count,
    thingsCount: wire.things_count,
    version: wire.version,
  };
}

/** What the signed-in user's organization is to this one, in a word. */
export const relationText: Readonly<Record<OrganizationRecord['relation'], string>> = {
  own: 'Yours',
  managed: 'Managed',
  accessed: 'Accessed',
};

/** "5 minutes" for the idle time until the screen locks, "Never" for 0. */
export function lockText(ms: number): string {
  if (ms === 0) return 'Never';
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? 'After 1 minute' : `After ${minutes} minutes`;
}

/** Case-insensitive substring of name, place or contact. */
export function filterOrganizations(rows: readonly OrganizationRecord[], text: string): OrganizationRecord[] {
  const words = text.trim().toLowerCase();
  return rows.filter(row =>
    [row.name, row.city, row.contactName, row.email].some(t => t.toLowerCase().includes(words)),
  );
}

/** Where an organization is, on a line. */
export const placeText = (row: Address): string => [row.city, row.state].filter(Boolean).join(', ');

export const eventWordingText: Readonly<Record<OrganizationRecord['eventWording'], string>> = {
  default: 'Automatic',
  events: 'Events',
  incidents: 'Incidents',
};
