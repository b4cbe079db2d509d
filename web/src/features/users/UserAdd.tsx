import limits from '@catalog/limits.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { say, texts } from '~/api';
import { managerPath } from '~/model/manager';
import { useCan, useOrganization } from '~/session';
import {
  buttonClass,
  EditForm,
  EmptyState,
  FormRow,
  FormSection,
  OfficeSheet,
  PageHead,
  TextLine,
  toast,
  useSaving,
} from '~/ui';
import { type AddForm, addSchema, newUserOf, troubleOf } from './form';
import { ToUsers } from './parts';
import { useUserVerbs } from './queries';
import { RoleFields } from './RoleFields';

const DAYS = Math.round(limits.session.invitationMs.value / 86_400_000);

/** Adds a user, who gets an invitation by mail. */
export function UserAdd() {
  const organization = useOrganization();
  const mayAdd = useCan('ADD_USER') && organization.relation !== 'accessed';
  return (
    <OfficeSheet narrow>
      <PageHead
        back={<ToUsers />}
        title="Add user"
        sentence={`We'll email an invitation to the address below. The link works once, for ${DAYS} days.`}
      />
      {mayAdd ? <Form organizationId={organization.id} /> : <EmptyState title={texts.chrome.forbidden} />}
    </OfficeSheet>
  );
}

function Form({ organizationId }: { organizationId: string }) {
  const navigate = useNavigate();
  const verbs = useUserVerbs();
  const blank: AddForm = { firstName: '', lastName: '', email: '', roleId: '', organizationId };
  const form = useForm<AddForm>({ defaultValues: blank, resolver: zodResolver(addSchema), mode: 'onTouched' });
  const saving = useSaving(form, blank, {
    send: async values => {
      const member = await verbs.add(newUserOf(values));
      toast(`Invitation sent to ${member.email}`);
      await navigate({ href: managerPath('user', { view: 'formRead', target: member.id }) });
    },
    trouble: async error => {
      const { text, fields } = await troubleOf(error, thrown => say('user.add', thrown));
      return { ...(text ? { text } : {}), ...(fields ? { fields } : {}) };
    },
    formOf: row => row,
  });
  const { control } = form;
  return (
    <EditForm
      label="Add user"
      submit="Add user"
      saving={saving}
      cancel={
        <Link to={managerPath('user') as '/'} className={buttonClass({})}>
          Cancel
        </Link>
      }
    >
      <FormSection title="Person" hint="Their name and contact details.">
        <FormRow>
          <TextLine control={control} name="firstName" label="First name" isRequired autoFocus />
          <TextLine control={control} name="lastName" label="Last name" isRequired />
        </FormRow>
        <TextLine control={control} name="email" label="Email" type="email" isRequired />
      </FormSection>
      <FormSection title="Access" hint="What they can see and do.">
        <RoleFields control={control} roleName="roleId" organization="organizationId" />
      </FormSection>
    </EditForm>
  );
}
