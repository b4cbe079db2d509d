import { say } from '~/api';
import { cx } from '~/lib/cx';
import { retryLive, useStreamState } from '~/live';
import { ErrorNotice, Skeleton, SkeletonBar } from '~/ui';
import list from './list.module.css';
import screen from './screen.module.css';

/** Why the list cannot be had. Before it was whole once, a part of it must not pass for all of it. */
export function ListFailed({ isWhole }: { isWhole: boolean }) {
  const { failure } = useStreamState();
  if (isWhole || failure === undefined) return null;
  return (
    <ErrorNotice className={screen.failure ?? ''} onRetry={retryLive}>
      {say('rows.load', failure)}
    </ErrorNotice>
  );
}

/** The shape of rows that are still on their way; `px` is how high they are. */
export function ListWaiting({ label, px }: { label: string; px: number }) {
  const { failure } = useStreamState();
  if (failure !== undefined) return null;
  return (
    <Skeleton label={label}>
      {[62, 48, 70, 54, 66].map(width => (
        <div key={width} className={cx(list.row, list.bones)} style={{ height: px }}>
          <SkeletonBar width={30} height={30} />
          <div className={list.rowText}>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
