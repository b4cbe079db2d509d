import * as z from 'zod/mini';
import type { Schemas } from '~/api';
import type { RelationType, Thing } from '~/model/thing';
import type { Organization } from '~/session';

type OrganizationLists = Pick<Organization, 'managers' | 'accessors'>;

/**
 * Whether the edit links show, beside the permission: an organization that is only accessed may read, and so may one
 * that is an asset's accessor. A courtesy; the server decides.
 */
export function mayEditThing(
  thing: Pick<Thing, 'organization' | 'relationships'>,
  organization: Pick<Organization, 'id' | 'relation'>,
  hasPermission: boolean,
): boolean {
  if (!hasPermission || organization.relation === 'accessed') return false;
  if (thing.organization.id === organization.id) return true;
  const relations = thing.relationships.filter(r => r.organizationId === organization.id);
  return !relations.some(r => r.relationType === 'accessor') || relations.some(r => r.relationType === 'manager');
}

/**
 * Organization access can be edited with the edit permission and either relations of the asset, or managers or
 * accessors of its organization (requirements 6.assoc).
 */
export function mayEditAccess(
  thing: Pick<Thing, 'relationships'>,
  organization: OrganizationLists,
  mayEdit: boolean,
): boolean {
  return (
    mayEdit && (thing.relationships.length > 0 || organization.managers.length > 0 || organization.accessors.length > 0)
  );
}

/** What an organization may be to an asset; 'delete' is none, and what takes a relation away on the wire. */
export type AccessChoice = RelationType | 'delete';

/** One line of the access form. */
export interface AccessLine {
  organizationId: string;
  name: string;
  choice: AccessChoice;
}

/** What somebody may choose for each organization, by its id. */
export const accessSchema = (lines: readonly AccessLine[]) =>
  z.object(Object.fromEntries(lines.map(line => [line.organizationId, z.enum(['manager', 'accessor', 'delete'])])));

/** The body of the associations call: only what was changed. */
export type AccessEdit = Schemas['RelationshipWrite'];

/** Every organization that has or may get access: the asset's relations and the organization's managers and accessors. */
export function accessLines(
  thing: Pick<Thing, 'relationships' | 'organization'>,
  organization: OrganizationLists,
): AccessLine[] {
  const lines = new Map<string, AccessLine>();
  for (const o of [...organization.managers, ...organization.accessors]) {
    if (o.id !== thing.organization.id) lines.set(o.id, { organizationId: o.id, name: o.name, choice: 'delete' });
  }
  for (const r of thing.relationships) {
    lines.set(r.organizationId, { organizationId: r.organizationId, name: r.organizationName, choice: r.relationType });
  }
  return [...lines.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }));
}

/** The organizations in reach that own, else the one that is looked at: whose managers and accessors count. */
export function ownerOf(
  thing: Pick<Thing, 'organization'>,
  all: readonly Organization[],
  current: Organization,
): Organization {
  return all.find(o => o.id === thing.organization.id) ?? current;
}
