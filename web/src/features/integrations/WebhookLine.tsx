import { type ReactNode, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { Button, CopyButton, FormSection, PasswordLine } from '~/ui';
import type { Integration, IntegrationForm } from './integration';
import styles from './integrations.module.css';

interface WebhookProps {
  control: Control<IntegrationForm>;
  row: Integration;
}

/** Where Samsara may tell of events by itself, and what it signs them with: typed once, never shown again. */
export function WebhookSection({ control, row }: WebhookProps) {
  const address = `${window.location.origin}/api/ingest/samsara/${row.id}`;
  return (
    <FormSection
      title="Webhook"
      hint="Optional. Add a webhook with this address at Samsara, and copy its secret key. An event lets Samsara be asked sooner."
    >
      <div className={styles.saved}>
        <div>
          <b>Address</b>
          <p className={`${styles.hint} ${styles.address} mono`}>{address}</p>
        </div>
        <CopyButton size="small" text={address} label="Copy address" />
      </div>
      <SecretLine control={control} isSaved={row.has_webhook} />
    </FormSection>
  );
}

/** null = it is to be removed. */
function SecretLine({ control, isSaved }: { control: Control<IntegrationForm>; isSaved: boolean }) {
  const [isReplacing, setReplacing] = useState(false);
  const { field, fieldState } = useController({ control, name: 'webhook_secret' });
  if (field.value === null)
    return (
      <Standing text="Removed when you save. Samsara's webhooks are refused then.">
        <Button size="small" onPress={() => field.onChange('')}>
          Keep webhook secret
        </Button>
      </Standing>
    );
  if (!isSaved || isReplacing || fieldState.invalid)
    return (
      <>
        <PasswordLine
          control={control}
          name="webhook_secret"
          label={isSaved ? 'New webhook secret' : 'Webhook secret'}
          autoComplete="new-password"
          autoFocus={isReplacing}
        />
        <p className={styles.hint}>It is encrypted and never shown again. Without one, webhooks are refused.</p>
      </>
    );
  return (
    <Standing text="Saved, encrypted, and never shown again.">
      <Button size="small" onPress={() => setReplacing(true)}>
        Replace webhook secret
      </Button>
      <Button size="small" onPress={() => field.onChange(null)}>
        Remove webhook secret
      </Button>
    </Standing>
  );
}

function Standing({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className={styles.saved}>
      <div>
        <b>Webhook secret</b>
        <p className={styles.hint}>{text}</p>
      </div>
      <div className={styles.ways}>{children}</div>
    </div>
  );
}
