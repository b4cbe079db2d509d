import limits from '@catalog/limits.json';
import { Cancel, EditForm, Permitted, useDraft, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import { FormSection, FormTextField, OfficePage, PageHead, TextLines } from '~/ui';
import { addSchema, nameLines } from './member';
import { ToUsers } from './parts';
import { useUserMutations } from './queries';
import { RoleFields } from './RoleFields';

const DAYS = Math.round(limits.session.invitationMs.value / 86_400_000);

/** Adds a user, who gets an invitation by mail. */
export function UserAdd() {
  return (
    <OfficePage narrow>
      <PageHead
        back={<ToUsers />}
        title="Add user"
        sentence={`We'll email an invitation to the address below. The link works once, for ${DAYS} days.`}
      />
      <Permitted may={useMay('ADD_USER')}>
        <Form />
      </Permitted>
    </OfficePage>
  );
}

function Form() {
  const { id } = useOrganization();
  const goTo = useGoTo();
  const mutations = useUserMutations();
  const draft = useDraft({
    schema: addSchema,
    begun: { firstname: '', lastname: '', email: '', role_id: '', organization_id: id },
    send: async (_, __, values) => {
      const member = await mutations.add(values);
      void mutations.tellInvited(member);
      await goTo({ tab: 'user', id: member.id });
    },
    say: 'user.add',
  });
  const { control } = draft;
  return (
    <EditForm label="Add user" submit="Add user" draft={draft} cancel={<Cancel tab="user" />}>
      <FormSection title="Person" hint="Their name and contact details.">
        <TextLines control={control} lines={nameLines} autoFocus />
        <FormTextField control={control} name="email" label="Email" type="email" isRequired />
      </FormSection>
      <FormSection title="Access" hint="What they can see and do.">
        <RoleFields control={control} />
      </FormSection>
    </EditForm>
  );
}
