import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { setTitle, useBrand } from '~/session';
import styles from './PublicPage.module.css';

const Streets = lazy(() => import('./Streets'));

/** The frame of every public screen: brand, the screen's form, notice and copyright line (requirements 2.pub). */
export function PublicPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const brand = useBrand();
  useEffect(() => setTitle(`${title} · ${brand.name}`), [title, brand.name]);
  return (
    <div className={styles.page}>
      <main className={styles.left}>
        <div className={styles.brand}>
          <span className="light-bar" aria-hidden="true" />
          {brand.name}
        </div>
        <div className={styles.form}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
          {children}
        </div>
        <footer className={styles.legal}>
          Confidential. Use is licensed to your organization under the{' '}
          <a href={brand.licenseUrl} target="_blank" rel="noreferrer">
            End User License Agreement
          </a>{' '}
          and{' '}
          <a href={brand.termsUrl} target="_blank" rel="noreferrer">
            Terms
          </a>
          .<br />© {new Date().getFullYear()} {brand.copyrightOwner}
        </footer>
      </main>
      <div className={styles.picture} aria-hidden="true">
        <Suspense fallback={null}>
          <Streets />
        </Suspense>
      </div>
    </div>
  );
}
