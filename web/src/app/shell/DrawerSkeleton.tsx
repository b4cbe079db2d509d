import { Skeleton, SkeletonBar } from '~/ui/Skeleton';
import styles from './Shell.module.css';

/** The shape of a drawer's list while the section's own code is on its way. */
export function DrawerSkeleton() {
  return (
    <Skeleton label="Loading">
      <div className={styles.boneHead}>
        <SkeletonBar width="40%" height={22} />
        <SkeletonBar height={34} />
      </div>
      {[68, 52, 74, 60, 46, 66, 58, 70].map(width => (
        <div key={width} className={styles.boneRow}>
          <SkeletonBar width={30} height={30} round />
          <div>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
