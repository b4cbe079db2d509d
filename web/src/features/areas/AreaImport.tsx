import limits from '@catalog/limits.json';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { say } from '~/api';
import { fileText } from '~/lib/fileText';
import { areaTypeOptions } from '~/model/area';
import { countOf, countText } from '~/model/format';
import { ImportUndo } from '~/section/ImportUndo';
import { useOrganization } from '~/session';
import { Button, type Column, Dialog, ErrorNotice, Pill, Select, Spinner, Sub, Table } from '~/ui';
import { type AreaFormat, formatOf, type ImportResult, importAreas } from './files';
import styles from './import.module.css';

/** No server takes more, however it is set; what this one takes, it says. */
const LARGEST = limits.areaImport.bytes.max;
const TYPES = areaTypeOptions();

/** What files call the name of an area, unless a person says otherwise. */
const USUAL_NAME = 'name';

/** The properties that may be the name: none to choose from where there is only the usual one. */
function namesOffered({ properties }: ImportResult): string[] {
  return properties.length > 0 ? [USUAL_NAME, ...properties] : [];
}

const areasText = (count: number) => countOf(count, 'area');

interface Picked {
  name: string;
  format: AreaFormat;
  content: string;
}

/** A GeoJSON or KML file becomes areas: first what would happen, then what has happened. */
export function AreaImport({ onClose }: { onClose: () => void }) {
  const steps = useSteps();
  const { picked, preview, done, failure, isPending } = steps;
  const changes = preview ? preview.made + preview.changed : 0;
  return (
    <Dialog
      isOpen
      wide
      mustAnswer={isPending}
      onOpenChange={open => !open && onClose()}
      title="Import areas"
      actions={
        <>
          <Button onPress={onClose} isDisabled={isPending && !!preview}>
            {done ? 'Close' : 'Cancel'}
          </Button>
          {preview && !done && (
            <Button
              variant="primary"
              isDisabled={changes === 0}
              isPending={isPending}
              onPress={() => void steps.apply()}
            >
              {`Import ${areasText(changes)}`}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.steps}>
        {!done && (
          <>
            <p className={styles.lead}>
              Choose a GeoJSON or KML file of polygons, lines, or points. You can preview it before anything changes. A
              feature with the ID of an area updates that area.
            </p>
            <div className={styles.pick}>
              <Select
                className={styles.type ?? ''}
                label="Type for areas without one"
                options={TYPES.map(({ id, label }) => ({ id, label }))}
                value={steps.typeId}
                onChange={steps.setType}
                isDisabled={isPending}
              />
              {steps.properties.length > 0 && (
                <Select
                  className={styles.type ?? ''}
                  label="Name from"
                  options={steps.properties.map(name => ({ id: `=${name}`, label: name }))}
                  value={`=${steps.nameFrom}`}
                  onChange={chosen => steps.setNameFrom(chosen.slice(1))}
                  isDisabled={isPending}
                />
              )}
              <Pick onPick={file => void steps.pick(file)} isPending={isPending && !picked} again={!!picked} />
            </div>
          </>
        )}
        {failure && <ErrorNotice>{failure}</ErrorNotice>}
        {isPending && (
          <p className={styles.summary} role="status">
            <Spinner /> {preview ? `Importing ${areasText(changes)}. This can take a minute.` : 'Reading the file…'}
          </p>
        )}
        {!isPending && picked && preview && !done && <Preview name={picked.name} result={preview} />}
        {done && <Done result={done} />}
      </div>
    </Dialog>
  );
}

function useSteps() {
  const { id: organization_id } = useOrganization();
  const [typeId, setTypeId] = useState<string>(TYPES[0]?.id ?? '');
  const [picked, setPicked] = useState<Picked>();
  const [preview, setPreview] = useState<ImportResult>();
  const [done, setDone] = useState<ImportResult>();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [nameFrom, setNameFrom] = useState(USUAL_NAME);
  const [properties, setProperties] = useState<readonly string[]>([]);
  const send = ({ format, content }: Picked, ez_type_id: string, name: string, isPreview: boolean) =>
    importAreas({
      format,
      content,
      ez_type_id,
      organization_id,
      preview: isPreview,
      ...(name !== USUAL_NAME && { name_from: name }),
    });
  const during = async (work: () => Promise<void>) => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(say('areas.file', error));
    } finally {
      setPending(false);
    }
  };
  const look = (file: Picked, type: string, name: string) =>
    during(async () => {
      setPreview(undefined);
      const found = await send(file, type, name, true);
      setPreview(found);
      setProperties(namesOffered(found));
    });
  return {
    typeId,
    picked,
    preview,
    done,
    failure,
    isPending,
    setType: (id: string) => {
      setTypeId(id);
      if (picked) void look(picked, id, nameFrom);
    },
    nameFrom,
    properties,
    setNameFrom: (name: string) => {
      setNameFrom(name);
      if (picked) void look(picked, typeId, name);
    },
    pick: async (file: File) => {
      setPicked(undefined);
      setPreview(undefined);
      setNameFrom(USUAL_NAME);
      setProperties([]);
      const format = formatOf(file.name);
      if (!format) return setFailure('Choose a file that ends in .geojson, .json or .kml. Unzip a .kmz file first.');
      if (file.size > LARGEST) return setFailure('The file is too large. Split it and try again.');
      const next = { name: file.name, format, content: await fileText(file) };
      setPicked(next);
      return look(next, typeId, USUAL_NAME);
    },
    apply: () =>
      during(async () => {
        if (picked) setDone(await send(picked, typeId, nameFrom, false));
      }),
  };
}

