import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { useProfile } from '~/session';
import { SelectLine } from '~/ui';
import { mayGrant, roleLabel, rolePurpose } from './member';
import { useAssignable, useRoles } from './queries';
import styles from './users.module.css';

export interface RoleFieldsProps<Form extends FieldValues> {
  control: Control<Form>;
  roleName: FieldPath<Form>;
  organization: FieldPath<Form>;
  /** The organization of the user as it stands, which may not be among those that can be chosen. */
  present?: { id: string; name: string };
  /** One's own role and organization are for others to change. */
  isOwn?: boolean;
}

/** Role with what it is for, and the organization where there is more than one to choose from. */
export function RoleFields<Form extends FieldValues>({
  control,
  roleName,
  organization,
  present,
  isOwn,
}: RoleFieldsProps<Form>) {
  const { permissions } = useProfile();
  const roles = useRoles();
  const assignable = useAssignable() ?? [];
  const roleId = String(useWatch({ control, name: roleName }) ?? '');
  const options = (roles ?? []).map(({ id, label }) => ({ id, label, isDisabled: !mayGrant(id, permissions) }));
  // A role that cannot be given stays what it is.
  if (roleId && roles && !options.some(one => one.id === roleId))
    options.push({ id: roleId, label: roleLabel(roleId, roles), isDisabled: true });
  const organizations = assignable.map(({ id, name }) => ({ id, label: name }));
  if (present && !organizations.some(one => one.id === present.id))
    organizations.unshift({ id: present.id, label: present.name });
  const purpose = rolePurpose(roleId);
  return (
    <>
      <SelectLine
        control={control}
        name={roleName}
        label="Role"
        options={options}
        placeholder="Choose a role"
        isDisabled={isOwn ?? false}
      />
      {isOwn ? (
        <p className={styles.purpose}>Only another administrator can change your role.</p>
      ) : (
        purpose && <p className={styles.purpose}>{purpose}</p>
      )}
      {organizations.length > 1 && !isOwn && (
        <SelectLine control={control} name={organization} label="Organization" options={organizations} />
      )}
    </>
  );
}
