import styles from './Spinner.module.css';

/** A turning ring. With a label it is announced as progress; without one it is decoration. */
export function Spinner({ size = 20, label }: { size?: number; label?: string }) {
  const ring = (
    <svg className={styles.spinner} width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle className={styles.track} cx="12" cy="12" r="9" strokeWidth="3" />
      <path className={styles.arc} d="M21 12a9 9 0 0 0-9-9" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
  if (!label) return ring;
  return (
    <span role="progressbar" aria-label={label}>
      {ring}
    </span>
  );
}
