import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { api, say, texts } from '~/api';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import { carriedEmail } from './carried';
import { EmailField } from './fields';
import { type ForgotForm, forgotSchema } from './form';
import { PublicPage } from './PublicPage';
import styles from './PublicPage.module.css';
import { StatusLine } from './StatusLine';

/** /welcome/forgot: asks for a mail with a link to a new password. */
export function ForgotPage() {
  const { control, handleSubmit } = useForm<ForgotForm>({
    resolver: zodResolver(forgotSchema),
    defaultValues: { email: carriedEmail.get() },
    mode: 'onTouched',
  });
  const ask = useMutation({
    mutationFn: (form: ForgotForm) => {
      carriedEmail.set(form.email);
      return api.request('POST /forgot_password', { body: form, auth: false });
    },
  });
  return (
    <PublicPage title="Forgot password" lead="We'll email you a link to choose a new one.">
      <form noValidate onSubmit={handleSubmit(values => ask.mutate(values))}>
        <EmailField control={control} name="email" />
        <Button type="submit" variant="primary" size="large" className={styles.submit} isPending={ask.isPending}>
          Send link
        </Button>
      </form>
      <BackToSignIn />
      <StatusLine
        isPending={ask.isPending}
        success={ask.isSuccess ? texts.signin.inboxSuccess : undefined}
        problem={ask.isError && <ErrorNotice>{say('forgot', ask.error)}</ErrorNotice>}
      />
    </PublicPage>
  );
}

/** The way back. */
export function BackToSignIn() {
  return (
    <Link to="/welcome/signin" search={kept => kept} className={styles.back}>
      <ArrowLeft size={14} strokeWidth={2} aria-hidden="true" />
      Back to sign-in
    </Link>
  );
}
