import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '~/api';
import { dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useOrganization } from '~/session';
import { Button, ErrorNotice } from '~/ui';
import { type ImportNoun, type ImportUndone, importUndoneText, sayUndo, undoImport } from './undo';
import styles from './undo.module.css';

/** What an import makes, and what of it stays when the import is undone. */
const words: Readonly<Record<ImportNoun, { many: string; stays: string }>> = {
  area_import: { many: 'areas', stays: 'Areas edited since then stay as they are.' },
  hazard_import: { many: 'hazards', stays: 'Hazards confirmed, cleared, or changed since then stay as they are.' },
};

interface Props {
  noun: ImportNoun;
  /** What an import answers; without an id it has changed nothing. */
  result: Pick<Schemas['AreaImportResult'] | Schemas['HazardImported'], 'import_id' | 'undo_until'>;
  /** What the import did. */
  children: ReactNode;
}

/** What an import did and the way back; then what undoing it did. */
export function ImportUndo({ noun, result, children }: Props) {
  const [undone, setUndone] = useState<ImportUndone>();
  if (undone) return <Undone result={undone} />;
  return (
    <>
      {children}
      {result.import_id && <Way noun={noun} id={result.import_id} until={result.undo_until} onUndone={setUndone} />}
    </>
  );
}

interface WayProps {
  noun: ImportNoun;
  id: string;
  until: string | undefined;
  onUndone: (result: ImportUndone) => void;
}

function Way({ noun, id, until, onUndone }: WayProps) {
  const { timezone } = useOrganization();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const { many, stays } = words[noun];
  const undo = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      onUndone(await undoImport(noun, id));
    } catch (error) {
      setFailure(sayUndo(error));
      setPending(false);
    }
  };
  return (
    <>
      <div className={styles.way}>
        <Button
          icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />}
          isPending={isPending}
          onPress={() => void undo()}
        >
          Undo import
        </Button>
      </div>
      <p className={styles.hint}>
        You can undo this import until {dateText(instantOf(until), timezone, 'MMM d, p')}. That deletes the {many} it
        added and restores the ones it changed. {stays}
      </p>
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
    </>
  );
}

function Undone({ result }: { result: ImportUndone }) {
  return (
    <>
      <p role="status">Import undone: {importUndoneText(result)}</p>
      {result.reasons.length > 0 && (
        <ul className={styles.left} aria-label="Not undone">
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
