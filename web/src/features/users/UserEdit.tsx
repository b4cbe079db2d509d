import { useQuery } from '@tanstack/react-query';
import { Cancel, EditForm, Permitted, RowPage, useDraft, useGoTo } from '~/office';
import { session, useProfile } from '~/session';
import { FormSection, FormTextField, PageHead, SwitchLine, TextLines, toast } from '~/ui';
import { editSchema, fullName, type Member, nameLines } from './member';
import { ToUsers } from './parts';
import { sayUser, users, useUserMutations } from './queries';
import { RoleFields } from './RoleFields';
import { MISSING, useMayDo } from './UserMenu';

/** Edits a user: names, phone, role, organization. */
export function UserEdit({ id }: { id: string }) {
  return (
    <RowPage query={useQuery(users.one(id))} back={<ToUsers />} title="User" missing={MISSING} edits>
      {member => (
        <>
          <PageHead back={<ToUsers />} title={`Edit ${fullName(member)}`} sentence={member.email} />
          <Form member={member} />
        </>
      )}
    </RowPage>
  );
}

function Form({ member }: { member: Member }) {
  const may = useMayDo(member);
  const goTo = useGoTo();
  const mutations = useUserMutations();
  const { userId } = useProfile();
  const page = { tab: 'user', id: member.id };
  const draft = useDraft({
    schema: editSchema,
    begun: member,
    read: ({ phone }) => ({ phonenumber: phone }),
    // Names and role are always sent (requirements 5.user).
    send: async (changes, { version }, { firstname, lastname, role_id }) => {
      await mutations.update(member.id, { ...changes, firstname, lastname, role_id }, version);
      if (member.id === userId) await session.reloadProfile();
      toast('User saved');
      await goTo(page);
    },
    say: sayUser,
    noun: 'user',
  });
  const { control } = draft;
  return (
    <Permitted may={may.edit}>
      <EditForm label="Edit user" draft={draft} cancel={<Cancel {...page} />}>
        <FormSection title="Person" hint="The sign-in email can't be changed.">
          <TextLines control={control} lines={nameLines} />
          <FormTextField control={control} name="phonenumber" label="Phone" type="tel" />
        </FormSection>
        <FormSection
          title="Access"
          hint="A new role takes effect immediately. Moving the user to another organization signs them out."
        >
          <RoleFields control={control} member={member} />
          <SwitchLine
            control={control}
            name="awareness_mode_access"
            label="Situational-awareness mode"
            hint="Stays signed in until manual sign-out, if the organization allows it. For wall displays."
          />
        </FormSection>
      </EditForm>
    </Permitted>
  );
}
