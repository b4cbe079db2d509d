import { cx } from '~/lib/cx';
import styles from '~/section/list.module.css';
import { Skeleton, SkeletonBar } from '~/ui';

/** The shape of rows that are still on their way. */
export function LoadingRows() {
  return (
    <Skeleton label="Loading assets">
      {[68, 52, 74, 60, 46, 66, 58].map(width => (
        <div key={width} className={cx(styles.row, styles.bones)}>
          <SkeletonBar width={30} height={30} round />
          <div className={styles.rowText}>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
