import limits from '@catalog/limits.json';
import permissions from '@catalog/permissions.json';
import * as z from 'zod/mini';
import { type Schemas, unchecked } from '~/api';
import { ageText, countOf } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import type { Words } from '~/model/organization';
import { email, needed, required, rulesOf, text } from '~/model/rules';

/** A user of an organization, or of one that manages or accesses it: a row of GET /organization/users. */
export type Member = Schemas['Member'];

/** "Dana Moore", else the address. */
export const fullName = (member: Pick<Member, 'firstname' | 'lastname' | 'email'>): string =>
  `${member.firstname} ${member.lastname}`.trim() || member.email;

const NAME_MAX = limits.text.name.value;

export const nameLines = {
  firstname: { label: 'First name', rule: needed(NAME_MAX), isRequired: true },
  lastname: { label: 'Last name', rule: needed(NAME_MAX), isRequired: true },
} as const;

const access = { role_id: z.string().check(required), organization_id: z.string() };

/** The rules of a new user (requirements 5.user). */
export const addSchema = z.object({ ...rulesOf(nameLines), ...access, email });

/** The rules of an edited user. */
export const editSchema = z.object({
  ...rulesOf(nameLines),
  ...access,
  phonenumber: text(limits.text.phone.value),
  awareness_mode_access: z.boolean(),
});

/** The badge of a user of a related organization; undefined for the organization's own. */
export const badgeOf = (member: Pick<Member, 'relation'>) =>
  ({ own: undefined, manager: 'MANAGER', accessor: 'ACCESS' })[member.relation];

/** How a user's way in stands, in words. */
export interface MemberStatus {
  kind: 'active' | 'invited' | 'suspended';
  text: string;
  tone: 'good' | 'neutral' | 'warn' | 'danger';
}

const DAY_MS = 86_400_000;
const INVITATION_MS = limits.session.invitationMs.value;
const NOTICE_MS = limits.session.passwordNoticeMs.value;

/** Suspended; invited and not yet here; a password that ends or has ended; else active. */
export function memberStatus(member: Member, now: Instant): MemberStatus {
  if (member.suspended) return { kind: 'suspended', text: 'Suspended', tone: 'danger' };
  if (member.invitation_open) {
    const at = instantOf(member.invited_at);
    if (now - at >= INVITATION_MS) return { kind: 'invited', text: 'Invitation expired', tone: 'warn' };
    const age = ageText(at, now);
    return { kind: 'invited', text: age === 'now' ? 'Invited just now' : `Invited ${age} ago`, tone: 'neutral' };
  }
  const ends = instantOf(member.password_expires_at);
  const left = ends - now;
  if (ends > 0 && left <= 0) return { kind: 'active', text: 'Password expired', tone: 'warn' };
  if (ends > 0 && left <= NOTICE_MS) {
    const days = Math.ceil(left / DAY_MS);
    return { kind: 'active', text: `Password expires in ${countOf(days, 'day')}`, tone: 'warn' };
  }
  return { kind: 'active', text: 'Active', tone: 'good' };
}

/** A role that can be given, of GET /roles. */
export interface Role {
  id: string;
  order: number;
  label: string;
}

/** Roles with an order, in that order; rows of another shape are dropped (requirements 3.role and 5.data). */
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

/** What each role is for, in a sentence; `events` is what the organization calls them. */
const PURPOSES: Readonly<Record<string, (events: string) => string>> = {
  viewer: events => `Can view assets, ${events}, areas, closures, zones, and hazards.`,
  operator: events => `Viewer, plus editing assets and ${events}, running closures, testing alerts, and viewing trips.`,
  manager: () => 'Operator, plus managing areas, closures, reports, and exports, and viewing users.',
  administrator: () => 'Full access to this organization, including users, assets, API keys, and billing.',
};

/** A role's purpose; undefined for one that the catalog does not know. */
export function rolePurpose(roleId: string, { events }: Pick<Words, 'events'>): string | undefined {
  return PURPOSES[permissions.roles.find(role => role.id === roleId)?.name ?? '']?.(events.toLowerCase());
}
