import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { serverClock } from '~/lib/clock';
import { dateText } from '~/model/format';
import type { Instant } from '~/model/instant';
import { useOrganization } from '~/session';
import { Button } from '~/ui';
import styles from './csvPick.module.css';

export interface UndoImportProps {
  until: Instant;
  isPending: boolean;
  onUndo: () => void;
  /** What it does, as sentences. */
  does: string;
}

/** The way back from an import, while it is open. */
export function UndoImport({ until, isPending, onUndo, does }: UndoImportProps) {
  const { timezone } = useOrganization();
  const isOpen = useBefore(until);
  if (!isOpen) return <p className={styles.hint}>This import can no longer be undone.</p>;
  return (
    <div className={styles.undo}>
      <Button icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />} isPending={isPending} onPress={onUndo}>
        Undo
      </Button>
      <p className={styles.hint}>
        Undo until {dateText(until, timezone, 'p')}. {does}
      </p>
    </div>
  );
}

/** Whether an instant lies ahead; draws again when it has come. */
function useBefore(until: Instant): boolean {
  const [isOpen, setOpen] = useState(() => serverClock.now() < until);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(false), Math.max(0, until - serverClock.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return isOpen;
}
