import type { ReactNode } from 'react';
import { useBrand } from '~/session';
import { EnvironmentTag } from './EnvironmentTag';
import styles from './SideNav.module.css';

/** A left navigation: what the product is called, and the links. */
export function NavFrame({ label, children }: { label: string; children?: ReactNode }) {
  const { name } = useBrand();
  return (
    <nav className={styles.nav} aria-label={label}>
      <div className={styles.brand}>
        <span className="light-bar" aria-hidden="true" />
        <span className={styles.word}>{name}</span>
      </div>
      <EnvironmentTag className={styles.environment} />
      {children}
    </nav>
  );
}
