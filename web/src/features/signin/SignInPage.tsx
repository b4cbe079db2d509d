import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { texts } from '~/api';
import { session, setTitle, useBrand } from '~/session';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { InsideButton } from '~/ui/InsideButton';
import { TextField } from '~/ui/TextField';
import { type SignInForm, signInSchema } from './form';
import { outcomeOf } from './outcome';
import styles from './SignInPage.module.css';

const Streets = lazy(() => import('./Streets'));

/** /welcome/signin (specification section 2, Public). */
export function SignInPage() {
  const brand = useBrand();
  useEffect(() => setTitle(`Sign in · ${brand.name}`), [brand.name]);
  return (
    <div className={styles.page}>
      <main className={styles.left}>
        <div className={styles.brand}>
          <span className={styles.bar} aria-hidden="true" />
          {brand.name}
        </div>
        <Form />
        <footer className={styles.legal}>
          Confidential. Use is licensed to your organization under the{' '}
          <a href={brand.licenseUrl} target="_blank" rel="noreferrer">
            End User Licence Agreement
          </a>{' '}
          and{' '}
          <a href={brand.termsUrl} target="_blank" rel="noreferrer">
            Terms
          </a>
          .<br />© {new Date().getFullYear()} {brand.copyrightOwner}
        </footer>
      </main>
      <div className={styles.picture} aria-hidden="true">
        <Suspense fallback={null}>
          <Streets />
        </Suspense>
      </div>
    </div>
  );
}

function Form() {
  const [shown, setShown] = useState(false);
  const { control, handleSubmit } = useForm<SignInForm>({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: '', password: '' },
    mode: 'onTouched',
  });
  const signIn = useMutation({ mutationFn: ({ email, password }: SignInForm) => session.signIn(email, password) });
  return (
    <form className={styles.form} noValidate onSubmit={handleSubmit(values => signIn.mutate(values))}>
      <h1 className={styles.title}>Sign in</h1>
      <p className={styles.lead}>See your fleet, warn the drivers around it.</p>
      <Controller
        control={control}
        name="email"
        render={({ field: { ref, disabled: _, ...field }, fieldState }) => (
          <TextField
            {...field}
            inputRef={ref}
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="username"
            size="large"
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="password"
        render={({ field: { ref, disabled: _, ...field }, fieldState }) => (
          <TextField
            {...field}
            inputRef={ref}
            label="Password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            size="large"
            error={fieldState.error?.message}
            after={
              <InsideButton
                label={shown ? 'Hide password' : 'Show password'}
                pressed={shown}
                onPress={() => setShown(now => !now)}
              >
                {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
              </InsideButton>
            }
          />
        )}
      />
      <Button type="submit" variant="primary" size="large" className={styles.submit} isPending={signIn.isPending}>
        Sign in
      </Button>
      <div className={styles.status}>
        <p className={styles.progress} role="status">
          {signIn.isPending && texts.signin.pending}
          {signIn.isSuccess && texts.signin.success}
        </p>
        {signIn.isError && <Problem error={signIn.error} />}
      </div>
    </form>
  );
}

function Problem({ error }: { error: unknown }) {
  const { supportEmail } = useBrand();
  const { text, contactSupport } = outcomeOf(error);
  return (
    <ErrorNotice>
      {text}
      {contactSupport && (
        <>
          {' '}
          {texts.signin.pleaseContact} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </>
      )}
    </ErrorNotice>
  );
}
