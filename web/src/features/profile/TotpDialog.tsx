import { useEffect, useState } from 'react';
import { asFailure, say } from '~/api';
import { Button, Dialog, ErrorNotice, Qr, Skeleton, SkeletonBar, TextField } from '~/ui';
import styles from './profile.module.css';
import { useProfileMutations } from './queries';

export interface TotpDialogProps {
  onClose: () => void;
  /** The app is set up; these codes are shown once. */
  onDone: (codes: readonly string[]) => void;
}

/** Sets up an authenticator app: scan, type the code, done. */
export function TotpDialog({ onClose, onDone }: TotpDialogProps) {
  const mutations = useProfileMutations();
  const [begun, setBegun] = useState<{ secret: string; url: string }>();
  const [failure, setFailure] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once, and again on Retry alone
  useEffect(() => {
    let isGone = false;
    setFailure(undefined);
    mutations.beginTotp().then(
      secret => !isGone && setBegun(secret),
      error => !isGone && setFailure(say('generic', error)),
    );
    return () => {
      isGone = true;
    };
  }, [attempt]);
  return (
    <Dialog isOpen title="Set up an authenticator app" onOpenChange={open => !open && onClose()}>
      {begun ? (
        <Confirm begun={begun} onClose={onClose} onDone={onDone} />
      ) : failure ? (
        <ErrorNotice onRetry={() => setAttempt(attempt + 1)}>{failure}</ErrorNotice>
      ) : (
        <Skeleton>
          <SkeletonBar height={240} />
        </Skeleton>
      )}
    </Dialog>
  );
}

function Confirm({ begun, onClose, onDone }: TotpDialogProps & { begun: { secret: string; url: string } }) {
  const mutations = useProfileMutations();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const confirm = async () => {
    setFailure(undefined);
    setPending(true);
    try {
      onDone(await mutations.confirmTotp(code));
    } catch (error) {
      setFailure(asFailure(error).fields.code ?? say('stepUp', error));
      setPending(false);
    }
  };
  return (
    <form
      noValidate
      aria-label="Authenticator app"
      onSubmit={event => {
        event.preventDefault();
        void confirm();
      }}
    >
      <p className={styles.lead}>Scan this with the app, then enter the six-digit code it shows.</p>
      <Qr text={begun.url} label="QR code for your authenticator app" />
      <p>
        Can't scan it? Enter this key in the app:
        <code className={`${styles.secret} mono`}>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextField
        label="Code"
        autoFocus
        value={code}
        onChange={text => setCode(text.replaceAll(/\D/g, '').slice(0, 6))}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      <div className={styles.foot}>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isPending={isPending} isDisabled={code.length !== 6}>
          Turn on
        </Button>
      </div>
    </form>
  );
}
