import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { api, type Schemas, say } from '~/api';
import { wordsOfCode } from '~/session';
import { Button } from '~/ui/Button';
import { ErrorNotice } from '~/ui/ErrorNotice';
import styles from './lock.module.css';
import { hearVerdicts } from './verified';

/** A step-up that has begun. */
type Visit = Schemas['ProviderVisit'];

interface ProviderProofProps {
  /** Its title. */
  provider: string;
  extend: boolean;
  /** The server knows who is there. */
  onProved: () => void;
  /** The ways beside this one. */
  others: ReactNode;
  /** The button beside the main one. */
  beside: ReactNode;
}

/** Proves who is there by signing in anew at the identity provider, in a window of its own: this page stays as it is. */
export function ProviderProof({ provider, extend, onProved, others, beside }: ProviderProofProps) {
  const [blocked, setBlocked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const begin = useMutation({
    mutationFn: async (opened: Window | null) => {
      try {
        const visit = await api.data('POST /session/step_up/sso', { body: { extend }, stepUp: false });
        opened?.location.replace(visit.url);
        return visit;
      } catch (error) {
        opened?.close();
        throw error;
      }
    },
  });
  const visit = begin.data;
  const failed = (text: string) => {
    begin.reset();
    setProblem(text);
  };
  useVerdict(visit, onProved, failed);
  const open = () => {
    // At once, while the browser knows that somebody has pressed: later it would be kept closed.
    const opened = window.open('about:blank', '_blank', 'popup,width=520,height=680');
    setBlocked(!opened);
    setProblem(undefined);
    begin.mutate(opened);
  };
  return (
    <div className={styles.proof}>
      {problem && <ErrorNotice className={styles.problem ?? ''}>{problem}</ErrorNotice>}
      {begin.isError && <ErrorNotice className={styles.problem ?? ''}>{say('stepUp', begin.error)}</ErrorNotice>}
      <p className={styles.lead} role="status">
        {visit &&
          (blocked
            ? 'Your browser blocked the window. '
            : `Sign in again in the ${provider} window. This one continues automatically. `)}
        {visit && (
          <a href={visit.url} target="_blank" rel="noopener noreferrer">
            {blocked ? `Open ${provider}` : 'Open it again'}
          </a>
        )}
      </p>
      {others}
      <div className={styles.actions}>
        {beside}
        {!visit && (
          <Button variant="primary" autoFocus isPending={begin.isPending} onPress={open}>
            Confirm with {provider}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Waits for the end of a visit: its window tells, or somebody comes back to this one; the server says what is true. */
function useVerdict(visit: Visit | undefined, onProved: () => void, onProblem: (text: string) => void): void {
  const look = useEffectEvent(async (begun: Visit) => {
    const { session } = await api.data('GET /profile');
    if (Date.parse(session.verified_at ?? '') >= Date.parse(begun.begun_at)) onProved();
  });
  const refuse = useEffectEvent(onProblem);
  useEffect(() => {
    if (!visit) return;
    // Without an answer the question stays: the next sign of life asks again.
    const check = () => void look(visit).catch(() => undefined);
    const stop = hearVerdicts(({ problem }) => (problem ? refuse(wordsOfCode(problem)) : check()));
    window.addEventListener('focus', check);
    return () => {
      stop();
      window.removeEventListener('focus', check);
    };
  }, [visit]);
}
