import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { ArrowLeft, Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { asFailure, say, texts } from '~/api';
import { type Challenge, type FactorMethod, session } from '~/session';
import type { FactorProof } from '~/session/grants';
import { askPasskey, hasPasskeys, PasskeyAborted } from '~/session/passkey';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { errorOf } from '~/ui/errorOf';
import { TextField } from '~/ui/TextField';
import { type CodeForm, codeSchema } from './form';
import { PublicPage } from './PublicPage';
import styles from './PublicPage.module.css';
import { StatusLine } from './StatusLine';

type Confirm = Extract<Challenge, { kind: 'confirm' }>;

const ways: Readonly<Record<FactorMethod, { lead: string; other: string }>> = {
  totp: { lead: 'Enter the code from your authenticator app.', other: 'Use an authenticator app' },
  passkey: { lead: 'Confirm with your passkey.', other: 'Use a passkey' },
  recovery: { lead: 'Enter one of your recovery codes. Each works once.', other: 'Use a recovery code' },
};

/** The step after the password: a code, a recovery code or a passkey. */
export function FactorPage({ challenge, onBack }: { challenge: Confirm; onBack: () => void }) {
  const offered = challenge.methods.filter(one => one !== 'passkey' || (hasPasskeys() && challenge.passkey));
  const [way, setWay] = useState<FactorMethod>(offered[0] ?? 'recovery');
  const confirm = useMutation({
    mutationFn: (proof: FactorProof) => session.confirmFactor(challenge.challenge, proof),
  });
  const passkey = useMutation({
    mutationFn: async () =>
      confirm
        .mutateAsync({ method: 'passkey', credential: await askPasskey(challenge.passkey) })
        .catch(() => undefined),
  });
  const choose = (next: FactorMethod) => {
    confirm.reset();
    passkey.reset();
    setWay(next);
  };
  return (
    <PublicPage title="Confirm it's you" lead={ways[way].lead}>
      {way === 'passkey' ? (
        <Button
          variant="primary"
          size="large"
          className={styles.submit}
          icon={<Fingerprint size={16} strokeWidth={1.75} aria-hidden="true" />}
          isPending={passkey.isPending}
          autoFocus
          onPress={() => passkey.mutate()}
        >
          Use passkey
        </Button>
      ) : (
        <CodeEntry
          key={way}
          label={way === 'totp' ? 'Code' : 'Recovery code'}
          numeric={way === 'totp'}
          isPending={confirm.isPending}
          submit="Continue"
          onCode={code => confirm.mutate({ method: way, code })}
        />
      )}
      <div className={styles.others}>
        <BackButton onPress={onBack} />
        {offered
          .filter(one => one !== way)
          .map(one => (
            <button key={one} type="button" onClick={() => choose(one)}>
              {ways[one].other}
            </button>
          ))}
      </div>
      <StatusLine
        isPending={confirm.isPending}
        success={confirm.isSuccess ? texts.signin.success : undefined}
        problem={<FactorProblem error={confirm.error ?? passkey.error} onBack={onBack} />}
      />
    </PublicPage>
  );
}

/** The way back from a step of the sign-in. */
export function BackButton({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" onClick={onPress}>
      <ArrowLeft size={14} strokeWidth={2} aria-hidden="true" />
      Back to sign-in
    </button>
  );
}

/** What went wrong with a second factor; a sign-in that took too long begins anew. */
export function FactorProblem({ error, onBack }: { error: unknown; onBack: () => void }) {
  if (!error) return null;
  if (error instanceof PasskeyAborted) return <ErrorNotice>The passkey wasn't confirmed.</ErrorNotice>;
  return (
    <>
      <ErrorNotice>{say('factor', error)}</ErrorNotice>
      {asFailure(error).code === 'mfa_challenge_expired' && (
        <Button size="small" icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />} onPress={onBack}>
          Sign in again
        </Button>
      )}
    </>
  );
}

interface CodeEntryProps {
  label: string;
  /** Six digits of an app: the phone's number pad, and the browser may fill it in. */
  numeric: boolean;
  isPending: boolean;
  submit: string;
  onCode: (code: string) => void;
}

/** One code and a button. */
export function CodeEntry({ label, numeric, isPending, submit, onCode }: CodeEntryProps) {
  const { control, handleSubmit } = useForm<CodeForm>({
    resolver: zodResolver(codeSchema),
    defaultValues: { code: '' },
  });
  return (
    <form noValidate onSubmit={handleSubmit(({ code }) => onCode(code))}>
      <Controller
        control={control}
        name="code"
        render={({ field: { ref, disabled: _, ...field }, fieldState, formState }) => (
          <TextField
            {...field}
            inputRef={ref}
            label={label}
            size="large"
            autoFocus
            inputMode={numeric ? 'numeric' : 'text'}
            autoComplete={numeric ? 'one-time-code' : 'off'}
            autoCorrect="off"
            spellCheck="false"
            error={errorOf(fieldState, formState)}
          />
        )}
      />
      <Button type="submit" variant="primary" size="large" className={styles.submit} isPending={isPending}>
        {submit}
      </Button>
    </form>
  );
}
