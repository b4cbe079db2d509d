import { type Requirement, useCan, useOrganization, useProfile } from '~/session';

type Relation = 'own' | 'managed' | 'accessed' | undefined;
const isFull = (relation: Relation) => relation === 'own' || relation === 'managed';

/** Whether somebody acts for an organization: it is theirs or they manage it; the platform does for all. A courtesy; the server decides. */
export function useFullReach(organizationId: string): boolean {
  const isPlatform = useCan('MANAGE_PLATFORM');
  const found = useProfile().organizations.find(one => one.id === organizationId);
  return isPlatform || isFull(found?.relation);
}

/** The same of the organization that is looked at. */
export const useActsHere = (): boolean => useFullReach(useOrganization().id);

/** Whether somebody may do something with the rows of an organization: it takes the permission, and to act for it. */
export function useMay(requirement: Requirement, organizationId: string): boolean {
  const can = useCan(requirement);
  return useFullReach(organizationId) && can;
}

/** The same in the organization that is looked at. */
export const useMayHere = (requirement: Requirement): boolean => useMay(requirement, useOrganization().id);
