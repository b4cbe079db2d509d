import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Challenge, session } from '~/session';
import { Button } from '~/ui/Button';
import { Codes } from '~/ui/Codes';
import { BackButton, CodeEntry, FactorProblem } from './FactorPage';
import { PublicPage } from './PublicPage';
import styles from './PublicPage.module.css';
import { StatusLine } from './StatusLine';
import { TotpSecret } from './TotpSecret';

type SetUp = Extract<Challenge, { kind: 'setUp' }>;
type Done = Awaited<ReturnType<typeof session.setUpFactor>>;

/** The first set-up of a second factor, where the organization requires one: secret, code, recovery codes. */
export function SetUpPage({ challenge, onBack }: { challenge: SetUp; onBack: () => void }) {
  const [done, setDone] = useState<Done>();
  const setUp = useMutation({
    mutationFn: (code: string) => session.setUpFactor(challenge.challenge, code),
    onSuccess: setDone,
  });
  if (done) return <CodesPage done={done} />;
  return (
    <PublicPage
      title="Set up two-factor authentication"
      lead="Your organization requires it. Scan this with an authenticator app, then enter the code it shows."
    >
      <TotpSecret secret={challenge.secret} url={challenge.url} />
      <CodeEntry
        label="Code"
        numeric
        isPending={setUp.isPending}
        submit="Continue"
        onCode={code => setUp.mutate(code)}
      />
      <div className={styles.others}>
        <BackButton onPress={onBack} />
      </div>
      <StatusLine isPending={setUp.isPending} problem={<FactorProblem error={setUp.error} onBack={onBack} />} />
    </PublicPage>
  );
}

function CodesPage({ done }: { done: Done }) {
  const enter = useMutation({ mutationFn: done.enter });
  return (
    <PublicPage
      title="Save your recovery codes"
      lead="Each code signs you in once without your app. You won't see them again."
    >
      <Codes codes={done.codes} label="Recovery codes" fileName="recovery-codes.txt" />
      <Button
        variant="primary"
        size="large"
        className={styles.submit}
        isPending={enter.isPending}
        onPress={() => enter.mutate()}
      >
        I've saved them
      </Button>
    </PublicPage>
  );
}
