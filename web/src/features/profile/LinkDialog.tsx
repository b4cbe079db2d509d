import { useEffect, useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { instantOf } from '~/model/instant';
import { Button, CopyButton, Dialog, ErrorNotice, Qr, Skeleton, SkeletonBar } from '~/ui';
import styles from './profile.module.css';
import { useProfileMutations } from './queries';

/** A link that signs another screen in: once, for a minute. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const mutations = useProfileMutations();
  const [link, setLink] = useState<{ url: string; expiresAt: number }>();
  const [failure, setFailure] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const left = useSecondsLeft(link?.expiresAt);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once, and again for another link alone
  useEffect(() => {
    let isGone = false;
    setFailure(undefined);
    setLink(undefined);
    mutations.link().then(
      made => !isGone && setLink({ url: made.url, expiresAt: instantOf(made.expires_at) }),
      error => !isGone && setFailure(say('generic', error)),
    );
    return () => {
      isGone = true;
    };
  }, [attempt]);
  return (
    <Dialog
      isOpen
      title="Sign in on another screen"
      onOpenChange={open => !open && onClose()}
      actions={<Button onPress={onClose}>Close</Button>}
    >
      {failure && <ErrorNotice onRetry={() => setAttempt(attempt + 1)}>{failure}</ErrorNotice>}
      {!link && !failure && (
        <Skeleton>
          <SkeletonBar height={260} />
        </Skeleton>
      )}
      {link && left > 0 && (
        <>
          <p className={styles.lead}>
            Open this on the other screen. Anyone with the link is signed in as you. It works once, for one minute.
          </p>
          <Qr text={link.url} label="QR code of the sign-in link" />
          <div className={styles.linkBox}>
            <span className="num">{left} s left</span>
            <CopyButton text={link.url} label="Copy link" />
          </div>
        </>
      )}
      {link && left <= 0 && (
        <div className={styles.linkBox} role="status">
          <span>This link has expired.</span>
          <Button variant="primary" onPress={() => setAttempt(attempt + 1)}>
            Create another
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** Seconds until an instant of the server's clock, counted down; 0 without one. */
function useSecondsLeft(at: number | undefined): number {
  const leftOf = () => (at === undefined ? 0 : Math.max(0, Math.ceil((at - serverClock.now()) / 1000)));
  const [, setTick] = useState(0);
  useEffect(() => {
    if (at === undefined) return;
    const timer = setInterval(() => setTick(now => now + 1), 500);
    return () => clearInterval(timer);
  }, [at]);
  return leftOf();
}
