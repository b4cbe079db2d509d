import { type ReactNode, useState } from 'react';
import { Button, EmptyState, ErrorNotice, Skeleton, SkeletonBar } from '~/ui';
import look from './detail.module.css';
import { useGo } from './paths';
import styles from './screen.module.css';

/** The row of a screen, or why there is none yet. */
export type Shown<Row> =
  | { state: 'shown'; row: Row; isComplete: boolean }
  | { state: 'loading' }
  | { state: 'failed'; text: string; isMissing: boolean; retry: () => void };

/** A row as it stands by now; null when it is gone, undefined while that is not known. */
export type Now<Row> = Row | null | undefined;

interface AbsentProps<Row> {
  shown: Shown<Row>;
  /** the shape of what is on its way */
  bones: ReactNode;
  /** the way out where the server knows no such row */
  back: { label: string; to: string };
  /** why that may be */
  missing?: string;
}

/** What stands in the place of a row: its shape while it is read, else why it is not there and what to do. */
function Absent<Row>({ shown, bones, back, missing }: AbsentProps<Row>) {
  const go = useGo();
  if (shown.state === 'loading') return bones;
  if (shown.state === 'shown') return null;
  if (!shown.isMissing) {
    return (
      <ErrorNotice className={styles.failure ?? ''} onRetry={shown.retry}>
        {shown.text}
      </ErrorNotice>
    );
  }
  return (
    <EmptyState title={shown.text} action={<Button onPress={() => go(back.to)}>{back.label}</Button>}>
      {missing}
    </EmptyState>
  );
}

/** A row as it is now, or why it is not there. */
export function ShownRow<Row>({
  children,
  ...rest
}: AbsentProps<Row> & { children: (row: Row, isComplete: boolean) => ReactNode }) {
  const { shown } = rest;
  return shown.state === 'shown' ? children(shown.row, shown.isComplete) : <Absent {...rest} />;
}

/**
 * What a form begins with, once it is known in full: a fresher answer must not change a draft. With it comes how it
 * stands by now, null when it is gone; undefined while that is asked. `loading` says what is read.
 */
export function BegunRow<Row>({
  loading,
  children,
  ...rest
}: Omit<AbsentProps<Row>, 'bones'> & { loading: string; children: (row: Row, now: Now<Row>) => ReactNode }) {
  const { shown } = rest;
  const now = shown.state === 'shown' && shown.isComplete ? shown.row : undefined;
  const [begun, setBegun] = useState(now);
  if (begun === undefined && now !== undefined) setBegun(now);
  if (begun !== undefined) return children(begun, shown.state === 'failed' && shown.isMissing ? null : now);
  const bones = <FormSkeleton label={loading} />;
  return shown.state === 'shown' ? bones : <Absent {...rest} bones={bones} />;
}

/** The shape of a detail while its row is read. */
export function RowBones({ label }: { label: string }) {
  return (
    <Skeleton label={label}>
      <div className={look.hero}>
        <div className={look.heroLine}>
          <SkeletonBar width={44} height={44} />
          <div className={look.heroText}>
            <SkeletonBar width="60%" height={18} />
            <SkeletonBar width="40%" height={11} />
          </div>
        </div>
      </div>
      {['80%', '65%', '85%', '60%'].map(width => (
        <div key={width} className={look.boneLine}>
          <SkeletonBar width={width} />
        </div>
      ))}
    </Skeleton>
  );
}

/** The shape of a form while what it edits is read. */
function FormSkeleton({ label }: { label: string }) {
  return (
    <Skeleton label={label}>
      <div className={styles.formSkeleton}>
        {['a', 'b', 'c', 'd', 'e'].map(key => (
          <div key={key} className={styles.boneField}>
            <SkeletonBar width="30%" height={11} />
            <SkeletonBar height={36} />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}
