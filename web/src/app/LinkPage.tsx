import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { asFailure, say } from '~/api';
import { PublicPage } from '~/features/signin/PublicPage';
import { useStore } from '~/lib/store';
import { session } from '~/session';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import styles from './link.module.css';
import { discard } from './linkEntry';
import { type LinkQuestion, linkQuestion } from './signInLink';

/** "Continue as …": a sign-in link asks before it signs in (auth.link_confirmation). */
export default function LinkPage() {
  const question = useStore(linkQuestion);
  return question ? <Question {...question} /> : null;
}

function Question({ link, name, email, organization }: LinkQuestion) {
  const enter = useMutation({
    mutationFn: () => session.signInByLink(link.access, link.refresh),
    onSuccess: () => linkQuestion.set(undefined),
  });
  // What may pass can be tried again; a link that was refused cannot.
  const isOver = enter.isError && !asFailure(enter.error).isPassing;
  useEffect(() => {
    const leave = () => discard(link);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [link]);
  const turnAway = () => {
    discard(link);
    linkQuestion.set(undefined);
    void session.restore();
  };
  return (
    <PublicPage title={`Continue as ${name}`} lead="You opened a sign-in link.">
      <p className={styles.who}>
        {email}
        <br />
        {organization}
      </p>
      {enter.isError && <ErrorNotice>{say('token', enter.error)}</ErrorNotice>}
      {isOver && <p>This link was already used or has expired.</p>}
      <div className={styles.actions}>
        {!isOver && (
          <Button variant="primary" size="large" autoFocus isPending={enter.isPending} onPress={() => enter.mutate()}>
            Continue
          </Button>
        )}
        <Button size="large" isDisabled={enter.isPending} onPress={turnAway}>
          Not you? Sign in
        </Button>
      </div>
    </PublicPage>
  );
}
