import type { ReactNode } from 'react';
import { texts } from '~/api';
import styles from './PublicPage.module.css';

/** The line under a form: pending, success, or what went wrong (requirements 8.signin). */
export function StatusLine(props: { isPending: boolean; success?: string | undefined; problem?: ReactNode }) {
  return (
    <div className={styles.status}>
      <p className={styles.progress} role="status">
        {props.isPending ? texts.signin.pending : props.success}
      </p>
      {!props.isPending && props.problem}
    </div>
  );
}
