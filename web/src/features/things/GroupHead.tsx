import { ChevronDown } from 'lucide-react';
import { cx } from '~/lib/cx';
import { useIsLoaded } from '~/live';
import { countText, NONE } from '~/model/format';
import type { ThingGroup } from '~/model/group';
import styles from './list.module.css';

/** The head of a group: a press folds it. The row around it takes the press and the Enter key. */
export function GroupHead({ group, isFolded }: { group: ThingGroup; isFolded: boolean }) {
  const isLoaded = useIsLoaded();
  return (
    <div className={styles.group}>
      <ChevronDown
        className={cx(styles.chevron, isFolded && styles.folded)}
        size={16}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className={styles.groupName}>{group.label}</span>
      <span className="visually-hidden">{isFolded ? ', folded' : ', unfolded'}</span>
      <span className={cx(styles.groupCount, 'num')}>{isLoaded ? countText(group.ids.length) : NONE}</span>
    </div>
  );
}
