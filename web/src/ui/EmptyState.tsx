import type { ReactNode } from 'react';
import styles from './Notice.module.css';

export interface EmptyStateProps {
  /** "No results found." */
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty} role="status">
      <p className={styles.emptyTitle}>{title}</p>
      {children && <p>{children}</p>}
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  );
}
