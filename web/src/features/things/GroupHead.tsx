import { ChevronDown } from 'lucide-react';
import { cx } from '~/lib/cx';
import { useIsLoaded } from '~/live';
import { countText, NONE } from '~/model/format';
import type { Words } from '~/model/organization';
import { Status } from '~/model/status';
import styles from '~/section/list.module.css';
import type { RowGroup } from './rows';
import { wordFor } from './statusWords';

/**
 * The head of a group: a press folds it. The row around it takes the press and the keys, and says whether it is folded.
 * How many are on scene is said in red: a group may be far down the list, or folded.
 */
export function GroupHead({ group, isFolded, words }: { group: RowGroup; isFolded: boolean; words: Words }) {
  const isLoaded = useIsLoaded();
  const { label, ids, onScene } = group;
  return (
    <div className={styles.group}>
      <ChevronDown
        className={cx(styles.chevron, isFolded && styles.folded)}
        size={16}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className={styles.groupName} title={label}>
        {label}
      </span>{' '}
      {onScene > 0 && (
        <b className={cx(styles.groupScene, 's-scene num')}>
          <i className={styles.dotScene} aria-hidden="true" />
          {countText(onScene)}
          <span className="visually-hidden"> {wordFor(Status.LOCATION, words)},</span>
        </b>
      )}{' '}
      <span className={cx(styles.groupCount, 'num')}>
        {isLoaded ? countText(ids.length) : NONE}
        <span className="visually-hidden"> {ids.length === 1 ? 'asset' : 'assets'}</span>
      </span>
    </div>
  );
}
