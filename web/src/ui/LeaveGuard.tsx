import { useBlocker } from '@tanstack/react-router';
import { Button } from './Button';
import { Dialog } from './Dialog';

/** Keeps a form with unsaved changes from being left by accident: in the app by a question, else by the browser's own. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title="Discard changes?"
      onOpenChange={open => {
        if (!open) blocker.reset();
      }}
      actions={
        <>
          <Button variant="danger" onPress={blocker.proceed}>
            Discard
          </Button>
          <Button variant="primary" onPress={blocker.reset}>
            Keep editing
          </Button>
        </>
      }
    >
      <p>Your changes haven't been saved.</p>
    </Dialog>
  );
}
