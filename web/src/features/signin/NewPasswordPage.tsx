import limits from '@catalog/limits.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { api, type Operation, say, texts } from '~/api';
import { usePasswordPolicy } from '~/session/methods';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { carriedEmail } from './carried';
import { BackToSignIn } from './ForgotPage';
import { PasswordField } from './fields';
import { type NewPasswordForm, newPasswordSchema } from './form';
import { mailedToken } from './mailedLink';
import { PasswordRules } from './PasswordRules';
import { PublicPage } from './PublicPage';
import styles from './PublicPage.module.css';
import { StatusLine } from './StatusLine';

const REDIRECT_MS = limits.session.resetRedirectMs.value;

interface Words {
  kind: 'reset' | 'invite';
  route: 'PUT /reset_password' | 'PUT /accept_invitation';
  operation: Operation;
  title: string;
  lead: (email: string) => string;
  submit: string;
}

const reset: Words = {
  kind: 'reset',
  route: 'PUT /reset_password',
  operation: 'reset',
  title: 'New password',
  lead: email => `For ${email}. Your other devices will be signed out.`,
  submit: 'Set password',
};

const invite: Words = {
  kind: 'invite',
  route: 'PUT /accept_invitation',
  operation: 'invite',
  title: 'Welcome',
  lead: email => `Choose a password for ${email}.`,
  submit: 'Set password',
};

/** /welcome/reset/{email}#{token} */
export const ResetPage = () => <NewPasswordPage words={reset} />;

/** /welcome/invite/{email}#{token} */
export const InvitePage = () => <NewPasswordPage words={invite} />;

function NewPasswordPage({ words }: { words: Words }) {
  const { email = '' } = useParams({ strict: false }) as { email?: string };
  const token = mailedToken(words.kind);
  return (
    <PublicPage title={words.title} lead={words.lead(email)}>
      {token ? <Form words={words} email={email} token={token} /> : <NoToken words={words} />}
    </PublicPage>
  );
}

function Form({ words, email, token }: { words: Words; email: string; token: string }) {
  const navigate = useNavigate();
  const policy = usePasswordPolicy();
  const schema = useMemo(() => newPasswordSchema(policy), [policy]);
  const { control, handleSubmit, watch } = useForm<NewPasswordForm>({
    resolver: zodResolver(schema),
    defaultValues: { password: '', confirmation: '' },
    mode: 'onTouched',
  });
  const save = useMutation({
    mutationFn: ({ password }: NewPasswordForm) => api.request(words.route, { body: { token, password }, auth: false }),
    onSuccess: () => carriedEmail.set(email),
  });
  useEffect(() => {
    if (!save.isSuccess) return;
    const timer = setTimeout(() => void navigate({ to: '/welcome/signin', replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [save.isSuccess, navigate]);
  return (
    <>
      <form noValidate onSubmit={handleSubmit(values => save.mutate(values))}>
        {/* Password managers keep the new password with this address. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField control={control} name="password" label="New password" autoComplete="new-password" />
        <PasswordRules password={watch('password')} policy={policy} />
        <PasswordField control={control} name="confirmation" label="Confirm password" autoComplete="new-password" />
        <Button
          type="submit"
          variant="primary"
          size="large"
          className={styles.submit}
          isPending={save.isPending}
          isDisabled={save.isSuccess}
        >
          {words.submit}
        </Button>
      </form>
      <BackToSignIn />
      <StatusLine
        isPending={save.isPending}
        success={save.isSuccess ? texts.signin.success : undefined}
        problem={save.isError && <ErrorNotice>{say(words.operation, save.error)}</ErrorNotice>}
      />
    </>
  );
}

/** The address was opened without its token: a reload, or a link that was cut. */
function NoToken({ words }: { words: Words }) {
  return (
    <>
      <ErrorNotice>This link is incomplete. Open it from the email again.</ErrorNotice>
      <p className={styles.others}>
        {words.kind === 'reset' && <Link to="/welcome/forgot">Request another link</Link>}
      </p>
      <BackToSignIn />
    </>
  );
}
