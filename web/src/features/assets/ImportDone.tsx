import { useState } from 'react';
import { say } from '~/api';
import { instantOf } from '~/model/instant';
import { To, UndoImport } from '~/office';
import { Button, Card, type Column, ErrorNotice, Table } from '~/ui';
import styles from './assets.module.css';
import { type ImportResult, type ImportUndo, useAssetMutations } from './queries';

/** What an import has done, and for a while the way back; then what taking it back has done. */
export function ImportDone({ result, onAnother }: { result: ImportResult; onAnother: () => void }) {
  const mutations = useAssetMutations();
  const [undone, setUndone] = useState<ImportUndo>();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const undo = async (importId: string) => {
    setPending(true);
    setFailure(undefined);
    try {
      setUndone(await mutations.undoImport(importId));
    } catch (error) {
      setFailure(say('things.import', error));
    } finally {
      setPending(false);
    }
  };
  const ways = (
    <div className={styles.ways}>
      <To tab="thing" button={{ variant: 'primary' }}>
        View assets
      </To>
      <Button onPress={onAnother}>Import another file</Button>
    </div>
  );
  if (undone)
    return (
      <Card title="Import undone">
        <p role="status">{outcomeText(undone)}</p>
        {undone.left.length > 0 && (
          <Table
            label="Not undone"
            columns={columns}
            rows={undone.left}
            rowKey={row => row.thing_id}
            empty="Everything was undone."
          />
        )}
        {ways}
      </Card>
    );
  return (
    <Card title="Import finished">
      <p role="status">
        {result.create} registered, {result.update} changed, {result.unchanged} unchanged.
      </p>
      {result.import_id && (
        <UndoImport
          until={instantOf(result.undo_until)}
          isPending={isPending}
          onUndo={() => void undo(result.import_id ?? '')}
          does="Removes new assets that haven't reported and restores changed ones. Later edits are kept."
        />
      )}
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      {ways}
    </Card>
  );
}

function outcomeText({ deleted, restored, left }: ImportUndo): string {
  const stays = left.length === 0 ? '' : `, ${left.length} not undone`;
  return `${deleted} deleted, ${restored} restored${stays}.`;
}

const columns: readonly Column<ImportUndo['left'][number]>[] = [
  {
    id: 'asset',
    title: 'Not undone',
    width: '36%',
    cell: row => <span className="mono">{row.haas_id}</span>,
  },
  { id: 'reason', title: 'Why', cell: row => row.reason },
];
