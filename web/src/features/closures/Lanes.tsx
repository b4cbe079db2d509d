import { cx } from '~/lib/cx';
import type { Closure } from '~/model/closure';
import styles from './closures.module.css';
import { lanesText } from './words';

/** The lanes of the road from left to right, the closed ones hatched. Where nobody said how many there are, words alone. */
export function Lanes({ closure }: { closure: Closure }) {
  const { impacted_lanes: lanes, total_lanes } = closure;
  const text = lanesText(closure);
  if (!total_lanes) return <p className={styles.quiet}>{text || "Closed lanes aren't specified."}</p>;
  const all = Array.from({ length: total_lanes }, (_, i) => i + 1);
  return (
    <>
      <p>{text}</p>
      <ol className={styles.lanes} aria-label="Lanes, from the left">
        {all.map(lane => {
          const isClosed = lanes.includes(lane);
          return (
            <li key={lane} className={cx(styles.lane, isClosed && styles.closed)}>
              <b>{lane}</b>
              <span className="visually-hidden">{isClosed ? 'closed' : 'open'}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
