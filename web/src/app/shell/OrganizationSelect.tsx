import { maySwitch, session, useOrganization, useProfile } from '~/session';
import { Select } from '~/ui/Select';

/** Which organization is looked at: for organizations with the acs flag and several in reach. */
export function OrganizationSelect() {
  const profile = useProfile();
  const organization = useOrganization();
  if (!maySwitch(profile)) return null;
  return (
    <Select
      label="Organization"
      hideLabel
      look="float"
      options={profile.organizations.map(one => ({ id: one.id, label: one.name }))}
      value={organization.id}
      onChange={id => session.switchOrganization(id)}
    />
  );
}
