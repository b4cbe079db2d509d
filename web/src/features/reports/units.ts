import { speedUnit } from '~/model/format';
import { useOrganization, useProfile } from '~/session';

/** Kilometers or miles, as the organization of a report reads them. */
export function useUnitOf(organizationId: string) {
  const here = useOrganization();
  const found = useProfile().organizations.find(one => one.id === organizationId) ?? here;
  return speedUnit(found.countryCode);
}
