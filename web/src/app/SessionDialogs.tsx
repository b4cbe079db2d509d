import { lazy, Suspense } from 'react';
import { texts } from '~/api';
import { chunk } from '~/lib/chunk';
import { useStore } from '~/lib/store';
import { session } from '~/session';
import { Button } from '~/ui/Button';
import { Dialog } from '~/ui/Dialog';
import { appAlert } from './alerts';
import styles from './lock.module.css';
import { updateWaits } from './version';

const StepUpDialog = lazy(chunk(() => import('./StepUpDialog')));
const LockScreen = lazy(chunk(() => import('./LockScreen')));

/** The windows that may stand over any screen. */
export default function SessionDialogs() {
  const question = useStore(session.stepUp.question);
  const locked = useStore(session.lock.locked);
  return (
    <>
      <Update />
      <Alert />
      <Suspense fallback={null}>
        {question && <StepUpDialog reason={question} />}
        {locked && <LockScreen />}
      </Suspense>
      <SessionNotice />
    </>
  );
}

/** Idle question, notices of the session's end; they stand over the lock screen too. */
function SessionNotice() {
  const alert = useStore(session.alert);
  if (!alert) return null;
  const answer = alert.kind === 'idle' ? () => session.staySignedIn() : () => session.closeAlert();
  return (
    <Dialog
      isOpen
      mustAnswer
      className={styles.above}
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

function Alert() {
  const alert = useStore(appAlert);
  if (!alert) return null;
  const close = () => {
    appAlert.set(undefined);
    alert.onOk?.();
  };
  return <Message title={alert.title} text={alert.text} onOk={close} />;
}

/** The server runs another version: the page is loaded anew once its user is ready. */
function Update() {
  const waits = useStore(updateWaits);
  if (!waits) return null;
  return <Message title={texts.update.title} text={texts.update.text} onOk={() => window.location.reload()} />;
}

function Message({ title, text, onOk }: { title: string; text: string; onOk: () => void }) {
  return (
    <Dialog
      isOpen
      mustAnswer
      role="alertdialog"
      title={title}
      actions={
        <Button variant="primary" autoFocus onPress={onOk}>
          OK
        </Button>
      }
    >
      {text}
    </Dialog>
  );
}
