import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '~/lib/cx';
import { Button } from './Button';
import styles from './Notice.module.css';

const icons = { danger: OctagonAlert, warn: TriangleAlert, good: CircleCheck, info: Info };

export interface NoticeProps {
  children: ReactNode;
  tone?: 'danger' | 'warn' | 'good' | 'info';
  action?: ReactNode;
  className?: string;
}

/** A boxed remark. It is not announced by itself; wrap it in a live region where it appears later. */
export function Notice({ children, tone = 'info', action, className }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={cx(styles.notice, tone !== 'info' && styles[tone], className)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}

export interface ErrorNoticeProps {
  children: ReactNode;
  /** Shows Retry. */
  onRetry?: (() => void) | undefined;
  className?: string | undefined;
}

/** What went wrong, in its place, announced at once (role alert). */
export function ErrorNotice({ children, onRetry, className }: ErrorNoticeProps) {
  return (
    <div role="alert" className={className}>
      <Notice
        tone="danger"
        action={
          onRetry && (
            <Button size="small" onPress={onRetry}>
              Retry
            </Button>
          )
        }
      >
        {children}
      </Notice>
    </div>
  );
}
