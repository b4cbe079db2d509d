import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, say, texts } from '~/api';
import { hasSupportMail, useBrand } from '~/session';
import { Button } from '~/ui/Button';
import { ErrorNotice, Notice } from '~/ui/ErrorNotice';
import type { Outcome } from './outcome';
import styles from './PublicPage.module.css';

/** What went wrong with a sign-in, and what helps. */
export function Problem({ outcome, email }: { outcome: Outcome; email?: string }) {
  const brand = useBrand();
  const { supportEmail } = brand;
  return (
    <>
      <ErrorNotice>
        {outcome.text}
        {outcome.contactSupport && (
          <>
            {' '}
            {texts.signin.pleaseContact}{' '}
            {hasSupportMail(brand) ? <a href={`mailto:${supportEmail}`}>{supportEmail}</a> : 'your administrator.'}
          </>
        )}
        {outcome.forgot && (
          <>
            {' '}
            <Link to="/welcome/forgot" search={kept => kept}>
              Forgot password
            </Link>
          </>
        )}
      </ErrorNotice>
      {outcome.unlock && email && <AskUnlock email={email} />}
    </>
  );
}

/** A locked account is unlocked by a mail. */
function AskUnlock({ email }: { email: string }) {
  const ask = useMutation({
    mutationFn: () => api.request('POST /unlock_account', { body: { email }, auth: false }),
  });
  return (
    <div role="status" className={styles.stack}>
      <Button isPending={ask.isPending} onPress={() => ask.mutate()}>
        Email me an unlock link
      </Button>
      {ask.isSuccess && <Notice tone="good">{texts.signin.inboxSuccess}</Notice>}
      {ask.isError && <Notice tone="danger">{say('forgot', ask.error)}</Notice>}
    </div>
  );
}
