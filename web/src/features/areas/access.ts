import type { Area } from '~/model/area';
import { useCan, useOrganization, useProfile } from '~/session';

/** Owns what it looks at, or is let in to see it alone (requirements 6.area). A courtesy; the server decides. */
const owns = (relation: 'own' | 'managed' | 'accessed' | undefined) => relation === 'own' || relation === 'managed';

/** Whether "+ Add" shows: to area-owning users, and to platform administrators. */
export function useAddShown(): boolean {
  const isPlatform = useCan('MANAGE_PLATFORM');
  return owns(useOrganization().relation) || isPlatform;
}

/** Whether an area may be edited, and deleted: its owners with the permission; those for automated vehicles by the platform alone. */
export function useMayChange(area: Pick<Area, 'organization_id' | 'isAV'>): { edit: boolean; delete: boolean } {
  const isPlatform = useCan('MANAGE_PLATFORM');
  const owner = useProfile().organizations.find(one => one.id === area.organization_id);
  const may = isPlatform || (owns(owner?.relation) && !area.isAV);
  return { edit: useCan('EDIT_AREA') && may, delete: useCan('DELETE_AREA') && may };
}
