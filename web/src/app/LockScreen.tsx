import { LockKeyhole } from 'lucide-react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { session, useProfile, useSession } from '~/session';
import { Button } from '~/ui/Button';
import { signOutByHand } from './leave';
import styles from './lock.module.css';
import { Proof } from './Proof';

/** Over the dimmed map, until its user confirms who they are. */
export default function LockScreen() {
  return useSession().phase === 'signedIn' ? <Locked /> : null;
}

function Locked() {
  const { fullName, email } = useProfile();
  return (
    <ModalOverlay className={styles.veil ?? ''} isOpen isKeyboardDismissDisabled>
      <Modal className={styles.panel ?? ''}>
        <AriaDialog className={styles.dialog ?? ''} role="alertdialog" aria-label="Screen locked">
          <div className={styles.head}>
            <LockKeyhole size={22} strokeWidth={1.75} aria-hidden="true" />
            <div>
              <h2 className={styles.title}>Screen locked</h2>
              <p className={styles.who}>
                {fullName} · {email}
              </p>
            </div>
          </div>
          <Proof
            submit="Unlock"
            unlock
            onProof={proof => session.unlock(proof)}
            onProved={() => session.lock.unlock()}
            beside={<Button onPress={signOutByHand}>Sign Out</Button>}
          />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
