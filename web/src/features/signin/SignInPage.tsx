import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { texts } from '~/api';
import { lazyPart } from '~/lib/lazyPart';
import { useStore } from '~/lib/store';
import { type Challenge, challengeOf, session } from '~/session';
import { useSignInMethods } from '~/session/methods';
import { Button } from '~/ui/Button';
import { Notice } from '~/ui/ErrorNotice';
import { carriedEmail } from './carried';
import { EmailField, PasswordField } from './fields';
import { type SignInForm, signInSchema } from './form';
import { outcomeOf, ssoOutcome } from './outcome';
import { Problem } from './Problem';
import { Providers } from './Providers';
import { PublicPage } from './PublicPage';
import styles from './PublicPage.module.css';
import { StatusLine } from './StatusLine';

// Few sign-ins go through these: the first load must not wait for them.
const FactorPage = lazyPart(() => import('./FactorPage'), 'FactorPage');
const SetUpPage = lazyPart(() => import('./SetUpPage'), 'SetUpPage');

/** What an unlock mail brings: whose account, and the token that opens it again. */
export interface Unlock {
  email: string;
  token: string;
}

/** /welcome/signin, and with `unlock` /welcome/unlock (requirements 2.pub). */
export function SignInPage({ unlock }: { unlock?: Unlock }) {
  const [challenge, setChallenge] = useState<Challenge>();
  const again = () => setChallenge(undefined);
  if (challenge?.kind === 'confirm') return <FactorPage challenge={challenge} onBack={again} />;
  if (challenge?.kind === 'setUp') return <SetUpPage challenge={challenge} onBack={again} />;
  return unlock ? (
    <PublicPage title="Unlock your account" lead="Sign in to unlock it.">
      <Form unlock={unlock} onChallenge={setChallenge} />
    </PublicPage>
  ) : (
    <PublicPage title="Sign in" lead="See your fleet. Warn the drivers around it.">
      <Form onChallenge={setChallenge} />
    </PublicPage>
  );
}

/** Why somebody who was signed in stands here. */
function useReason(): string | undefined {
  const isElsewhere = useStore(session.endedElsewhere);
  const isExpired = useStore(session.expired);
  if (isExpired) return texts.session.endedText;
  return isElsewhere ? texts.session.elsewhereText : undefined;
}

function Form({ unlock, onChallenge }: { unlock?: Unlock; onChallenge: (challenge: Challenge) => void }) {
  const { origin, sso } = useSearch({ strict: false }) as { origin?: string; sso?: string };
  // Without an answer the password is the way in.
  const methods = useSignInMethods() ?? { password: true, providers: [] };
  const { control, handleSubmit, getValues } = useForm<SignInForm>({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: unlock?.email ?? carriedEmail.get(), password: '' },
    mode: 'onTouched',
  });
  const [isKnown] = useState(() => getValues('email') !== '');
  const signIn = useMutation({
    mutationFn: async ({ email, password }: SignInForm) => {
      carriedEmail.set(email);
      try {
        await session.signIn(email, password, unlock?.token || undefined);
      } catch (error) {
        const challenge = challengeOf(error);
        if (!challenge) throw error;
        onChallenge(challenge);
      }
    },
  });
  const reason = useReason();
  const outcome = signIn.isError ? outcomeOf(signIn.error) : sso && signIn.isIdle ? ssoOutcome(sso) : undefined;
  return (
    <>
      {reason && signIn.isIdle && <Notice className={styles.reason ?? ''}>{reason}</Notice>}
      {methods.password && (
        <form noValidate onSubmit={handleSubmit(values => signIn.mutate(values))}>
          <EmailField control={control} name="email" isFirst={!isKnown} />
          <PasswordField
            control={control}
            name="password"
            label="Password"
            autoComplete="current-password"
            isFirst={isKnown}
          />
          <p className={styles.beside}>
            <Link to="/welcome/forgot" search={kept => kept} onClick={() => carriedEmail.set(getValues('email'))}>
              Forgot password?
            </Link>
          </p>
          <Button type="submit" variant="primary" size="large" className={styles.submit} isPending={signIn.isPending}>
            Sign in
          </Button>
        </form>
      )}
      <Providers methods={methods} origin={origin} />
      <StatusLine
        isPending={signIn.isPending}
        success={signIn.isSuccess ? texts.signin.success : undefined}
        problem={outcome && <Problem outcome={outcome} email={signIn.variables?.email ?? ''} />}
      />
    </>
  );
}
