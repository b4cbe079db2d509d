import { type Column, EmptyState, Pill, Sub, Table } from '~/ui';
import { fullName, type Role, roleLabel } from './member';
import type { UserImport } from './queries';
import styles from './users.module.css';

type Row = UserImport['rows'][number];

const actions: Readonly<Record<Row['action'], { text: string; tone: 'good' | 'neutral' | 'danger' }>> = {
  invite: { text: 'Invite', tone: 'good' },
  unchanged: { text: 'Already here', tone: 'neutral' },
  refused: { text: 'Left out', tone: 'danger' },
};

export interface UserImportRowsProps {
  label: string;
  rows: readonly Row[];
  roles: readonly Role[];
}

/** The rows of a file: what must be mended first, then the others, in the file's order. */
export function UserImportRows({ label, rows, roles }: UserImportRowsProps) {
  return (
    <Table
      label={label}
      columns={columnsOf(roles)}
      rows={rows.toSorted((a, b) => Number(b.action === 'refused') - Number(a.action === 'refused'))}
      rowKey={row => String(row.line)}
      empty={<EmptyState title="Nobody to invite." />}
    />
  );
}

const columnsOf = (roles: readonly Role[]): readonly Column<Row>[] => [
  {
    id: 'user',
    title: 'User',
    width: '36%',
    cell: row => (
      <div>
        {fullName(row) || '–'}
        <Sub>
          Line {row.line}
          {row.email && `, ${row.email}`}
        </Sub>
      </div>
    ),
  },
  {
    id: 'action',
    title: 'What happens',
    width: '18%',
    cell: row => <Pill tone={actions[row.action].tone}>{actions[row.action].text}</Pill>,
  },
  {
    id: 'detail',
    title: 'Detail',
    cell: row => <Detail row={row} roles={roles} />,
  },
];

function Detail({ row, roles }: { row: Row; roles: readonly Role[] }) {
  if (row.action === 'unchanged') return `Stays ${roleLabel(row.role_id, roles)}`;
  if (row.action === 'invite') return roleLabel(row.role_id, roles);
  return (
    <ul className={styles.errors}>
      {Object.entries(row.errors).map(([field, sentence]) => (
        <li key={field}>
          {field !== 'row' && (
            <>
              <span className="mono">{field}</span>:{' '}
            </>
          )}
          {sentence}
        </li>
      ))}
    </ul>
  );
}
