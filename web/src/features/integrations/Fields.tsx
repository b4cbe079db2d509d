import { useState } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { Button, FormRow, FormSection, FormTextField, PasswordLine, SelectLine } from '~/ui';
import {
  type Integration,
  type IntegrationForm,
  type Provider,
  providerOf,
  regions,
  USUAL_REGION,
} from './integration';
import styles from './integrations.module.css';
import { LightsLine } from './LightsLine';
import { WebhookSection } from './WebhookLine';

interface FieldsProps {
  control: Control<IntegrationForm>;
  provider: Provider;
  /** The integration that is edited; without one it is a new one. */
  row?: Integration;
}

/** What is said of an account at a provider. */
export function Fields({ control, provider, row }: FieldsProps) {
  const words = providerOf(provider);
  return (
    <>
      <FormSection title="Integration" hint="The name is how you tell it from others.">
        <FormTextField control={control} name="name" label="Name" isRequired autoFocus={row === undefined} />
      </FormSection>
      <FormSection title={`${words.label} account`} hint={words.account}>
        {provider === 'geotab' ? (
          <>
            <FormTextField
              control={control}
              name="server"
              label="Server"
              autoComplete="off"
              hint="Leave empty for my.geotab.com."
            />
            <FormRow>
              <FormTextField control={control} name="database" label="Database" isRequired autoComplete="off" />
              <FormTextField control={control} name="user" label="User name" isRequired autoComplete="off" />
            </FormRow>
          </>
        ) : (
          <SelectLine
            control={control}
            name="server"
            label="Region"
            options={regionsWith(row?.server ?? '')}
            none={USUAL_REGION}
          />
        )}
        <SecretLine control={control} label={words.secret} savedFor={row?.has_secret ? row.server : undefined} />
      </FormSection>
      <FormSection title="Emergency lights" hint={words.lightsHint}>
        <LightsLine control={control} provider={provider} />
      </FormSection>
      {provider === 'samsara' && row && <WebhookSection control={control} row={row} />}
    </>
  );
}

interface SecretProps {
  control: FieldsProps['control'];
  label: string;
  /** The server that the saved one is for; undefined where none is saved. */
  savedFor: string | undefined;
}

/** The regions to choose from, with a server that is none of them where an integration has it. */
const regionsWith = (server: string) =>
  server === '' || regions.some(one => one.id === server) ? regions : [...regions, { id: server, label: server }];

/** A password or token: typed once, never shown again, only replaced. Another server is never sent the saved one. */
function SecretLine({ control, label, savedFor }: SecretProps) {
  const [isReplacing, setReplacing] = useState(false);
  const server = useWatch({ control, name: 'server' });
  const { invalid } = useController({ control, name: 'secret' }).fieldState;
  const isAnother = savedFor !== undefined && server.trim() !== savedFor;
  const word = label.toLowerCase();
  if (savedFor === undefined || isReplacing || isAnother || invalid)
    return (
      <>
        <PasswordLine
          control={control}
          name="secret"
          label={savedFor === undefined ? label : `New ${word}`}
          autoComplete="new-password"
          autoFocus={isReplacing}
        />
        <p className={styles.hint}>
          {isAnother ? `The saved ${word} is for another server. ` : ''}It is encrypted and never shown again.
        </p>
      </>
    );
  return (
    <div className={styles.saved}>
      <div>
        <b>{label}</b>
        <p className={styles.hint}>Saved, encrypted, and never shown again.</p>
      </div>
      <Button size="small" onPress={() => setReplacing(true)}>
        Replace {word}
      </Button>
    </div>
  );
}
