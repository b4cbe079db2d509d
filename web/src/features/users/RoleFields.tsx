import { type Control, type FieldPath, useWatch } from 'react-hook-form';
import { useAssignable } from '~/office';
import { useWords } from '~/section/words';
import { useProfile } from '~/session';
import { SelectLine } from '~/ui';
import { type Member, mayGrant, roleLabel, rolePurpose } from './member';
import { useRoles } from './queries';
import styles from './users.module.css';

type Access = Pick<Member, 'role_id' | 'organization_id'>;

export interface RoleFieldsProps<Form extends Access> {
  control: Control<Form>;
  /** The user as they stand, whose organization may not be among those that can be chosen. */
  member?: Member;
}

/** Role with what it is for, and the organization where there is more than one to choose from. */
export function RoleFields<Form extends Access>({ control, member }: RoleFieldsProps<Form>) {
  const { permissions, userId } = useProfile();
  const roles = useRoles();
  const words = useWords();
  // The compiler cannot follow a field's name through a type parameter.
  const at = (name: keyof Access) => name as FieldPath<Form>;
  const roleId = String(useWatch({ control, name: at('role_id') }) ?? '');
  const options = (roles ?? []).map(({ id, label }) => ({ id, label, isDisabled: !mayGrant(id, permissions) }));
  // A role that cannot be given stays what it is.
  if (roleId && roles && !options.some(one => one.id === roleId))
    options.push({ id: roleId, label: roleLabel(roleId, roles), isDisabled: true });
  const organizations = useAssignable().map(({ id, name }) => ({ id, label: name }));
  if (member && !organizations.some(one => one.id === member.organization_id))
    organizations.unshift({ id: member.organization_id, label: member.organization_name });
  // One's own role and organization are for others to change.
  const isOwn = member?.id === userId;
  const purpose = isOwn ? 'Only another administrator can change your role.' : rolePurpose(roleId, words);
  return (
    <>
      <SelectLine
        control={control}
        name={at('role_id')}
        label="Role"
        options={options}
        placeholder="Choose a role"
        isDisabled={isOwn}
      />
      {purpose && <p className={styles.purpose}>{purpose}</p>}
      {organizations.length > 1 && !isOwn && (
        <SelectLine control={control} name={at('organization_id')} label="Organization" options={organizations} />
      )}
    </>
  );
}
