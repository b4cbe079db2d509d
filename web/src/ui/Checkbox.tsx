import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { cx } from '~/lib/cx';
import styles from './Switch.module.css';

export interface CheckboxProps {
  children: ReactNode;
  /** A group has what is selected of it. */
  isSelected?: boolean;
  onChange?: (on: boolean) => void;
  /** What it is in a group. */
  value?: string;
  isIndeterminate?: boolean;
  isDisabled?: boolean;
  className?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
}

/** A tick with a label. */
export function Checkbox({ children, className, ...rest }: CheckboxProps) {
  const Mark = rest.isIndeterminate ? Minus : Check;
  return (
    <AriaCheckbox {...rest} className={cx(styles.checkbox, className)}>
      <span className={styles.box}>
        <Mark size={13} strokeWidth={3} aria-hidden="true" />
      </span>
      {children && <span className={styles.label}>{children}</span>}
    </AriaCheckbox>
  );
}
