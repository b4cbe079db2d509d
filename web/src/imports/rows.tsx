import type { ComponentProps, ReactNode } from 'react';
import { Pill } from '~/ui';
import styles from './imports.module.css';

/** A column by the name that it has in a file. */
const ColumnName = ({ name }: { name: string }) => (
  <>
    <span className="mono">{name}</span>:{' '}
  </>
);

interface CellLine {
  field: string;
  text: ReactNode;
  /** It may be right; somebody should look. */
  isDoubt?: boolean;
}

/** What there is to say about the cells of a row; of the field `row` about the row as a whole. */
export const CellLines = ({ lines }: { lines: readonly CellLine[] }) => (
  <ul className={styles.cells}>
    {lines.map(({ field, text, isDoubt }) => (
      <li key={`${field} ${isDoubt}`}>
        {isDoubt && (
          <>
            <Pill tone="warn">Check</Pill>{' '}
          </>
        )}
        {field !== 'row' && <ColumnName name={field} />}
        {text}
      </li>
    ))}
  </ul>
);

/** Sentences by field as lines of a row. */
export const linesOf = (sentences: Readonly<Record<string, string>> | undefined, isDoubt = false): CellLine[] =>
  Object.entries(sentences ?? {}).map(([field, text]) => ({ field, text, isDoubt }));

/** What happens to a row. */
export const ActionPill = <Action extends string>({
  of,
  words,
}: {
  of: Action;
  words: Readonly<Record<Action, readonly [text: string, tone: NonNullable<ComponentProps<typeof Pill>['tone']>]>>;
}) => <Pill tone={words[of][1]}>{words[of][0]}</Pill>;

interface Problem {
  field: string;
  text: string;
  /** Which row it is. */
  row: string;
}

/** Why rows are left out, of a longer list the first. */
export const Problems = ({ problems }: { problems: readonly Problem[] }) => (
  <ul className={styles.problems}>
    {problems.map(({ row, field, text }) => (
      <li key={`${row} ${field}`}>
        <b>{row}</b> {field && <ColumnName name={field} />}
        {text}
      </li>
    ))}
  </ul>
);
