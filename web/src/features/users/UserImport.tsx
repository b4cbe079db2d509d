import { Download } from 'lucide-react';
import { say } from '~/api';
import { ActionPill, CellLines, CSV_FILE, type ImportOf, ImportSection, linesOf, refuseCsv } from '~/imports';
import { saveFile } from '~/lib/saveFile';
import { countOf } from '~/model/format';
import { Permitted, To } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, type Column, EmptyState, ErrorNotice, Notice, OfficePage, PageHead, Sub, Table } from '~/ui';
import { fullName, type Role, roleLabel } from './member';
import { ToUsers } from './parts';
import { type UserImport as Result, useRoles, useUserMutations } from './queries';

/** The word in place of an id for the import's page. */
export const IMPORT = 'import';

/** The columns of such a file. */
export const COLUMNS = ['email', 'first_name', 'last_name', 'role'] as const;

/** An empty file to fill in; the mark at its begin makes spreadsheets read it as UTF-8. */
const template = () => saveFile(new Blob([`\ufeff${COLUMNS.join(',')}\r\n`], { type: 'text/csv' }), 'users.csv');

const NO_ROLES: readonly Role[] = [];

/** A CSV file becomes invitations: first who would be invited, row by row, then those. */
export function UserImport() {
  const roles = useRoles() ?? NO_ROLES;
  const labels = roles.map(role => role.label).join(', ');
  return (
    <OfficePage>
      <PageHead
        back={<ToUsers />}
        title="Import users"
        sentence={`Upload a CSV to see whom it would invite before anyone is.${labels && ` Roles: ${labels}.`}`}
      />
      <Permitted may={useMay('ADD_USER')}>
        <Steps roles={roles} />
      </Permitted>
    </OfficePage>
  );
}

function Steps({ roles }: { roles: readonly Role[] }) {
  const { id } = useOrganization();
  const { importCsv, undoImport } = useUserMutations();
  const mayRemove = useMay('DELETE_USER');
  return (
    <ImportSection
      of={{
        ...wordsOf(roles),
        send: ({ content }, _, apply) => importCsv(id, content, apply?.digest),
        undo: {
          send: undoImport,
          does: "That removes those who haven't accepted the invitation, and makes its link useless.",
          isOff: !mayRemove,
        },
      }}
      more={
        <Button icon={<Download size={16} strokeWidth={1.75} aria-hidden="true" />} onPress={template}>
          Download template
        </Button>
      }
      ways={
        <To tab="user" button={{ variant: 'primary' }}>
          View users
        </To>
      }
    />
  );
}

const wordsOf = (roles: readonly Role[]): Omit<ImportOf<null, Result>, 'send' | 'undo'> => ({
  file: CSV_FILE,
  refuse: refuseCsv,
  begin: () => null,
  say: error => say('things.import', error),
  summary: ({ invite, unchanged, refused }) => (
    <>
      {invite} to invite, {unchanged} already here
      {refused > 0 && `, ${refused} with errors`}.
    </>
  ),
  rows: ({ invite, refused, invitations, rows }) => (
    <>
      {refused > 0 && (
        <ErrorNotice>
          {invite > 0
            ? `${countOf(refused, 'row')} with errors will be left out. Invite the others now, or fix the file and upload it again.`
            : 'No row can be invited. Fix the file and upload it again.'}
        </ErrorNotice>
      )}
      {invite > 0 && invitations === 'waiting' && (
        <Notice tone="warn">
          No mail server is set up, so the invitations will wait on the server. You can copy each user's invitation link
          instead.
        </Notice>
      )}
      <Rows label="Preview" rows={rows} roles={roles} />
    </>
  ),
  apply: ({ invite }) => ({ text: invite === 0 ? 'Invite' : `Invite ${countOf(invite, 'user')}`, isOff: invite === 0 }),
  done: ({ invite, unchanged, refused, invitations, rows }) => (
    <>
      <p role="status">
        {invite} {invitations === 'none' ? 'added' : 'invited'}, {unchanged} already here
        {refused > 0 && `, ${refused} left out`}.
      </p>
      {invitations === 'waiting' && (
        <Notice tone="warn">
          The invitations wait on the server, because no mail server is set up. Copy the invitation link on a user's
          page instead.
        </Notice>
      )}
      {invitations === 'none' && <p>They sign in with your organization's provider.</p>}
      {refused > 0 && <Rows label="Left out" rows={rows.filter(row => row.action === 'refused')} roles={roles} />}
    </>
  ),
});

type Row = Result['rows'][number];

/** The rows of a file: what must be mended first, then the others, in the file's order. */
const Rows = ({ label, rows, roles }: { label: string; rows: readonly Row[]; roles: readonly Role[] }) => (
  <Table
    label={label}
    columns={columnsOf(roles)}
    rows={rows.toSorted((a, b) => Number(b.action === 'refused') - Number(a.action === 'refused'))}
    rowKey={row => String(row.line)}
    empty={<EmptyState title="Nobody to invite." />}
  />
);

const actions = {
  invite: ['Invite', 'good'],
  unchanged: ['Already here', 'neutral'],
  refused: ['Left out', 'danger'],
} as const;

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
    cell: row => <ActionPill of={row.action} words={actions} />,
  },
  {
    id: 'detail',
    title: 'Detail',
    cell: row => {
      if (row.action === 'refused') return <CellLines lines={linesOf(row.errors)} />;
      const role = roleLabel(row.role_id, roles);
      return row.action === 'unchanged' ? `Stays ${role}` : role;
    },
  },
];
