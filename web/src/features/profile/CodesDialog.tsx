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
          I have kept them
        </Button>
      }
    >
      <p className={styles.lead}>
        Each signs you in once when your device is not at hand. They are not shown again: print them or keep them in a
        password manager.
      </p>
      <Codes codes={codes} label="Recovery codes" fileName="recovery-codes.txt" />
    </Dialog>
  );
}
