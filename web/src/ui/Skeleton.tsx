import limits from '@catalog/limits.json';
import type { ReactNode } from 'react';
import { cx } from '~/lib/cx';
import { useDelayed } from '~/lib/debounce';
import styles from './Notice.module.css';

/** One gray bone of a loading shape; sizes in px or CSS lengths. */
export function SkeletonBar({
  width = '100%',
  height = 12,
  round,
}: {
  width?: number | string;
  height?: number;
  round?: boolean;
}) {
  return <span className={cx(styles.skeleton, round && styles.round)} style={{ width, height }} />;
}

/**
 * Shows the loading shape once `afterMs` have passed, so that quick answers never flash it; says "Loading" to
 * screen readers.
 */
export function Skeleton({
  children,
  afterMs = limits.ui.skeletonAfterMs.value,
  label = 'Loading',
}: {
  children: ReactNode;
  afterMs?: number;
  label?: string;
}) {
  const late = useDelayed(true, afterMs);
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {late && <div aria-hidden="true">{children}</div>}
    </div>
  );
}
