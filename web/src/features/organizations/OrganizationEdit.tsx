import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import { texts } from '~/api';
import { addressLaw } from '~/model/address';
import { managerPath } from '~/model/manager';
import { session, useCan } from '~/session';
import {
  AddressFields,
  buttonClass,
  differences,
  EditForm,
  EmptyState,
  FormRow,
  FormSection,
  Notice,
  OfficeSheet,
  PageHead,
  SelectLine,
  SwitchLine,
  TextLine,
  toast,
  useBegun,
  useSaving,
} from '~/ui';
import { formOf, lockChoices, type OrganizationForm, organizationSchema, timeZones, troubleOf, updateOf } from './form';
import { eventWordingText, lockText, type OrganizationRecord, organizationTypes } from './organization';
import styles from './organizations.module.css';
import { OrganizationBones, OrganizationFailed, ToOrganizations } from './parts';
import { organizationQuery, useOrganizationVerbs } from './queries';

/** Edits an organization: contact, address, words, security. */
export function OrganizationEdit({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(organizationQuery(id));
  const begun = useBegun(data);
  return (
    <OfficeSheet narrow>
      {begun ? (
        <Body record={begun} />
      ) : error ? (
        <OrganizationFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <OrganizationBones />
      )}
    </OfficeSheet>
  );
}

function Body({ record }: { record: OrganizationRecord }) {
  const mayEdit = useCan('EDIT_ORGANIZATION') && record.relation !== 'accessed';
  return (
    <>
      <PageHead back={<ToOrganizations />} title={`Edit ${record.name}`} />
      {mayEdit ? <Form record={record} /> : <EmptyState title={texts.chrome.forbidden} />}
    </>
  );
}

function Form({ record }: { record: OrganizationRecord }) {
  const navigate = useNavigate();
  const verbs = useOrganizationVerbs();
  const queries = useQueryClient();
  const isSuper = useCan('MANAGE_PLATFORM');
  const back = managerPath('organization', { view: 'formRead', target: record.id });
  const form = useForm<OrganizationForm>({
    defaultValues: formOf(record),
    resolver: zodResolver(organizationSchema),
    mode: 'onTouched',
  });
  const saving = useSaving<OrganizationForm, OrganizationRecord>(form, record, {
    send: async (values, base) => {
      await verbs.save(base, updateOf(base, values));
      await session.reloadProfile();
      toast('Organization saved');
      await navigate({ href: back });
    },
    trouble: error =>
      troubleOf(error, record.relation === 'own' ? 'organization.edit' : 'organization.update', () =>
        queries.fetchQuery({ ...organizationQuery(record.id), staleTime: 0 }),
      ),
    formOf,
  });
  const { control } = form;
  return (
    <EditForm
      label="Edit organization"
      saving={saving}
      cancel={
        <Link to={back as '/'} className={buttonClass({})}>
          Cancel
        </Link>
      }
      rows={theirs => differences(form.getValues(), formOf(theirs), LABELS, textOf)}
    >
      <General control={control} record={record} isSuper={isSuper} />
      <FormSection title="Contact" hint="Who to contact about this organization.">
        <FormRow>
          <TextLine control={control} name="contactName" label="Contact name" />
          <TextLine control={control} name="email" label="Email" type="email" />
        </FormRow>
        <FormRow>
          <TextLine control={control} name="phone" label="Phone" type="tel" />
          <TextLine control={control} name="cellPhone" label="Cell phone" type="tel" />
        </FormRow>
      </FormSection>
      <FormSection title="Address">
        <AddressFields form={form} law={addressLaw} />
      </FormSection>
      <Security control={control} record={record} />
      {isSuper && <Platform control={control} />}
    </EditForm>
  );
}

interface PartProps {
  control: Control<OrganizationForm>;
  record: OrganizationRecord;
}

function General({ control, record, isSuper }: PartProps & { isSuper: boolean }) {
  const zones = useMemo(() => timeZones(record.timezone).map(id => ({ id, label: id })), [record.timezone]);
  return (
    <FormSection title="Organization" hint="Name, time zone, and terms.">
      <TextLine control={control} name="name" label="Name" isRequired />
      <FormRow>
        <SelectLine
          control={control}
          name="typeId"
          label="Type"
          options={organizationTypes.map(({ id, displayName }) => ({ id, label: displayName }))}
          placeholder={record.typeName}
          isDisabled={!isSuper}
        />
        <SelectLine control={control} name="timezone" label="Time zone" options={zones} />
      </FormRow>
      <SelectLine
        control={control}
        name="eventWording"
        label="What to call events"
        options={Object.entries(eventWordingText).map(([id, label]) => ({ id, label }))}
      />
    </FormSection>
  );
}

function Security({ control, record }: PartProps) {
  const ssoOnly = useWatch({ control, name: 'ssoOnly' });
  const mfaRequired = useWatch({ control, name: 'mfaRequired' });
  return (
    <FormSection title="Security" hint="Sign-in requirements for every user.">
      <SelectLine
        control={control}
        name="lockScreen"
        label="Lock screen when idle"
        options={lockChoices(record.lockScreenMs).map(ms => ({ id: String(ms), label: lockText(ms) }))}
      />
      <SwitchLine
        control={control}
        name="mfaRequired"
        label="Require two-factor authentication"
        hint="Users without 2FA set it up at their next sign-in. Current sessions without it end within 24 hours."
      />
      <SwitchLine
        control={control}
        name="ssoOnly"
        label="Require single sign-on"
        hint="Users sign in with your identity provider and passwords stop working. Break-glass accounts keep their passwords."
      />
      {ssoOnly && !record.ssoOnly && (
        <div className={styles.warn} role="status">
          <Notice tone="warn">
            After you save, only users with an account at your provider can sign in. Before you sign out, make sure at
            least one administrator can.
          </Notice>
        </div>
      )}
      {mfaRequired && !record.mfaRequired && (
        <div role="status">
          <Notice>
            {record.usersCount === undefined ? 'Every user' : `All ${record.usersCount} users`} of this organization
            will need an authenticator app or a passkey.
          </Notice>
        </div>
      )}
    </FormSection>
  );
}

function Platform({ control }: { control: Control<OrganizationForm> }) {
  return (
    <FormSection title="Platform" hint="For platform operators only.">
      <SwitchLine
        control={control}
        name="offersAwareness"
        label="Allow situational-awareness mode"
        hint="Permitted users can stay signed in until they sign out manually."
      />
      <SwitchLine
        control={control}
        name="isLarge"
        label="Large organization"
        hint="Updates every 15 seconds instead of live streaming."
      />
      <SwitchLine
        control={control}
        name="acs"
        label="Organization switching"
        hint="Users with access to several organizations can switch between them."
      />
    </FormSection>
  );
}

const LABELS: Partial<Record<keyof OrganizationForm, string>> = {
  name: 'Name',
  email: 'Email',
  contactName: 'Contact name',
  phone: 'Phone',
  cellPhone: 'Cell phone',
  address1: 'Address',
  address2: 'Address 2',
  city: 'City',
  state: 'State',
  postalCode: 'Postal code',
  countryCode: 'Country',
  timezone: 'Time zone',
  eventWording: 'What to call events',
  lockScreen: 'Lock screen',
  mfaRequired: 'Require two-factor authentication',
  ssoOnly: 'Single sign-on only',
};

function textOf(name: keyof OrganizationForm, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (name === 'lockScreen') return lockText(Number(value));
  if (name === 'eventWording') return eventWordingText[value as OrganizationRecord['eventWording']];
  return String(value);
}
