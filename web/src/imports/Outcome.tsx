import { Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { asFailure, type Schemas, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { countText, dateText } from '~/model/format';
import { type Instant, instantOf } from '~/model/instant';
import { useOrganization } from '~/session';
import { Button, Card, ErrorNotice } from '~/ui';
import styles from './imports.module.css';

/** How an import is undone; without an id it has changed nothing. */
export type WayBack = Pick<Schemas['HazardImported'], 'import_id' | 'undo_until'>;

/** What undoing an import did, whatever it had made. */
export interface Undone {
  deleted: number;
  restored?: number;
  left: number;
  reasons: readonly { id: string; name: string; reason: string }[];
}

export interface UndoCall {
  send: (id: string) => Promise<Undone>;
  /** What it does, as sentences. */
  does: string;
  isOff?: boolean;
}

export const undoneText = ({ deleted, restored, left }: Undone): string =>
  [
    `${countText(deleted)} deleted`,
    restored !== undefined && `${countText(restored)} restored`,
    left > 0 && `${countText(left)} not undone`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.');

export interface OutcomeProps {
  result: WayBack;
  undo: UndoCall;
  /** What the import did. */
  done: ReactNode;
  /** On a page: in a card with a title. */
  isCard?: boolean;
  /** The ways on. */
  children?: ReactNode;
}

/** What an import did and the way back; then what undoing it did. */
export function Outcome({ result: { import_id, undo_until }, undo, done, isCard = false, children }: OutcomeProps) {
  const [undone, setUndone] = useState<Undone>();
  const body = undone ? (
    <UndoneList result={undone} />
  ) : (
    <>
      {done}
      {import_id && !undo.isOff && (
        <Way call={undo} id={import_id} until={instantOf(undo_until)} onUndone={setUndone} />
      )}
    </>
  );
  if (!isCard) return body;
  return (
    <Card title={undone ? 'Import undone' : 'Import finished'}>
      <div className={styles.page}>
        {body}
        <div className={styles.pick}>{children}</div>
      </div>
    </Card>
  );
}

interface WayProps {
  call: UndoCall;
  id: string;
  until: Instant;
  onUndone: (result: Undone) => void;
}

function Way({ call: { send, does }, id, until, onUndone }: WayProps) {
  const { timezone } = useOrganization();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const isOpen = useBefore(until);
  const undo = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      onUndone(await send(id));
    } catch (error) {
      setFailure(say('undo', asFailure(error)));
      setPending(false);
    }
  };
  if (!isOpen) return <p className={styles.lead}>This import can no longer be undone.</p>;
  return (
    <>
      <div>
        <Button
          icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />}
          isPending={isPending}
          onPress={() => void undo()}
        >
          Undo import
        </Button>
      </div>
      <p className={styles.lead}>
        You can undo this import until {dateText(until, timezone, 'MMM d, p')}. {does}
      </p>
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
    </>
  );
}

/** Whether an instant lies ahead; draws again when it has come. */
function useBefore(until: Instant): boolean {
  const [isOpen, setOpen] = useState(() => serverClock.now() < until);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(false), Math.min(2 ** 31 - 1, Math.max(0, until - serverClock.now())));
    return () => clearTimeout(timer);
  }, [until]);
  return isOpen;
}

function UndoneList({ result }: { result: Undone }) {
  return (
    <>
      <p role="status">Import undone: {undoneText(result)}</p>
      {result.reasons.length > 0 && (
        <ul className={styles.problems} aria-label="Not undone">
          {result.reasons.map(({ id, name, reason }) => (
            <li key={id}>
              <b>{name}</b> {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
