import { type StepUpReason, session, useSession } from '~/session';
import { Button } from '~/ui/Button';
import { Dialog } from '~/ui/Dialog';
import styles from './lock.module.css';
import { Proof } from './Proof';

const words: Readonly<Record<StepUpReason, { title: string; lead: string }>> = {
  action: { title: "Confirm it's you", lead: 'For your security, confirm your identity to continue.' },
  extend: { title: 'Stay signed in', lead: 'Confirm your identity to extend your session.' },
};

/** Asks who is there, before an action that needs it or to prolong the session. What waits for the answer goes on. */
export default function StepUpDialog({ reason }: { reason: StepUpReason }) {
  if (useSession().phase !== 'signedIn') return null;
  const { title, lead } = words[reason];
  return (
    <Dialog isOpen onOpenChange={open => !open && session.stepUp.cancel()} title={title}>
      <p className={styles.lead}>{lead}</p>
      <Proof
        submit="Confirm"
        extend={reason === 'extend'}
        onProof={proof => session.stepUp.prove(proof)}
        onProved={() => session.stepUp.confirmed()}
        beside={<Button onPress={() => session.stepUp.cancel()}>Cancel</Button>}
      />
    </Dialog>
  );
}
