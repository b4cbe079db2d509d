import { countOf } from '~/model/format';
import { CsvPick, type CsvPreview, Permitted, useCsvImport } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, type Column, EmptyState, ErrorNotice, FormFoot, OfficePage, PageHead, Pill, Sub, Table } from '~/ui';
import styles from './assets.module.css';
import { ImportDone } from './ImportDone';
import { ToAssets } from './parts';
import { type ImportResult, useAssetMutations } from './queries';

type Preview = CsvPreview<ImportResult>;

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
  const mutations = useAssetMutations();
  const steps = useCsvImport((csv, digest) => mutations.importCsv(id, csv, digest));
  const { done, preview, failure, isPending } = steps;
  if (done) return <ImportDone result={done} onAnother={steps.again} />;
  return (
    <>
      <CsvPick onPick={file => void steps.look(file)} isPending={isPending && !preview} again={!!preview} />
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
      {preview && <Look preview={preview} isPending={isPending} onApply={() => void steps.apply(preview)} />}
    </>
  );
}

function Look({ preview, isPending, onApply }: { preview: Preview; isPending: boolean; onApply: () => void }) {
  const { create, update, unchanged, refused, rows } = preview.result;
  const changes = create + update;
  const doubts = rows.filter(row => Object.keys(row.notes ?? {}).length > 0).length;
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{preview.name}</b>: {create} to register, {update} to change, {unchanged} unchanged
        {refused > 0 && `, ${refused} with errors`}
        {doubts > 0 && `, ${doubts} to check`}.
      </p>
      {refused > 0 && (
        <ErrorNotice className={styles.refused ?? ''}>
          Some rows have errors. Fix the file and upload it again.
        </ErrorNotice>
      )}
      <div className={styles.preview}>
        <Table
          label="Preview"
          columns={columns}
          rows={shownOf(rows)}
          rowKey={row => String(row.line)}
          empty={<EmptyState title="No changes." />}
        />
        <FormFoot>
          <Button variant="primary" isDisabled={refused > 0 || changes === 0} isPending={isPending} onPress={onApply}>
            {`Apply ${countOf(changes, 'change')}`}
          </Button>
        </FormFoot>
      </div>
    </>
  );
}

type Row = ImportResult['rows'][number];

/** What a preview shows: what must be mended first, then what would happen, in the file's order. */
const shownOf = (rows: readonly Row[]) =>
  rows.filter(row => row.action !== 'unchanged').toSorted((a, b) => rankOf(b) - rankOf(a));

/** First what is refused, then what may have been changed by a spreadsheet. */
const rankOf = (row: Row) => (row.action === 'refused' ? 2 : Object.keys(row.notes ?? {}).length > 0 ? 1 : 0);

/** What is said of a new asset beside its columns: its system name stands in the first, the rest is so of all. */
const UNSAID: readonly string[] = ['haas_id', 'organization_id', 'in_service'];

const actions: Readonly<Record<Row['action'], { text: string; tone: 'good' | 'accent' | 'neutral' | 'danger' }>> = {
  create: { text: 'Register', tone: 'good' },
  update: { text: 'Change', tone: 'accent' },
  unchanged: { text: 'Unchanged', tone: 'neutral' },
  refused: { text: 'Refused', tone: 'danger' },
};

/** A column by the name that it has in an export's first line. */
const ColumnName = ({ name }: { name: string }) => (
  <>
    <span className="mono">{name}</span>:{' '}
  </>
);

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
    cell: row => <Pill tone={actions[row.action].tone}>{actions[row.action].text}</Pill>,
  },
  {
    id: 'detail',
    title: 'Detail',
    cell: row => (
      <ul className={styles.detail}>
        {Object.entries(row.errors).map(([field, sentence]) => (
          <li key={field}>
            {field !== 'row' && <ColumnName name={field} />}
            {sentence}
          </li>
        ))}
        {Object.entries(row.notes ?? {}).map(([field, sentence]) => (
          <li key={`note ${field}`}>
            <Pill tone="warn">Check</Pill> <ColumnName name={field} />
            {sentence}
          </li>
        ))}
        {Object.entries(row.changes)
          .filter(([field]) => row.action === 'update' || !UNSAID.includes(field))
          .map(([field, { from, to }]) => (
            <li key={field}>
              <ColumnName name={field} />
              {row.action === 'update' && `${from || '–'} → `}
              {to || '–'}
            </li>
          ))}
      </ul>
    ),
  },
];
