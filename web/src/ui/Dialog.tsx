import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from '~/lib/cx';
import { Button } from './Button';
import { ErrorNotice } from './ErrorNotice';
import styles from './Overlay.module.css';

export interface DialogProps {
  isOpen: boolean;
  /** Called with false on Esc and on a press outside, unless `mustAnswer`. */
  onOpenChange?: (open: boolean) => void;
  title: string;
  children?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  role?: 'dialog' | 'alertdialog';
  /** Esc and presses outside do nothing. */
  mustAnswer?: boolean;
  wide?: boolean;
  /** Added to the veil behind the window. */
  className?: string | undefined;
}

/** A window over the page; focus stays inside and returns where it was. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  children,
  actions,
  role = 'dialog',
  mustAnswer = false,
  wide,
  className,
}: DialogProps) {
  return (
    <ModalOverlay
      className={cx(styles.veil, className)}
      isOpen={isOpen}
      isDismissable={!mustAnswer}
      isKeyboardDismissDisabled={mustAnswer}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <Modal className={cx(styles.modal, wide && styles.wide)}>
        <AriaDialog className={styles.dialog ?? ''} role={role}>
          <Heading slot="title" level={2} className={styles.title ?? ''}>
            {title}
          </Heading>
          <div className={styles.content}>{children}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  onConfirm: () => void;
  isPending?: boolean;
  /** The failure's text, shown red inside; the owner clears it on close. */
  error?: string | undefined;
}

/** Confirm and Cancel, with a red line for what went wrong. */
export function ConfirmDialog({ isOpen, onClose, title, children, onConfirm, isPending, error }: ConfirmDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={open => !open && onClose()}
      title={title}
      role="alertdialog"
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" onPress={onConfirm} isPending={isPending ?? false}>
            Confirm
          </Button>
        </>
      }
    >
      {children}
      {error && <ErrorNotice>{error}</ErrorNotice>}
    </Dialog>
  );
}
