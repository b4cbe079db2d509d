import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './Button';
import { ConfirmDialog } from './Dialog';

export interface ConfirmActionProps<Result> {
  title: string;
  children?: ReactNode;
  /** What Confirm does; its failure stays in the dialog. */
  run: () => Promise<Result>;
  /** The failure's text. */
  say: (error: unknown) => string;
  /** After Cancel and Esc, and after success unless `onDone` takes that. */
  onClose: () => void;
  onDone?: (result: Result) => void;
}

/** Asks before something is done: pending while it runs, a red line when it fails, gone when it is done. */
export function ConfirmAction<Result>(props: ConfirmActionProps<Result>) {
  const { title, children, run, say, onClose, onDone = onClose } = props;
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      onDone(await run());
    } catch (thrown) {
      setError(say(thrown));
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen
      title={title}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isPending={isPending}
      error={error}
    >
      {children}
    </ConfirmDialog>
  );
}

export interface AskButtonProps<Result> extends Omit<ConfirmActionProps<Result>, 'onClose'> {
  label: string;
  /** Its look; the name that screen readers say, where the label alone is not enough. */
  button?: Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'aria-label'>;
}

/** A button that asks before it acts. */
export function AskButton<Result>({ label, button, ...question }: AskButtonProps<Result>) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button {...button} onPress={() => setAsks(true)}>
        {label}
      </Button>
      {asks && <ConfirmAction {...question} onClose={() => setAsks(false)} />}
    </>
  );
}
