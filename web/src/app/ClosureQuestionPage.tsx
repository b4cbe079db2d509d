import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, asFailure, type Schemas, say } from '~/api';
import { directionText, reasonText, timeText } from '~/features/closures/words';
import { mailedToken } from '~/features/signin/mailedLink';
import { PublicPage } from '~/features/signin/PublicPage';
import { instantOf } from '~/model/instant';
import { pathsOf } from '~/section/paths';
import { Button, buttonClass } from '~/ui/Button';
import { ErrorNotice, Notice } from '~/ui/ErrorNotice';
import { KeyValues } from '~/ui/KeyValues';
import { Skeleton, SkeletonBar } from '~/ui/Skeleton';
import styles from './closureQuestion.module.css';

const { detail, edit } = pathsOf('closures');

type Question = Schemas['ClosureQuestion'];
type Answer = 'still' | 'finished';

/** Others answer meanwhile, and the clock ends what nobody answers. */
const AGAIN_MS = 60_000;

/** /welcome/closure/{email}#{token}: where a mail leads that asks whether a closure is still there. Only a press answers. */
export function ClosureQuestionPage() {
  const token = mailedToken('closure');
  return (
    <PublicPage title="Is it still there?" lead="You were asked by email about this closure.">
      {token ? (
        <Asked token={token} />
      ) : (
        <ErrorNotice>This link is incomplete. Open it from the email again.</ErrorNotice>
      )}
    </PublicPage>
  );
}

function Asked({ token }: { token: string }) {
  const queries = useQueryClient();
  const queryKey = ['closureQuestion', token];
  const question = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.data('POST /closure_question', { auth: false, body: { token }, signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  const send = useMutation({
    mutationFn: (answer: Answer) => api.data('POST /closure_question/answer', { auth: false, body: { token, answer } }),
    onSuccess: is => queries.setQueryData(queryKey, is),
  });
  const refused = question.error && !asFailure(question.error).isPassing;
  if (refused || (question.error && !question.data))
    return (
      <>
        <ErrorNotice className={styles.state} onRetry={refused ? undefined : () => void question.refetch()}>
          {say('closure.question', question.error)}
        </ErrorNotice>
        <p className={styles.links}>
          <Link to="/welcome/signin">Sign in</Link>
        </p>
      </>
    );
  if (!question.data)
    return (
      <Skeleton label="Loading closure">
        <SkeletonBar height={220} />
      </Skeleton>
    );
  const is = question.data;
  const wasLate = send.data !== undefined && send.data.answered_by !== 'You';
  return (
    <>
      <Facts is={is} />
      <div role="status" className={styles.state}>
        {is.state !== 'open' && (
          <Notice tone={is.state === 'answered' ? 'good' : 'info'}>
            {outcome(is)}
            {wasLate && " Your answer came later, so it wasn't used."}
          </Notice>
        )}
        {is.state === 'open' && <p>Without an answer, it ends at {when(is.expires_at, is)}.</p>}
      </div>
      {send.isError && <ErrorNotice className={styles.state}>{say('closure.question', send.error)}</ErrorNotice>}
      {is.state === 'open' && (
        <Answers id={is.closure_id} pending={send.isPending ? send.variables : undefined} send={send.mutate} />
      )}
      {is.state !== 'open' && is.state !== 'deleted' && (
        <p className={styles.links}>
          <Link to={detail(is.closure_id)}>Open the closure on the map</Link>
        </p>
      )}
    </>
  );
}

function Answers({ id, pending, send }: { id: string; pending: Answer | undefined; send: (answer: Answer) => void }) {
  const button = (answer: Answer, label: string) => (
    <Button
      variant={answer === 'still' ? 'primary' : 'default'}
      className={styles.answer ?? ''}
      isPending={pending === answer}
      isDisabled={pending !== undefined && pending !== answer}
      onPress={() => send(answer)}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles.answers}>
      {button('still', 'Still There')}
      {/* Where to is drawn on the map, which needs a session. */}
      <Link to={edit(id)} className={buttonClass({ className: styles.answer })}>
        Moved
      </Link>
      {button('finished', 'Finished')}
    </div>
  );
}

function Facts({ is }: { is: Question }) {
  const road = [is.road_name, directionText(is.direction)].filter(Boolean).join(' ');
  const stretch = [is.street_start, is.street_end].filter(Boolean).join(' to ');
  return (
    <div className={styles.facts}>
      <KeyValues
        rows={[
          ['Closure', is.description],
          ['Road', road],
          ['Stretch', stretch],
          ['Since', when(is.start_time, is)],
          [is.state === 'ended' ? 'Ended' : 'Until', when(is.end_time, is)],
          ['Organization', is.organization],
        ]}
      />
    </div>
  );
}

/** By the clock of the closure's organization. */
const when = (at: string | null, { timezone }: Question): string =>
  timeText(instantOf(at), { timeZone: timezone }, Date.now()) || '–';

/** What has become of it, by whom and when, as far as it is known. */
function outcome(is: Question): string {
  const who = is.answered_by && ` by ${is.answered_by === 'You' ? 'you' : is.answered_by}`;
  const at = is.answered_at ? ` at ${when(is.answered_at, is)}` : '';
  if (is.state === 'deleted') return `The closure was removed${who}${at}.`;
  if (is.state === 'answered') return `Still in place: confirmed${who}${at}.`;
  return `${reasonText(is.end_reason)}${who}${at}.`;
}
