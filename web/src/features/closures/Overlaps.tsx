import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { liveStore, useRow } from '~/live';
import { lineOf } from '~/model/closure';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { mapHolder } from '~/section/view';
import { useWords as useOrganizationWords } from '~/section/words';
import { Button, ErrorNotice, Notice } from '~/ui';
import { type Checked, type Conflict, failureText, useMarked } from './check';
import { distanceText } from './directions';
import type { ClosureDraft } from './form';
import styles from './form.module.css';

const NONE: readonly Conflict[] = [];

/** The closures on the same road, the same way, at the same time: in words, and on the map. It asks nothing of a save. */
export function Overlaps({ form, checked }: { form: UseFormReturn<ClosureDraft>; checked: Checked }) {
  const [hot, setHot] = useState<string | null>(null);
  const { check, isFresh, isAsking, failure, retry } = checked;
  const conflicts = check?.conflicts ?? NONE;
  useMarked(isFresh ? conflicts : NONE, hot);
  const { mode, repeats, closure_type } = form.getValues();
  const isPattern = repeats === 'nights' && mode === 'scheduled';
  // Of one that its board will begin nobody knows when it stands: nothing found is then no news.
  const isTimed = mode !== 'inactive' && closure_type === 'manual';
  if (failure) {
    return (
      <ErrorNotice className={styles.publish ?? ''} onRetry={retry}>
        {failureText(failure)}
      </ErrorNotice>
    );
  }
  return (
    <div role="status" className={styles.checked} aria-busy={isAsking}>
      {conflicts.length > 0 && (
        <Notice tone="warn">
          <ul className={styles.overlaps}>
            {conflicts.map(conflict => (
              <li key={conflict.id}>
                <Overlap conflict={conflict} isPattern={isPattern} isHot={hot === conflict.id} onHot={setHot} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {isAsking && <p className={styles.sum}>Checking for overlaps…</p>}
      {isFresh && conflicts.length === 0 && isTimed && <p className={styles.sum}>No overlaps with other closures.</p>}
    </div>
  );
}

interface OverlapProps {
  conflict: Conflict;
  /** the draft comes again */
  isPattern: boolean;
  isHot: boolean;
  onHot: (id: string | null) => void;
}

function Overlap({ conflict, isPattern, isHot, onHot }: OverlapProps) {
  const { timeZone, speedUnit } = useOrganizationWords();
  const { id, description, source, overlap } = conflict;
  const other = useRow('closure', id);
  const isFirst = isPattern || !!other?.recurrence;
  const [from, to] = [instantOf(overlap.start_time), instantOf(overlap.end_time)];
  const isLong = to - from > 24 * 3_600_000;
  const short = `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`;
  const when = `${dateText(from, timeZone, short)} to ${dateText(to, timeZone, isLong ? short : DATE_PATTERNS.time)}`;
  return (
    <>
      Overlaps{' '}
      <button
        type="button"
        className={styles.other}
        aria-pressed={isHot}
        title="Show on the map"
        onPointerEnter={() => onHot(id)}
        onPointerLeave={() => onHot(null)}
        onFocus={() => onHot(id)}
        onBlur={() => onHot(null)}
        onClick={() => show(conflict)}
      >
        {description}
      </button>{' '}
      of {source} for {distanceText(overlap.distance_m, speedUnit)}, {isFirst && 'first '}
      {when}.
    </>
  );
}

interface QuickOverlapProps {
  conflict: Conflict;
  /** how many closures more overlap */
  others: number;
  onOpen: (id: string) => void;
}

/** In a sentence what a short form would run into, and the way there: perhaps the same closure, added before. */
export function QuickOverlap({ conflict: { id, description, source }, others, onOpen }: QuickOverlapProps) {
  const more = others > 0 ? ` and ${others} more` : '';
  return (
    <Notice
      tone="warn"
      className={styles.quickOverlap ?? ''}
      action={
        <Button size="small" onPress={() => onOpen(id)}>
          Open It
        </Button>
      }
    >
      Overlaps “{description}” of {source}
      {more}.
    </Notice>
  );
}

/** Brings the other closure into sight, with where they meet. */
function show({ id, overlap }: Conflict): void {
  const other = liveStore.of('closure').get(id);
  const points = [...overlap.lines.flat(), ...(other ? lineOf(other) : [])];
  const [lats, lngs] = [points.map(({ lat }) => lat), points.map(({ lng }) => lng)];
  if (points.length === 0) return;
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  mapHolder.get()?.fitBounds({ south, north, west: Math.min(...lngs), east: Math.max(...lngs) });
}
