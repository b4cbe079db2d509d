import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, say } from '~/api';
import { type StepUpProof, useProfile } from '~/session';
import { askPasskey, hasPasskeys, PasskeyAborted } from '~/session/passkey';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { Spinner } from '~/ui/Spinner';
import { TextField } from '~/ui/TextField';
import styles from './lock.module.css';
import { ProviderProof } from './ProviderProof';

type Way = 'password' | 'code' | 'passkey' | 'provider';

const words: Readonly<Record<Exclude<Way, 'provider'>, string>> = {
  password: 'Use your password',
  code: 'Use a code',
  passkey: 'Use a passkey',
};

/**
 * The ways that this user has, the likeliest first: the provider that signs them in, and their second factors; a
 * password only without any, or to unlock the screen. Undefined while the server is asked.
 */
function useWays(unlock: boolean): readonly Way[] | undefined {
  const { method, hasSecondFactor, stepUpProvider } = useProfile();
  const { data, isPending } = useQuery({
    queryKey: ['second_factor'],
    queryFn: ({ signal }) => api.data('GET /session/second_factor', { signal }),
    enabled: hasSecondFactor,
  });
  const ways: Way[] = stepUpProvider === undefined ? [] : ['provider'];
  if (method !== 'sso' && (unlock || !hasSecondFactor)) ways.push('password');
  if (!hasSecondFactor) return ways;
  if (isPending && ways.length === 0) return undefined;
  const passkey = data !== undefined && data.passkeys.length > 0 && hasPasskeys();
  if (passkey && !data.totp) ways.push('passkey');
  // A code of the app or a recovery code; also where the server did not say what there is.
  if (!data || data.totp || data.recovery_codes_left > 0) ways.push('code');
  if (passkey && data.totp) ways.push('passkey');
  return ways;
}

interface ProofProps {
  submit: string;
  /** Sends the proof; what it throws is shown. */
  onProof: (proof: StepUpProof) => Promise<void>;
  /** A provider has confirmed it to the server. */
  onProved: () => void;
  /** For the lock screen alone, where a password does beside a second factor too. */
  unlock?: boolean;
  /** The provider's word moves the session's absolute end, too. */
  extend?: boolean;
  /** The button beside the main one. */
  beside: ReactNode;
}

/** Proves who is there: password, code, passkey, or the provider that signs them in. */
export function Proof({ submit, onProof, onProved, unlock = false, extend = false, beside }: ProofProps) {
  const { stepUpProvider: provider = '' } = useProfile();
  const ways = useWays(unlock);
  const [chosen, setChosen] = useState<Way>();
  const [text, setText] = useState('');
  const way = chosen ?? ways?.[0];
  const prove = useMutation({
    mutationFn: async () => onProof(await proofOf(way, text)),
    onError: () => setText(''),
  });
  const choose = (next: Way) => {
    prove.reset();
    setText('');
    setChosen(next);
  };
  const others = (
    <div className={styles.others}>
      {ways
        ?.filter(one => one !== way)
        .map(one => (
          <button key={one} type="button" onClick={() => choose(one)}>
            {one === 'provider' ? `Use ${provider}` : words[one]}
          </button>
        ))}
    </div>
  );
  if (way === 'provider')
    return <ProviderProof provider={provider} extend={extend} onProved={onProved} others={others} beside={beside} />;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!prove.isPending && (way === 'passkey' || text !== '')) prove.mutate();
  };
  return (
    <form className={styles.proof} noValidate onSubmit={send}>
      {ways === undefined && <Spinner label="Loading" />}
      {ways?.length === 0 && <p className={styles.lead}>Sign out and sign in again to continue.</p>}
      {(way === 'password' || way === 'code') && (
        <TextField
          key={way}
          label={way === 'password' ? 'Password' : 'Code'}
          type={way === 'password' ? 'password' : 'text'}
          autoComplete={way === 'password' ? 'current-password' : 'one-time-code'}
          value={text}
          onChange={setText}
          size="large"
          autoFocus
        />
      )}
      {prove.isError && <ErrorNotice className={styles.problem ?? ''}>{problemOf(prove.error)}</ErrorNotice>}
      {others}
      <div className={styles.actions}>
        {beside}
        {way !== undefined && (
          <Button type="submit" variant="primary" isPending={prove.isPending}>
            {way === 'passkey' ? 'Use passkey' : submit}
          </Button>
        )}
      </div>
    </form>
  );
}

async function proofOf(way: Way | undefined, text: string): Promise<StepUpProof> {
  if (way === 'code') return { code: text.replaceAll(/\s/g, '') };
  if (way !== 'passkey') return { password: text };
  const asked = await api.data('POST /session/step_up/passkey');
  return { challenge: asked.challenge, credential: await askPasskey(asked.passkey) };
}

const problemOf = (error: unknown) =>
  error instanceof PasskeyAborted ? "The passkey wasn't confirmed." : say('stepUp', error);
