import { Button } from './Button';
import { Notice } from './ErrorNotice';
import styles from './Office.module.css';

export interface ConflictProps {
  /** What was saved, and by whom where that is known: "Somebody else has saved this user since you opened it." */
  children: string;
  /** The fields that differ. */
  rows: readonly { label: string; theirs: string; mine: string }[];
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  className?: string;
}

/** Somebody was faster: what stands there now beside what was typed, and the choice between them. */
export function Conflict({ children, rows, onTakeTheirs, onKeepMine, className }: ConflictProps) {
  return (
    <div role="alert" className={className}>
      <Notice tone="warn">
        <p>{children}</p>
        <table className={styles.conflict}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Saved now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.label}>
                <th scope="row">{row.label}</th>
                <td>{row.theirs || '–'}</td>
                <td>{row.mine || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles.conflictButtons}>
          <Button size="small" onPress={onTakeTheirs}>
            Use saved version
          </Button>
          <Button size="small" variant="primary" onPress={onKeepMine}>
            Save my version
          </Button>
        </div>
      </Notice>
    </div>
  );
}
