import { cx } from '~/lib/cx';
import styles from './map.module.css';

export interface LiveChipProps {
  /** live: what stands here is kept up to date; behind: it is of `asOf`, or a part of it is missing. */
  state: 'live' | 'behind';
  /** "Live", "Reconnecting", "Offline"… */
  label: string;
  /** Time of the newest news, already in the organization's zone; '' before the first. */
  asOf: string;
  /** What alone is of that time, if not all of it. */
  of?: string;
}

/** "Live · as of 10:42:07": how old the picture is, always in sight. */
export function LiveChip({ state, label, asOf, of = '' }: LiveChipProps) {
  return (
    <div className={cx(styles.chip, state === 'behind' && styles.behind)}>
      <i className={styles.dot} />
      <span>
        <b>{label}</b>
        {asOf !== '' && ` · ${of && `${of} `}as of ${asOf}`}
      </span>
    </div>
  );
}
