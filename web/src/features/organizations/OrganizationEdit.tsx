import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { ADDRESS_FIELDS } from '~/model/address';
import { timeZones } from '~/model/localTime';
import { AddressFields, Back, Cancel, EditForm, Permitted, RowPage, sayMarked, useDraft, useGoTo } from '~/office';
import { session, useCan, useMay } from '~/session';
import { FormRow, FormSection, FormTextField, Notice, PageHead, SelectLine, SwitchLine, TextLines, toast } from '~/ui';
import { DriversPage } from './DriversPage';
import { LicenseLine } from './LicenseLine';
import {
  contactLines,
  eventWordingText,
  lockChoices,
  lockText,
  type OrganizationForm,
  type OrganizationRow,
  organizationSchema,
  organizationTypes,
  readOrganization,
  typeName,
} from './organization';
import styles from './organizations.module.css';
import { organizations, useOrganizationMutations } from './queries';

/** Edits an organization: contact, address, words, security. */
export function OrganizationEdit({ id }: { id: string }) {
  const back = <Back tab="organization">Organizations</Back>;
  return (
    <RowPage
      query={useQuery(organizations.one(id))}
      back={back}
      title="Organization"
      operation="organization.load"
      edits
    >
      {row => (
        <>
          <PageHead back={back} title={`Edit ${row.name}`} />
          <Form row={row} />
        </>
      )}
    </RowPage>
  );
}

function Form({ row }: { row: OrganizationRow }) {
  const goTo = useGoTo();
  const mutations = useOrganizationMutations();
  const isSuper = useCan('MANAGE_PLATFORM');
  const mayEdit = useMay('EDIT_ORGANIZATION', row);
  const page = { tab: 'organization', id: row.id };
  const draft = useDraft({
    schema: organizationSchema,
    begun: row,
    read: readOrganization,
    together: [ADDRESS_FIELDS],
    send: async (changes, base) => {
      await mutations.save(base, changes);
      await session.reloadProfile();
      toast('Organization saved');
      await goTo(page);
    },
    say: sayMarked(row.relation === 'own' ? 'organization.edit' : 'organization.update'),
    noun: 'organization',
  });
  const { control } = draft;
  return (
    <Permitted may={mayEdit}>
      <EditForm label="Edit organization" draft={draft} cancel={<Cancel {...page} />}>
        <General control={control} row={row} isSuper={isSuper} />
        <FormSection title="Contact" hint="Who to contact about this organization.">
          <TextLines control={control} lines={contactLines} />
        </FormSection>
        <FormSection title="Address">
          <AddressFields form={draft.form} />
        </FormSection>
        <Security control={control} row={row} />
        {row.is_wzdx_org && (
          <FormSection title="Feeds" hint="Who can read the closures you publish, and under what license.">
            <SwitchLines control={control} lines={feeds} />
            <LicenseLine control={control} />
            <DriversPage control={control} row={row} />
          </FormSection>
        )}
        {isSuper && (
          <FormSection title="Platform" hint="For platform operators only.">
            <SwitchLines control={control} lines={platform} />
          </FormSection>
        )}
      </EditForm>
    </Permitted>
  );
}

interface PartProps {
  control: Control<OrganizationForm>;
  row: OrganizationRow;
}

function General({ control, row, isSuper }: PartProps & { isSuper: boolean }) {
  const zones = useMemo(() => timeZones(row.timezone).map(id => ({ id, label: id })), [row.timezone]);
  return (
    <FormSection title="Organization" hint="Name, time zone, and terms.">
      <FormTextField control={control} name="name" label="Name" isRequired />
      <FormRow>
        <SelectLine
          control={control}
          name="organization_type_id"
          label="Type"
          options={organizationTypes.map(({ id, displayName }) => ({ id, label: displayName }))}
          placeholder={typeName(row)}
          isDisabled={!isSuper}
        />
        <SelectLine control={control} name="timezone" label="Time zone" options={zones} />
      </FormRow>
      <SelectLine
        control={control}
        name="event_wording"
        label="What to call events"
        options={Object.entries(eventWordingText).map(([id, label]) => ({ id, label }))}
      />
    </FormSection>
  );
}

function Security({ control, row }: PartProps) {
  const ssoOnly = useWatch({ control, name: 'sso_only' });
  const mfaRequired = useWatch({ control, name: 'mfa_required' });
  return (
    <FormSection title="Security" hint="Sign-in requirements for every user.">
      <SelectLine
        control={control}
        name="lock_screen_ms"
        label="Lock screen when idle"
        options={lockChoices(row.lock_screen_ms).map(ms => ({ id: String(ms), label: lockText(ms) }))}
      />
      <SwitchLines control={control} lines={security} />
      {ssoOnly && !row.sso_only && (
        <div className={styles.warn} role="status">
          <Notice tone="warn">
            After you save, only users with an account at your provider can sign in. Before you sign out, make sure at
            least one administrator can.
          </Notice>
        </div>
      )}
      {mfaRequired && !row.mfa_required && (
        <div role="status">
          <Notice>All {row.users_count} users of this organization will need an authenticator app or a passkey.</Notice>
        </div>
      )}
    </FormSection>
  );
}

interface SwitchRow {
  name: keyof OrganizationForm;
  label: string;
  hint: string;
}

const security: readonly SwitchRow[] = [
  {
    name: 'mfa_required',
    label: 'Require two-factor authentication',
    hint: 'Users without 2FA set it up at their next sign-in. Current sessions without it end within 24 hours.',
  },
  {
    name: 'sso_only',
    label: 'Require single sign-on',
    hint: 'Users sign in with your identity provider and passwords stop working. Break-glass accounts keep their passwords.',
  },
];

const feeds: readonly SwitchRow[] = [
  {
    name: 'feeds_public',
    label: 'Make feeds public',
    hint: 'Anyone can read your feeds without a key, and a public page lists your closures.',
  },
  {
    name: 'alerts_public',
    label: 'Make alerts public',
    hint: 'Anyone can follow your alerts to drivers without a key: assets with their lights on, closures, and hazards.',
  },
];

const platform: readonly SwitchRow[] = [
  {
    name: 'show_infinite_timeout_option',
    label: 'Allow situational-awareness mode',
    hint: 'Permitted users can stay signed in until they sign out manually.',
  },
  {
    name: 'is_wzdx_org',
    label: 'Work zone feeds',
    hint: 'Closures can be published as WZDx, CWZ, and CIFS feeds.',
  },
  { name: 'is_large_org', label: 'Large organization', hint: 'Updates every 15 seconds instead of live streaming.' },
  {
    name: 'acs',
    label: 'Organization switching',
    hint: 'Users with access to several organizations can switch between them.',
  },
];

const SwitchLines = ({ control, lines }: { control: Control<OrganizationForm>; lines: readonly SwitchRow[] }) =>
  lines.map(line => <SwitchLine key={line.name} control={control} {...line} />);
