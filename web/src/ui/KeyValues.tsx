import { Fragment, type ReactNode } from 'react';
import { cx } from '~/lib/cx';
import styles from './Notice.module.css';

/** Labels with their values at the right edge; an empty value shows as "–". */
export function KeyValues({
  rows,
  dense,
}: {
  rows: readonly (readonly [label: string, value: ReactNode])[];
  dense?: boolean;
}) {
  return (
    <dl className={cx(styles.kv, dense && styles.dense)}>
      {rows.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value === '' || value === null || value === undefined ? '–' : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
