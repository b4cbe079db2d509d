import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { cx } from '~/lib/cx';
import styles from './Switch.module.css';

export interface SwitchProps {
  children: ReactNode;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
  /** Puts the switch at the end of the line, the label at its start. */
  atEnd?: boolean;
  className?: string;
  'aria-label'?: string;
}

/** On or off, at once. */
export function Switch({ children, atEnd, className, ...rest }: SwitchProps) {
  return (
    <AriaSwitch {...rest} className={cx(styles.switch, atEnd && styles.end, className)}>
      <span className={styles.track} />
      {children && <span className={styles.label}>{children}</span>}
    </AriaSwitch>
  );
}
