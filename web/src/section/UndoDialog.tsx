import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, say } from '~/api';
import { undoneText } from '~/imports';
import { serverClock } from '~/lib/clock';
import { liveStore } from '~/live';
import { madeOf } from '~/model/closure';
import { capital, whenText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useOrganization } from '~/session';
import { Button, Dialog, EmptyState, ErrorNotice, Skeleton, SkeletonBar } from '~/ui';
import { type ImportNoun, sayUndo, type Undoable, type UndoNoun, undo, undoImport } from './undo';
import styles from './undo.module.css';
import { useWords } from './words';

const keyOf = (row: Undoable) => `${row.noun} ${row.id}`;

/** The changes of the last 24 hours that someone may undo, newest first, each with its button. */
export function UndoDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const query = useQuery({
    queryKey: ['undo', organizationId],
    queryFn: async ({ signal }) =>
      (await api.request('GET /organization/undo', { query: { 'org_ids[]': [organizationId] }, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog
      isOpen
      onOpenChange={open => !open && onClose()}
      title="Undo a change"
      actions={<Button onPress={onClose}>Close</Button>}
    >
      {query.error && <ErrorNotice onRetry={() => void query.refetch()}>{say('undo', query.error)}</ErrorNotice>}
      {query.isPending && <Waiting />}
      {query.data?.length === 0 && (
        <EmptyState title="Nothing to undo.">Edits and deletions show here for 24 hours.</EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <ul className={styles.list} aria-label="Changes in the last 24 hours">
          {query.data.map(row => (
            <Row key={keyOf(row)} row={row} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const done = { edit: 'edited', delete: 'deleted', restore: 'restored', import: 'done' } as const;

const isImport = (noun: ImportNoun | UndoNoun): noun is ImportNoun => noun.endsWith('_import');

/** "edited"; of a closure also "ended" and "activated", which are edits as well. */
function doneText(row: Undoable): string {
  const closure = row.noun === 'closure' && row.verb === 'edit' ? liveStore.of('closure').get(row.id) : undefined;
  const made = closure && madeOf(closure, instantOf(row.at), serverClock.now());
  return made ?? done[row.verb];
}

/** Undoes what a row says; answers what is to be said beside "Undone". */
async function take(row: Undoable): Promise<string> {
  if (isImport(row.noun)) return undoneText(await undoImport(row.noun, row.id));
  await undo(row.noun, row);
  return '';
}

function Row({ row }: { row: Undoable }) {
  const { timezone } = useOrganization();
  const { event } = useWords();
  const [state, setState] = useState<'ready' | 'pending' | 'undone'>('ready');
  const [refusal, setRefusal] = useState<string>();
  const [outcome, setOutcome] = useState('');
  const noun = isImport(row.noun) ? 'Import' : row.noun === 'location' ? event : capital(row.noun);
  const name = row.name || noun;
  const [what] = useState(() => doneText(row));
  const press = async () => {
    setState('pending');
    setRefusal(undefined);
    try {
      setOutcome(await take(row));
      setState('undone');
    } catch (error) {
      setRefusal(sayUndo(error));
      setState('ready');
    }
  };
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <b>{name}</b>
        <span>
          {noun} {what}
          {row.by && ` by ${row.by === 'You' ? 'you' : row.by}`},{' '}
          {whenText(instantOf(row.at), timezone, serverClock.now())}
        </span>
        {refusal && (
          <span className={styles.refusal} role="alert">
            {refusal}
          </span>
        )}
      </div>
      {state === 'undone' ? (
        <span role="status">{outcome ? `Undone: ${outcome}` : 'Undone'}</span>
      ) : (
        <Button
          size="small"
          aria-label={`Undo: ${name} ${what}`}
          isPending={state === 'pending'}
          onPress={() => void press()}
        >
          Undo
        </Button>
      )}
    </li>
  );
}

function Waiting() {
  return (
    <Skeleton label="Loading changes">
      {[62, 48, 70].map(width => (
        <div key={width} className={styles.row}>
          <div className={styles.words}>
            <SkeletonBar width={`${width}%`} height={13} />
            <SkeletonBar width={`${width - 14}%`} height={11} />
          </div>
        </div>
      ))}
    </Skeleton>
  );
}
