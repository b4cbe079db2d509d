import styles from './events.module.css';

/**
 * The mark of an event, as on the map: a red disc with a ring around it while it is active, a thin gray ring once it has
 * ended; in it, how many assets are or were there.
 */
export function EventMark({ isActive, units, size = 34 }: { isActive: boolean; units: number; size?: number }) {
  return (
    <svg
      className={isActive ? styles.markActive : styles.markRecent}
      width={size}
      height={size}
      viewBox="0 0 34 34"
      aria-hidden="true"
    >
      {isActive && <circle cx="17" cy="17" r="16" strokeWidth="1" opacity="0.45" />}
      <circle className={styles.markDisc} cx="17" cy="17" r="12" strokeWidth="1.75" />
      {units > 0 && (
        <text x="17" y="17" textAnchor="middle" dominantBaseline="central">
          {units > 99 ? '99+' : units}
        </text>
      )}
    </svg>
  );
}
