import permissions from '@catalog/permissions.json';
import { useQuery } from '@tanstack/react-query';
import { ADDRESS_FIELDS } from '~/model/address';
import { NONE } from '~/model/format';
import { AddressFields, Back, Cancel, EditForm, Loaded, Permitted, sayMarked, useDraft, useGoTo } from '~/office';
import { useCan, useProfile } from '~/session';
import { FormRow, FormSection, FormTextField, PageHead, TextField, TextLines, toast } from '~/ui';
import { nameLines, type Person, personSchema, readPerson, updateOf } from './person';
import { personQuery, useProfileMutations } from './queries';

/** Edits the own profile: names, phone, address. Role and organization are read-only. Without `onDone` it is a page. */
export function ProfileEdit({ onDone }: { onDone?: () => void }) {
  return (
    <>
      {!onDone && <PageHead back={<Back tab="account">Account</Back>} title="Edit profile" />}
      <Permitted may={useCan('EDIT_USER')}>
        <Loaded query={useQuery(personQuery)} operation="profile.update" label="Loading profile" height={240} begun>
          {person => <Form person={person} {...(onDone ? { onDone } : {})} />}
        </Loaded>
      </Permitted>
    </>
  );
}

function Form({ person, onDone }: { person: Person; onDone?: () => void }) {
  const goTo = useGoTo();
  const mutations = useProfileMutations();
  const [own] = useProfile().organizations;
  const draft = useDraft({
    schema: personSchema,
    begun: person,
    read: row => readPerson(row, own.countryCode),
    together: [ADDRESS_FIELDS],
    send: async (_, base, values) => {
      await mutations.save(base, updateOf(base, values));
      toast('Profile saved');
      if (onDone) onDone();
      else await goTo({ tab: 'account' });
    },
    say: sayMarked('profile.update'),
    noun: 'profile',
  });
  const { control } = draft;
  return (
    <EditForm label="Edit profile" draft={draft} cancel={onDone ?? <Cancel tab="account" />}>
      <FormSection title="Person" hint="Your name and phone number.">
        <TextLines control={control} lines={nameLines} />
        <FormTextField control={control} name="phonenumber" label="Phone" type="tel" autoComplete="tel" />
      </FormSection>
      <FormSection title="Address" hint="Optional.">
        <AddressFields form={draft.form} />
      </FormSection>
      <FormSection title="Access" hint="Only another administrator can change these.">
        <FormRow>
          <TextField
            label="Role"
            value={permissions.roles.find(role => role.id === person.role_id)?.label ?? NONE}
            isReadOnly
          />
          <TextField label="Organization" value={own.name} isReadOnly />
        </FormRow>
        <TextField label="Organization type" value={own.typeName || NONE} isReadOnly />
      </FormSection>
    </EditForm>
  );
}
