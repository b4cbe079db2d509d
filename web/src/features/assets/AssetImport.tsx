import { say } from '~/api';
import { ActionPill, CellLines, CSV_FILE, type ImportOf, ImportSection, linesOf, refuseCsv } from '~/imports';
import { countOf } from '~/model/format';
import { Permitted, To } from '~/office';
import { useMay, useOrganization } from '~/session';
import { type Column, EmptyState, ErrorNotice, OfficePage, PageHead, Sub, Table } from '~/ui';
import { ToAssets } from './parts';
import { type ImportResult, useAssetMutations } from './queries';

/** A CSV file becomes assets: first what would change, row by row, then all of it or nothing. */
export function AssetImport() {
  return (
    <OfficePage>
      <PageHead
        back={<ToAssets />}
        title="Import assets"
        sentence="Upload a CSV to preview changes before applying them. Start from an export to get the right columns."
      />
      <Permitted may={useMay('MANAGE_THINGS')}>
        <Steps />
      </Permitted>
    </OfficePage>
  );
}

function Steps() {
  const { id } = useOrganization();
  const { importCsv, undoImport } = useAssetMutations();
  return (
    <ImportSection
      of={{
        ...words,
        send: ({ content }, _, apply) => importCsv(id, content, apply?.digest),
        undo: {
          send: undoImport,
          does: "That deletes new assets that haven't reported and restores changed ones. Later edits are kept.",
        },
      }}
      ways={
        <To tab="thing" button={{ variant: 'primary' }}>
          View assets
        </To>
      }
    />
  );
}

const words: Omit<ImportOf<null, ImportResult>, 'send' | 'undo'> = {
  file: CSV_FILE,
  refuse: refuseCsv,
  begin: () => null,
  say: error => say('things.import', error),
  summary: ({ create, update, unchanged, refused, rows }) => {
    const doubts = rows.filter(isDoubtful).length;
    return (
      <>
        {create} to register, {update} to change, {unchanged} unchanged
        {refused > 0 && `, ${refused} with errors`}
        {doubts > 0 && `, ${doubts} to check`}.
      </>
    );
  },
  rows: ({ refused, rows }) => (
    <>
      {refused > 0 && <ErrorNotice>Some rows have errors. Fix the file and upload it again.</ErrorNotice>}
      <Table
        label="Preview"
        columns={columns}
        rows={shownOf(rows)}
        rowKey={row => String(row.line)}
        empty={<EmptyState title="No changes." />}
      />
    </>
  ),
  apply: ({ create, update, refused }) => ({
    text: `Apply ${countOf(create + update, 'change')}`,
    isOff: refused > 0 || create + update === 0,
  }),
  done: ({ create, update, unchanged }) => (
    <p role="status">
      {create} registered, {update} changed, {unchanged} unchanged.
    </p>
  ),
};

type Row = ImportResult['rows'][number];

const isDoubtful = (row: Row) => Object.keys(row.notes ?? {}).length > 0;

/** What a preview shows: first what is refused, then what a spreadsheet may have changed, then the rest in the file's order. */
const shownOf = (rows: readonly Row[]) =>
  rows.filter(row => row.action !== 'unchanged').toSorted((a, b) => rankOf(b) - rankOf(a));
const rankOf = (row: Row) => (row.action === 'refused' ? 2 : Number(isDoubtful(row)));

/** What is said of a new asset beside its columns: its system name stands in the first, the rest is so of all. */
const UNSAID: readonly string[] = ['haas_id', 'organization_id', 'in_service'];

const actions = {
  create: ['Register', 'good'],
  update: ['Change', 'accent'],
  unchanged: ['Unchanged', 'neutral'],
  refused: ['Refused', 'danger'],
} as const;

const changesOf = ({ action, changes }: Row) =>
  Object.entries(changes)
    .filter(([field]) => action === 'update' || !UNSAID.includes(field))
    .map(([field, { from, to }]) => ({
      field,
      text: `${action === 'update' ? `${from || '–'} → ` : ''}${to || '–'}`,
    }));

const columns: readonly Column<Row>[] = [
  {
    id: 'asset',
    title: 'Asset',
    width: '26%',
    cell: row => (
      <div>
        <span className="mono">{row.haas_id || '–'}</span>
        <Sub>Line {row.line}</Sub>
      </div>
    ),
  },
  {
    id: 'action',
    title: 'What happens',
    width: '16%',
    sortBy: row => row.action,
    cell: row => <ActionPill of={row.action} words={actions} />,
  },
  {
    id: 'detail',
    title: 'Detail',
    cell: row => <CellLines lines={[...linesOf(row.errors), ...linesOf(row.notes, true), ...changesOf(row)]} />,
  },
];
