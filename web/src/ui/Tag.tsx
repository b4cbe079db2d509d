import type { ReactNode } from 'react';
import { cx } from '~/lib/cx';
import styles from './Notice.module.css';

/** A word in a thin frame ("Out-of-Service"). */
export function Tag({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx(styles.tag, className)}>{children}</span>;
}

/** A count on a control; `label` says what it counts. */
export function Badge({ count, label }: { count: number; label?: string }) {
  return (
    <span className={styles.badge}>
      {count}
      {label && <span className="visually-hidden"> {label}</span>}
    </span>
  );
}