function Pick({ onPick, isPending, again }: { onPick: (file: File) => void; isPending: boolean; again: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".geojson,.json,.kml"
        hidden
        aria-label="File of areas"
        onChange={event => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onPick(file);
        }}
      />
      <Button
        icon={<Upload size={16} strokeWidth={1.75} aria-hidden="true" />}
        variant={again ? 'default' : 'primary'}
        isPending={isPending}
        onPress={() => input.current?.click()}
      >
        {again ? 'Choose another file' : 'Choose a file'}
      </Button>
    </>
  );
}

function Preview({ name, result }: { name: string; result: ImportResult }) {
  const { made, changed, unchanged, refused, total, rows } = result;
  return (
    <>
      <p className={styles.summary} role="status">
        <span>
          <b>{name}</b>: {countText(made)} new, {countText(changed)} to change, {countText(unchanged)} unchanged
          {refused > 0 && `, ${countText(refused)} rejected`}.
        </span>
      </p>
      <Notes result={result} />
      <Problems result={result} />
      <Table
        label="Preview"
        columns={columns}
        rows={rows}
        rowKey={row => String(row.feature)}
        empty="The file has no features."
      />
      {total > rows.length && (
        <p className={styles.lead}>
          The first {rows.length} of {countText(total)} features.
        </p>
      )}
    </>
  );
}

/** What has happened, and the way back. */
function Done({ result }: { result: ImportResult }) {
  const { made, changed, unchanged, refused } = result;
  return (
    <ImportUndo noun="area_import" result={result}>
      <p role="status">
        {areasText(made)} added, {countText(changed)} changed, {countText(unchanged)} unchanged
        {refused > 0 && `, ${countText(refused)} rejected`}.
      </p>
      <Notes result={result} />
      <Problems result={result} />
    </ImportUndo>
  );
}

/** What of the areas is not as the file says it. */
function Notes({ result: { shortened, left_out } }: { result: ImportResult }) {
  const notes = [
    shortened > 0 && `Names or descriptions shortened: ${countText(shortened)}.`,
    left_out > 0 && `Addresses left out because they don’t follow the rules: ${countText(left_out)}.`,
  ].filter(Boolean);
  return notes.length > 0 && <p className={styles.lead}>{notes.join(' ')}</p>;
}

/** Why features are refused; the others are imported. */
function Problems({ result: { refused, problems } }: { result: ImportResult }) {
  if (refused === 0) return null;
  return (
    <ErrorNotice>
      <p>These features have errors. Only the others are imported.</p>
      <ul className={styles.problems}>
        {problems.map(problem => (
          <li key={`${problem.feature} ${problem.field}`}>
            <b>
              {problem.feature}. {problem.name}
            </b>{' '}
            {problem.field && <span className="mono">{problem.field}: </span>}
            {problem.message}
          </li>
        ))}
      </ul>
      {refused > problems.length && <p>There are more. Fix these first, then choose the file again.</p>}
    </ErrorNotice>
  );
}

type Row = ImportResult['rows'][number];

const actions: Readonly<Record<Row['action'], { text: string; tone: 'good' | 'accent' | 'neutral' | 'danger' }>> = {
  made: { text: 'New', tone: 'good' },
  changed: { text: 'Change', tone: 'accent' },
  unchanged: { text: 'Unchanged', tone: 'neutral' },
  refused: { text: 'Rejected', tone: 'danger' },
};

const shapes: Readonly<Record<Row['shape'], string>> = {
  circle: 'Circle',
  line: 'Line',
  polygon: 'Polygon',
  none: '–',
};

const columns: readonly Column<Row>[] = [
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
  {
    id: 'action',
    title: 'Result',
    width: '20%',
    cell: row => <Pill tone={actions[row.action].tone}>{actions[row.action].text}</Pill>,
  },
];
