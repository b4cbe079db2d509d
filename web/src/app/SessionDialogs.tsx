import { useStore } from '~/lib/store';
import { session } from '~/session';
import { Button } from '~/ui/Button';
import { Dialog } from '~/ui/Dialog';

/** The windows of the session: idle question, notices of its end. */
export default function SessionDialogs() {
  const alert = useStore(session.alert);
  if (!alert) return null;
  const answer = alert.kind === 'idle' ? () => session.staySignedIn() : () => session.closeAlert();
  return (
    <Dialog
      isOpen
      mustAnswer
      role="alertdialog"
      title={alert.title}
      actions={
        alert.button && (
          <Button variant="primary" autoFocus onPress={answer}>
            {alert.button}
          </Button>
        )
      }
    >
      {alert.text}
    </Dialog>
  );
}
