import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { texts } from '~/api';
import { managerPath } from '~/model/manager';
import { session, useProfile } from '~/session';
import {
  buttonClass,
  differences,
  EditForm,
  EmptyState,
  FormRow,
  FormSection,
  OfficeSheet,
  PageHead,
  SwitchLine,
  TextLine,
  toast,
  useBegun,
  useSaving,
} from '~/ui';
import { type EditForm as EditValues, editSchema, formOf, troubleOf, updateOf } from './form';
import { type Member, roleLabel } from './member';
import { ToUsers } from './parts';
import { useRoles, userQuery, useUserVerbs } from './queries';
import { RoleFields } from './RoleFields';
import { sayUser } from './say';
import { useMay } from './UserMenu';
import { UserFailed, UserHeadBones } from './UserRead';

const LABELS = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  roleId: 'Role',
  organizationId: 'Organization',
  hasAwarenessMode: 'Situational awareness',
} as const satisfies Record<keyof EditValues, string>;

/** Edits a user: names, phone, role, organization. */
export function UserEdit({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userQuery(id));
  const begun = useBegun(data);
  return (
    <OfficeSheet narrow>
      {begun ? (
        <Body member={begun} />
      ) : error ? (
        <UserFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <UserHeadBones />
      )}
    </OfficeSheet>
  );
}

function Body({ member }: { member: Member }) {
  const may = useMay(member);
  return (
    <>
      <PageHead back={<ToUsers />} title={`Edit ${member.fullName}`} sentence={member.email} />
      {may.edit ? <Form member={member} /> : <EmptyState title={texts.chrome.forbidden} />}
    </>
  );
}

function Form({ member }: { member: Member }) {
  const navigate = useNavigate();
  const verbs = useUserVerbs();
  const queries = useQueryClient();
  const { userId } = useProfile();
  const roles = useRoles() ?? [];
  const isOwn = member.id === userId;
  const back = managerPath('user', { view: 'formRead', target: member.id });
  const form = useForm<EditValues>({
    defaultValues: formOf(member),
    resolver: zodResolver(editSchema),
    mode: 'onTouched',
  });
  const saving = useSaving<EditValues, Member>(form, member, {
    send: async (values, base) => {
      await verbs.update(member.id, updateOf(base, values), base.version);
      if (isOwn) await session.reloadProfile();
      toast('User saved');
      await navigate({ href: back });
    },
    trouble: error => troubleOf(error, sayUser, () => queries.fetchQuery({ ...userQuery(member.id), staleTime: 0 })),
    formOf,
  });
  const { control } = form;
  const textOf = (name: keyof EditValues, value: unknown) => {
    if (typeof value === 'boolean') return value ? 'On' : 'Off';
    return name === 'roleId' ? roleLabel(String(value), roles) : String(value);
  };
  return (
    <EditForm
      label="Edit user"
      saving={saving}
      cancel={
        <Link to={back as '/'} className={buttonClass({})}>
          Cancel
        </Link>
      }
      rows={theirs => differences(form.getValues(), formOf(theirs), LABELS, textOf)}
    >
      <FormSection title="Person" hint="The sign-in email can't be changed.">
        <FormRow>
          <TextLine control={control} name="firstName" label="First name" isRequired />
          <TextLine control={control} name="lastName" label="Last name" isRequired />
        </FormRow>
        <TextLine control={control} name="phone" label="Phone" type="tel" />
      </FormSection>
      <FormSection
        title="Access"
        hint="A new role takes effect immediately. Moving the user to another organization signs them out."
      >
        <RoleFields
          control={control}
          roleName="roleId"
          organization="organizationId"
          present={{ id: member.organizationId, name: member.organizationName }}
          isOwn={isOwn}
        />
        <SwitchLine
          control={control}
          name="hasAwarenessMode"
          label="Situational-awareness mode"
          hint="Stays signed in until manual sign-out, if the organization allows it. For wall displays."
        />
      </FormSection>
    </EditForm>
  );
}
