import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { say, texts } from '~/api';
import { type Export, isMaking } from '~/model/export';
import { useMay, useProfile } from '~/session';
import { AskButton, Button, ConfirmAction, IconButton, RowActions, Tooltip, toast } from '~/ui';
import styles from './exports.module.css';
import { useExportWrites } from './queries';

const trash = <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />;

/** What may be done about an export beside downloading it. */
export function RowButtons({ row }: { row: Export }) {
  const mayCancel = useMay('CREATE_EXPORT');
  const mayDelete = useMay('DELETE_EXPORT');
  return (
    <RowActions>
      {mayCancel && isMaking(row) && <Cancel row={row} />}
      {mayDelete && <Delete row={row} />}
    </RowActions>
  );
}

export function Cancel({ row: { id, title } }: { row: Export }) {
  const writes = useExportWrites();
  return (
    <AskButton
      label="Cancel"
      button={{ size: 'small', 'aria-label': `Cancel ${title}` }}
      title="Stop making this export?"
      say={thrown => say('export', thrown)}
      run={async () => {
        await writes.cancel(id);
        toast('Export canceled');
      }}
    >
      <p>“{title}” will have no files.</p>
    </AskButton>
  );
}

/** Only who asked for an export may delete it; the others read why they may not. */
function Delete({ row }: { row: Export }) {
  const { userId } = useProfile();
  const [asks, setAsks] = useState(false);
  const writes = useExportWrites();
  if (row.requested_by !== userId) return <Refused title={row.title} />;
  return (
    <>
      <IconButton label={`Delete ${row.title}`} variant="ghost" size="small" onPress={() => setAsks(true)}>
        {trash}
      </IconButton>
      {asks && (
        <ConfirmAction
          title={texts.delete.export}
          say={thrown => say('export', thrown)}
          onClose={() => setAsks(false)}
          run={async () => {
            const gone = await writes.remove(row.id);
            toast(gone ? say('export', gone) : 'Export deleted');
          }}
        >
          <p>“{row.title}” and its files are deleted. This can't be undone.</p>
        </ConfirmAction>
      )}
    </>
  );
}

/** It keeps the focus, so that a keyboard hears why as well: a button that is disabled outright has no tooltip. */
function Refused({ title }: { title: string }) {
  return (
    <Tooltip text="Only the export creator can delete">
      <Button variant="ghost" size="small" aria-label={`Delete ${title}`} aria-disabled="true" className={styles.off}>
        {trash}
      </Button>
    </Tooltip>
  );
}
