import type { WireOrganization, WireProfile, WireSession } from '~/api';
import type { OrganizationFacts } from '~/model/organization';
import { isOrganizationRow } from '~/model/organizationRow';

/** An organization in the user's reach. */
export interface Organization extends OrganizationFacts {
  isLarge: boolean;
  isWzdx: boolean;
  /** May switch to other organizations. */
  /** What kind of organization it is, such as "Fire"; '' where it is not said. */
  typeName: string;
  acs: boolean;
  lat: number | null;
  lng: number | null;
  managers: readonly { id: string; name: string }[];
  accessors: readonly { id: string; name: string }[];
  /** After this time without use its users' screens lock; 0 means never. */
  lockScreenMs: number;
  /** The user's own, one that it manages, or one that it may read. */
  relation: 'own' | 'managed' | 'accessed';
}

/** Who is signed in and what is in reach. */
export interface Profile {
  userId: string;
  firstName: string;
  lastName: string;
  /** "Dana Moore", else the address. */
  fullName: string;
  /** "DM" */
  initials: string;
  email: string;
  permissions: ReadonlySet<string>;
  /** Allowed sections in order; the first is the default. */
  sections: readonly string[];
  /** The own one first, then managed, then accessed ones. */
  organizations: readonly [Organization, ...Organization[]];
  /** May switch the situational-awareness mode on. */
  mayAwareness: boolean;
  /** In situational-awareness mode: signed in until signing out by hand. */
  awareness: boolean;
  /** Absolute end of the session in server milliseconds; undefined when it has none. */
  endsAt: number | undefined;
  /** How this session was begun. */
  method: WireSession['method'];
  /** Title of the identity provider that may confirm who is there. */
  stepUpProvider?: string | undefined;
  /** Has an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  /** Until when a second factor must be added, in server milliseconds; undefined when none is missing. */
  secondFactorDue: number | undefined;
  /** When the password expires, in server milliseconds; undefined when it does not. */
  passwordExpiresAt: number | undefined;
}

/** Why a profile cannot be used: the token belongs to another organization than the user now does. */
export class OrganizationMismatch extends Error {
  override readonly name = 'OrganizationMismatch';
}

/** Maps GET /profile; throws `OrganizationMismatch` (requirements 4.auth and 7.user). */
export function profileOf(wire: WireProfile): Profile {
  const { user, organization } = wire;
  if (user.organization_id !== organization.id) throw new OrganizationMismatch();
  const fullName = `${user.firstname} ${user.lastname}`.trim() || user.email;
  const seen = new Set([organization.id]);
  const others = (list: readonly WireOrganization[], relation: Organization['relation']) =>
    list
      .filter(isOrganizationRow)
      .filter(one => !seen.has(one.id) && seen.add(one.id))
      .map(one => organizationOf(one, relation));
  return {
    userId: user.id,
    firstName: user.firstname,
    lastName: user.lastname,
    fullName,
    initials: initialsOf(user.firstname, user.lastname, user.email),
    email: user.email,
    permissions: new Set(user.permissions),
    sections: user.dashboard_access,
    organizations: [
      organizationOf(organization, 'own'),
      ...others(wire.managed_organizations, 'managed'),
      ...others(wire.accessed_organizations, 'accessed'),
    ],
    mayAwareness: user.has_awareness_mode_access,
    awareness: wire.session.awareness_mode,
    endsAt: instantOf(wire.session.ends_at),
    method: wire.session.method,
    stepUpProvider: wire.session.step_up_provider?.title,
    hasSecondFactor: user.second_factor,
    secondFactorDue: instantOf(user.second_factor_due),
    passwordExpiresAt: instantOf(user.password_expires_at),
  };
}

function instantOf(text: string | null | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}

function organizationOf(wire: WireOrganization, relation: Organization['relation']): Organization {
  return {
    id: wire.id,
    name: wire.name,
    timezone: wire.timezone,
    countryCode: wire.country_code,
    respondersType: wire.responders_type,
    eventWording: wire.event_wording,
    isLarge: wire.is_large_org,
    isWzdx: wire.is_wzdx_org,
    typeName: wire.organization_type.name,
    acs: wire.organization_type.acs,
    lat: wire.lat,
    lng: wire.lng,
    managers: wire.organization_managers,
    accessors: wire.organization_accessors,
    lockScreenMs: wire.lock_screen_ms,
    relation,
  };
}

function initialsOf(first: string, last: string, email: string): string {
  const letters = [first, last].map(name => [...name.trim()][0] ?? '').join('') || ([...email][0] ?? '?');
  return letters.toLocaleUpperCase();
}

/** Whether the organization select shows: the acs flag and several organizations (requirements 2.nav). */
export function maySwitch(profile: Profile): boolean {
  return profile.organizations[0].acs && profile.organizations.length > 1;
}
