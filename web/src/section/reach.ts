import { useCan, useOrganization, useProfile } from '~/session';

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
