import { useQuery } from '@tanstack/react-query';
import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { Loaded } from '~/office';
import { hasPasskeys } from '~/session/passkey';
import { Button, Card, ConfirmAction, Notice, Pill, toast } from '~/ui';
import { CodesDialog } from './CodesDialog';
import { PasskeyDialog } from './PasskeyDialog';
import styles from './profile.module.css';
import { factorQuery, type Passkey, type SecondFactor, useProfileMutations } from './queries';
import { TotpDialog } from './TotpDialog';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

type Open =
  | { kind: 'totp' | 'removeTotp' | 'passkey' | 'newCodes' }
  | { kind: 'removePasskey'; passkey: Passkey }
  | { kind: 'codes'; codes: readonly string[] };

/** The second factor: authenticator app, passkeys, recovery codes. */
export function FactorCard() {
  const query = useQuery(factorQuery);
  const [open, setOpen] = useState<Open>();
  return (
    <Card title="Two-factor authentication" hint="Adds a second step after your password.">
      <Loaded query={query} label="Loading two-factor authentication" height={96}>
        {factor => <Rows factor={factor} onOpen={setOpen} />}
      </Loaded>
      {open && <Opened open={open} onOpen={setOpen} />}
    </Card>
  );
}

function Rows({ factor, onOpen }: { factor: SecondFactor; onOpen: (open: Open) => void }) {
  const hasFactor = factor.totp || factor.passkeys.length > 0;
  return (
    <>
      {factor.required && (
        <div className={styles.notice}>
          <Notice tone={hasFactor ? 'info' : 'warn'}>Your organization requires two-factor authentication.</Notice>
        </div>
      )}
      <div className={styles.row}>
        <Smartphone {...icon} />
        <div className={styles.rowText}>
          <b>Authenticator app {factor.totp && <Pill tone="good">On</Pill>}</b>
          <span>A six-digit code that changes every 30 seconds.</span>
        </div>
        {factor.totp ? (
          <Button size="small" onPress={() => onOpen({ kind: 'removeTotp' })}>
            Remove
          </Button>
        ) : (
          <Button size="small" onPress={() => onOpen({ kind: 'totp' })}>
            Set up
          </Button>
        )}
      </div>
      <div className={styles.row}>
        <KeyRound {...icon} />
        <div className={styles.rowText}>
          <b>Passkeys</b>
          <span>
            {hasPasskeys() ? 'Fingerprint, face, PIN, or security key.' : "This browser doesn't support passkeys here."}
          </span>
        </div>
        <Button size="small" isDisabled={!hasPasskeys()} onPress={() => onOpen({ kind: 'passkey' })}>
          Add passkey
        </Button>
      </div>
      {factor.passkeys.map(passkey => (
        <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => onOpen({ kind: 'removePasskey', passkey })} />
      ))}
      {hasFactor && (
        <div className={styles.row}>
          <div className={styles.rowText}>
            <b>Recovery codes {factor.recovery_codes_left === 0 && <Pill tone="warn">None left</Pill>}</b>
            <span>{factor.recovery_codes_left} left. Each signs you in once if you don't have your device.</span>
          </div>
          <Button size="small" onPress={() => onOpen({ kind: 'newCodes' })}>
            Generate new codes
          </Button>
        </div>
      )}
    </>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const now = serverClock.now();
  const used = passkey.last_used_at ? `used ${agoText(instantOf(passkey.last_used_at), now)}` : 'not used yet';
  return (
    <div className={styles.row}>
      <div className={styles.rowText}>
        <b>{passkey.name}</b>
        <span>
          Added {agoText(instantOf(passkey.created_at), now)}, {used}
        </span>
      </div>
      <Button size="small" aria-label={`Remove passkey ${passkey.name}`} onPress={onRemove}>
        Remove
      </Button>
    </div>
  );
}

function Opened({ open, onOpen }: { open: Open; onOpen: (open: Open | undefined) => void }) {
  const mutations = useProfileMutations();
  const close = () => onOpen(undefined);
  const shared = { onClose: close, say: (error: unknown) => say('generic', error) };
  switch (open.kind) {
    case 'totp':
      return <TotpDialog onClose={close} onDone={codes => onOpen({ kind: 'codes', codes })} />;
    case 'passkey':
      return <PasskeyDialog onClose={close} />;
    case 'codes':
      return <CodesDialog codes={open.codes} onClose={close} />;
    case 'removeTotp':
      return (
        <ConfirmAction
          {...shared}
          title="Remove the authenticator app?"
          run={async () => {
            await mutations.removeTotp();
            toast('Authenticator app removed');
          }}
        >
          <p>Its codes stop working immediately.</p>
        </ConfirmAction>
      );
    case 'removePasskey':
      return (
        <ConfirmAction
          {...shared}
          title={`Remove the passkey ${open.passkey.name}?`}
          run={async () => {
            const gone = await mutations.removePasskey(open.passkey.id);
            toast(gone ? say('generic', gone) : 'Passkey removed');
          }}
        >
          <p>You can no longer sign in with it. Delete it from the device, too.</p>
        </ConfirmAction>
      );
    case 'newCodes':
      return (
        <ConfirmAction
          {...shared}
          title="Generate new recovery codes?"
          run={mutations.newCodes}
          onDone={codes => onOpen({ kind: 'codes', codes })}
        >
          <p>Your current codes stop working.</p>
        </ConfirmAction>
      );
  }
}
