import limits from '@catalog/limits.json';
import permissions from '@catalog/permissions.json';
import { type Schemas, unchecked } from '~/api';
import { ageText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';

/** A row of GET /organization/users, as the wire has it. */
export type WireMember = Schemas['Member'];

/** A user of an organization, or of one that manages or accesses it. */
export interface Member {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** "Dana Moore", else the address. */
  fullName: string;
  phone: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
  roleId: string;
  organizationId: string;
  organizationName: string;
  /** `manager` and `accessor` belong to another organization: badges MANAGER and ACCESS. */
  relation: 'own' | 'manager' | 'accessor';
  /** In full reach, and holding no more than the signed-in user does. */
  canEdit: boolean;
  isSuspended: boolean;
  invitedAt: Instant;
  /** Invited and not signed in yet. */
  isInvited: boolean;
  /** Signs in by a provider and was given no password. */
  hasNoPassword: boolean;
  signInCount: number;
  lastSignInAt: Instant;
  passwordExpiresAt: Instant;
  hasSecondFactor: boolean;
  hasAwarenessMode: boolean;
  hasApiKeys: boolean;
  /** API keys of this user that work. */
  apiKeys: number;
  version: number;
}

export function memberOf(wire: WireMember): Member {
  return {
    id: wire.id,
    email: wire.email,
    firstName: wire.firstname,
    lastName: wire.lastname,
    fullName: `${wire.firstname} ${wire.lastname}`.trim() || wire.email,
    phone: wire.phone,
    address1: wire.address1,
    address2: wire.address2,
    city: wire.city,
    state: wire.state.toUpperCase(),
    postalCode: wire.postal_code,
    countryCode: wire.country_code,
    roleId: wire.role_id,
    organizationId: wire.organization_id,
    organizationName: wire.organization_name,
    relation: wire.relation,
    canEdit: wire.can_edit,
    isSuspended: wire.suspended,
    invitedAt: instantOf(wire.invited_at),
    isInvited: wire.invitation_open,
    hasNoPassword: wire.no_password,
    signInCount: wire.sign_in_count,
    lastSignInAt: instantOf(wire.last_sign_in_at),
    passwordExpiresAt: instantOf(wire.password_expires_at),
    hasSecondFactor: wire.second_factor,
    hasAwarenessMode: wire.awareness_mode_access,
    hasApiKeys: wire.has_api_keys,
    apiKeys: wire.api_keys,
    version: wire.version,
  };
}

/** The badge of a user of a related organization; undefined for the organization's own. */
export function badgeOf(member: Pick<Member, 'relation'>): 'MANAGER' | 'ACCESS' | undefined {
  return { own: undefined, manager: 'MANAGER' as const, accessor: 'ACCESS' as const }[member.relation];
}

/** How a user's way in stands, in words. */
export interface Standing {
  kind: 'active' | 'invited' | 'suspended';
  text: string;
  tone: 'good' | 'neutral' | 'warn' | 'danger';
}

const DAY_MS = 86_400_000;
const INVITATION_MS = limits.session.invitationMs.value;
const NOTICE_MS = limits.session.passwordNoticeMs.value;

/** Suspended; invited and not yet here; a password that ends or has ended; else active. */
export function standingOf(member: Member, now: Instant): Standing {
  if (member.isSuspended) return { kind: 'suspended', text: 'Suspended', tone: 'danger' };
  if (member.isInvited) {
    if (now - member.invitedAt >= INVITATION_MS) return { kind: 'invited', text: 'Invitation expired', tone: 'warn' };
    const age = ageText(member.invitedAt, now);
    return { kind: 'invited', text: age === 'now' ? 'Invited just now' : `Invited ${age} ago`, tone: 'neutral' };
  }
  const left = member.passwordExpiresAt - now;
  if (member.passwordExpiresAt > 0 && left <= 0) return { kind: 'active', text: 'Password expired', tone: 'warn' };
  if (member.passwordExpiresAt > 0 && left <= NOTICE_MS) {
    const days = Math.ceil(left / DAY_MS);
    return { kind: 'active', text: `Password expires in ${days} ${days === 1 ? 'day' : 'days'}`, tone: 'warn' };
  }
  return { kind: 'active', text: 'Active', tone: 'good' };
}

/** What the list lets through. */
export interface MemberFilter {
  text: string;
  /** A role's id, '' for all. */
  roleId: string;
  kind: 'all' | Standing['kind'];
}

/** Case-insensitive substring of name, address or organization; role; standing. */
export function filterMembers(members: readonly Member[], filter: MemberFilter, now: Instant): Member[] {
  const words = filter.text.trim().toLowerCase();
  return members.filter(
    member =>
      (words === '' ||
        [member.fullName, member.email, member.organizationName].some(text => text.toLowerCase().includes(words))) &&
      (filter.roleId === '' || member.roleId === filter.roleId) &&
      (filter.kind === 'all' || standingOf(member, now).kind === filter.kind),
  );
}

/** A role that can be given, of GET /roles. */
export interface Role {
  id: string;
  order: number;
  label: string;
}

/** Roles with an order, in that order; rows of another shape are dropped (specification sections 3 and 5). */
export function rolesOf(wire: unknown): Role[] {
  const rows = Array.isArray(wire) ? wire : [];
  return rows.filter(isRole).sort((a, b) => a.order - b.order);
}

function isRole(row: unknown): row is Role {
  const { id, order, label } = unchecked<Schemas['Role']>(row);
  return typeof id === 'string' && id !== '' && typeof order === 'number' && typeof label === 'string' && label !== '';
}

/** A role's name, also of those that cannot be given; '–' for one that is not known. */
export function roleLabel(id: string, roles: readonly Role[]): string {
  return roles.find(role => role.id === id)?.label ?? permissions.roles.find(role => role.id === id)?.label ?? '–';
}

/** What a role of the catalog may do, its included roles' permissions as well. */
export function permissionsOf(roleId: string): Set<string> {
  const all = new Set<string>();
  let role = permissions.roles.find(one => one.id === roleId);
  while (role) {
    for (const permission of role.permissions) all.add(permission);
    const { includes } = role as { includes?: string };
    role = permissions.roles.find(one => one.name === includes);
  }
  return all;
}

/** Nobody gives more than they have themselves; roles the catalog does not know are the server's to judge. */
export function mayGrant(roleId: string, mine: ReadonlySet<string>): boolean {
  const has = (permission: string) =>
    mine.has(permission) || mine.has(`${permission.slice(0, permission.lastIndexOf(':'))}:manage`);
  return [...permissionsOf(roleId)].every(has);
}

/** What each role is for, in a sentence (decisions: roles). */
const PURPOSES: Readonly<Record<string, string>> = {
  viewer: 'Can view assets, incidents, areas, closures, zones, and hazards.',
  operator: 'Viewer, plus editing assets and incidents, running closures, testing alerts, and viewing trips.',
  manager: 'Operator, plus managing areas, closures, reports, and exports, and viewing users.',
  administrator: 'Full access to this organization, including users, assets, API keys, and billing.',
};

/** A role's purpose; undefined for one that the catalog does not know. */
export function rolePurpose(roleId: string): string | undefined {
  return PURPOSES[permissions.roles.find(role => role.id === roleId)?.name ?? ''];
}
