import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { serverClock } from '~/lib/clock';
import { Back, Cancel, EditForm, Permitted, things, useDraft, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import {
  Button,
  Codes,
  Dialog,
  FormSection,
  FormTextField,
  OfficePage,
  PageHead,
  SegmentedLine,
  SelectLine,
} from '~/ui';
import { blank, keySchema, kinds, lives, newKeyOf, sayKey, useKeyMutations, uses } from './key';
import styles from './keys.module.css';

const ENDING = 'The key stops working after this. Those who can create another get an email 30 and 7 days before.';
const ENDLESS =
  'The key works until someone revokes it, also if its secret leaks. Revoke keys that nobody uses anymore.';

/** Makes a key; its secret is shown once. */
export function KeyAdd() {
  return (
    <OfficePage narrow>
      <PageHead
        back={<Back tab="key">API keys</Back>}
        title="Create key"
        sentence="Devices and gateways send it with every report. Create one for each."
      />
      <Permitted may={useMay('ADD_KEY')}>
        <Form />
      </Permitted>
    </OfficePage>
  );
}

function Form() {
  const { id } = useOrganization();
  const goTo = useGoTo();
  const mutations = useKeyMutations();
  const [token, setToken] = useState<string>();
  const draft = useDraft({
    schema: keySchema,
    begun: blank,
    send: async (_, __, values) => setToken((await mutations.create(newKeyOf(values, id, serverClock.now()))).token),
    say: sayKey,
  });
  const { control } = draft;
  const kind = useWatch({ control, name: 'kind' });
  const life = useWatch({ control, name: 'life' });
  return (
    <>
      <EditForm label="Create key" submit="Create key" draft={draft} cancel={<Cancel tab="key" />}>
        <FormSection title="Name" hint="For example: gateway, vendor, phone.">
          <FormTextField control={control} name="description" label="Description" isRequired autoFocus />
        </FormSection>
        <FormSection title="Key for" hint="Use a single-asset key for a phone with a tracker app.">
          <SegmentedLine control={control} name="kind" label="Key for" options={kinds} />
          {kind === 'one' && <AssetLine control={control} />}
        </FormSection>
        {kind === 'all' && (
          <FormSection
            title="Allowed to"
            hint="Vehicles only need to report. Choose Register for systems that add assets, Read for those that inform drivers."
          >
            <SelectLine control={control} name="scopes" label="Allowed to" options={uses} hideLabel />
          </FormSection>
        )}
        <FormSection title="Expires" hint={life === 'never' ? ENDLESS : ENDING}>
          <SegmentedLine control={control} name="life" label="Expires after" options={lives} />
        </FormSection>
      </EditForm>
      {token && (
        <Dialog
          isOpen
          mustAnswer
          wide
          title="Save this key now"
          actions={
            <Button variant="primary" onPress={() => void goTo({ tab: 'key' })}>
              I've saved it
            </Button>
          }
        >
          <p className={styles.once}>You won't see it again.</p>
          <Codes codes={[token]} label="API key" fileName="api-key.txt" />
        </Dialog>
      )}
    </>
  );
}

/** The organization's assets by name, for a key of one of them. */
function AssetLine({ control }: { control: Control<z.infer<typeof keySchema>> }) {
  const { id } = useOrganization();
  const { data, isPending } = useQuery(things.list(id));
  const options = useMemo(
    () =>
      (data ?? [])
        .filter(one => one.organization.id === id)
        .map(one => ({ id: one.id, label: one.nickname || one.haas_id }))
        .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true })),
    [data, id],
  );
  const placeholder = isPending ? 'Loading…' : 'Choose an asset';
  return <SelectLine control={control} name="thing_id" label="Asset" options={options} placeholder={placeholder} />;
}
