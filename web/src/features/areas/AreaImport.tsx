import limits from '@catalog/limits.json';
import { say } from '~/api';
import { ActionPill, GEOJSON_ENDINGS, ImportDialog, type ImportOf, Problems } from '~/imports';
import { areaTypeOptions } from '~/model/area';
import { countOf, countText } from '~/model/format';
import { undoImport } from '~/section/undo';
import { useOrganization } from '~/session';
import { type Column, ErrorNotice, Select, Sub, Table } from '~/ui';
import { formatOf, type ImportResult, importAreas } from './files';
import styles from './import.module.css';

/** No server takes more, however it is set; what this one takes, it says. */
const LARGEST = limits.areaImport.bytes.max;
const TYPES = areaTypeOptions();

/** What files call the name of an area, unless a person says otherwise. */
const USUAL_NAME = 'name';

const areasText = (count: number) => countOf(count, 'area');
const changesOf = ({ made, changed }: ImportResult) => made + changed;

interface Options {
  typeId: string;
  nameFrom: string;
}

/** A GeoJSON or KML file becomes areas. */
export function AreaImport({ onClose }: { onClose: () => void }) {
  const { id } = useOrganization();
  return (
    <ImportDialog
      of={areaImport(id)}
      title="Import areas"
      lead="Choose a GeoJSON or KML file of polygons, lines, or points. You can preview it before anything changes. A
        feature with the ID of an area updates that area."
      onClose={onClose}
    />
  );
}

const areaImport = (organization_id: string): ImportOf<Options, ImportResult> => ({
  file: { label: 'File of areas', accept: `${GEOJSON_ENDINGS},.kml`, choose: 'Choose a file' },
  refuse: ({ name, size }) => {
    if (!formatOf(name)) return 'Choose a file that ends in .geojson, .json or .kml. Unzip a .kmz file first.';
    return size > LARGEST ? 'The file is too large. Split it and try again.' : undefined;
  },
  begin: before => ({ typeId: before?.typeId ?? TYPES[0]?.id ?? '', nameFrom: USUAL_NAME }),
  send: ({ name, content }, { typeId, nameFrom }, apply) =>
    importAreas({
      format: formatOf(name) ?? 'geojson',
      content,
      ez_type_id: typeId,
      organization_id,
      preview: !apply,
      ...(nameFrom !== USUAL_NAME && { name_from: nameFrom }),
    }),
  say: error => say('areas.file', error),
  fields: ({ options, change, seen, pending }) => (
    <div className={styles.fields}>
      <Select
        label="Type for areas without one"
        options={TYPES.map(({ id, label }) => ({ id, label }))}
        value={options.typeId}
        onChange={typeId => change({ ...options, typeId })}
        isDisabled={pending === 'apply'}
      />
      {seen && seen.properties.length > 0 && (
        <Select
          label="Name from"
          options={[USUAL_NAME, ...seen.properties].map(name => ({ id: `=${name}`, label: name }))}
          value={`=${options.nameFrom}`}
          onChange={chosen => change({ ...options, nameFrom: chosen.slice(1) })}
          isDisabled={pending === 'apply'}
        />
      )}
    </div>
  ),
  summary: ({ made, changed, unchanged, refused }) => (
    <>
      {countText(made)} new, {countText(changed)} to change, {countText(unchanged)} unchanged
      {refused > 0 && `, ${countText(refused)} rejected`}.
    </>
  ),
  rows: result => (
    <>
      <Doubts result={result} />
      <Table
        label="Preview"
        columns={columns}
        rows={result.rows}
        rowKey={row => String(row.feature)}
        empty="The file has no features."
      />
      {result.total > result.rows.length && (
        <p>
          The first {result.rows.length} of {countText(result.total)} features.
        </p>
      )}
    </>
  ),
  apply: result => ({ text: `Import ${areasText(changesOf(result))}`, isOff: changesOf(result) === 0 }),
  done: result => (
    <>
      <p role="status">
        {areasText(result.made)} added, {countText(result.changed)} changed, {countText(result.unchanged)} unchanged
        {result.refused > 0 && `, ${countText(result.refused)} rejected`}.
      </p>
      <Doubts result={result} />
    </>
  ),
  undo: {
    send: id => undoImport('area_import', id),
    does: 'That deletes the areas it added and restores the ones it changed. Areas edited since then stay as they are.',
  },
});

/** What of the areas is not as the file says it, and why features are refused; the others are imported. */
function Doubts({ result: { shortened, left_out, refused, problems } }: { result: ImportResult }) {
  const notes = [
    shortened > 0 && `Names or descriptions shortened: ${countText(shortened)}.`,
    left_out > 0 && `Addresses left out because they don’t follow the rules: ${countText(left_out)}.`,
  ].filter(Boolean);
  return (
    <>
      {notes.length > 0 && <p>{notes.join(' ')}</p>}
      {refused > 0 && (
        <ErrorNotice>
          <p>These features have errors. Only the others are imported.</p>
          <Problems
            problems={problems.map(({ feature, name, field, message }) => ({
              row: `${feature}. ${name}`,
              field,
              text: message,
            }))}
          />
          {refused > problems.length && <p>There are more. Fix these first, then choose the file again.</p>}
        </ErrorNotice>
      )}
    </>
  );
}

const actions = {
  made: ['New', 'good'],
  changed: ['Change', 'accent'],
  unchanged: ['Unchanged', 'neutral'],
  refused: ['Rejected', 'danger'],
} as const;

const shapes = { circle: 'Circle', line: 'Line', polygon: 'Polygon', none: '–' } as const;

const columns: readonly Column<ImportResult['rows'][number]>[] = [
  {
    id: 'name',
    title: 'Area',
    cell: row => (
      <div>
        {row.name || '–'}
        <Sub>Feature {row.feature}</Sub>
      </div>
    ),
  },
  { id: 'type', title: 'Type', width: '24%', cell: row => TYPES.find(type => type.name === row.ez_type)?.label ?? '–' },
  { id: 'shape', title: 'Shape', width: '16%', cell: row => shapes[row.shape] },
  { id: 'action', title: 'Result', width: '20%', cell: row => <ActionPill of={row.action} words={actions} /> },
];
