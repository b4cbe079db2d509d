import type { ReactNode } from 'react';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import styles from './Overlay.module.css';

type Placement = 'bottom' | 'bottom start' | 'bottom end' | 'top' | 'top start' | 'top end' | 'left' | 'right';

export interface PopoverProps {
  /** The button that opens it, then what is inside. */
  trigger: ReactNode;
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
  placement?: Placement;
  isOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A small panel beside its button: filters, details. Esc or a press outside closes it. */
export function Popover({ trigger, label, children, placement = 'bottom start', ...rest }: PopoverProps) {
  return (
    <DialogTrigger {...rest}>
      {trigger}
      <AriaPopover className={styles.popover ?? ''} placement={placement} offset={6}>
        <AriaDialog className={styles.body ?? ''} aria-label={label}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
