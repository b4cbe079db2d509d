import { cx } from '~/lib/cx';
import styles from './map.module.css';

export interface LiveChipProps {
  /** live: the stream runs; behind: it is down, what stands here is of `asOf`. */
  state: 'live' | 'behind';
  /** "Live", "Reconnecting", "Offline"… */
  label: string;
  /** Time of the newest news, already in the organization's zone; '' before the first. */
  asOf: string;
}

/** "Live · as of 10:42:07": how old the picture is, always in sight. */
export function LiveChip({ state, label, asOf }: LiveChipProps) {
  return (
    <div className={cx(styles.chip, state === 'behind' && styles.behind)}>
      <i className={styles.dot} />
      <span>
        <b>{label}</b>
        {asOf !== '' && ` · as of ${asOf}`}
      </span>
    </div>
  );
}
