import { Button, Codes, Dialog } from '~/ui';
import styles from './profile.module.css';

/** Recovery codes, shown once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      mustAnswer
      title="Your recovery codes"
      actions={
        <Button variant="primary" onPress={onClose}>
          I've saved them
        </Button>
      }
    >
      <p className={styles.lead}>
        Each code signs you in once if you don't have your device. You won't see them again: print them or save them in
        a password manager.
      </p>
      <Codes codes={codes} label="Recovery codes" fileName="recovery-codes.txt" />
    </Dialog>
  );
}
