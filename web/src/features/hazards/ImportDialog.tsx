import limits from '@catalog/limits.json';
import { type ReactNode, useState } from 'react';
import { asFailure, type Schemas, say } from '~/api';
import { ImportDialog as Frame, GEOJSON_ENDINGS, type ImportOf, type ImportSteps, isGeoJson } from '~/imports';
import { formatLatLng } from '~/lib/coordinates';
import { countText } from '~/model/format';
import { undoImport } from '~/section/undo';
import { useWords } from '~/section/words';
import { useOrganization } from '~/session';
import { type Column, Select, Sub, Table, TextField } from '~/ui';
import styles from './hazards.module.css';
import { importHazards } from './queries';
import { HAZARD_TYPES, typeText } from './words';

type Result = Schemas['HazardImported'];
type Reading = Schemas['HazardReading'];
type Field = keyof Reading['columns'];

/** How somebody wants a file to be read; what they leave open the server guesses. */
interface Options {
  columns?: Reading['columns'];
  types: Readonly<Record<string, string>>;
  timezone: string;
  timeFormat?: string;
}

const LARGEST = limits.hazard.importBytes.value;
const FILE_MB = LARGEST / (1024 * 1024);

const isCsv = (name: string) => /\.(csv|tsv|txt)$/i.test(name);

/** What a file says of each hazard, in the order of the form. */
const FIELDS: readonly { id: Field; label: string; isPlace?: true; isRequired?: true }[] = [
  { id: 'id', label: 'ID', isRequired: true },
  { id: 'lat', label: 'Latitude', isPlace: true, isRequired: true },
  { id: 'lng', label: 'Longitude', isPlace: true, isRequired: true },
  { id: 'type', label: 'Type' },
  { id: 'description', label: 'Description' },
  { id: 'start', label: 'Start Time' },
  { id: 'updated', label: 'Updated' },
];

/** A GeoJSON or CSV file becomes hazards. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { timeZone } = useWords();
  const { id } = useOrganization();
  return (
    <Frame
      of={hazardImport(id, timeZone)}
      title="Import hazards"
      lead={`A GeoJSON or CSV file, up to ${FILE_MB} MB. A hazard with a known ID is updated. Nothing is removed.`}
      onClose={onClose}
    />
  );
}

const hazardImport = (organization_id: string, timezone: string): ImportOf<Options, Result> => ({
  file: {
    label: 'Hazard file',
    accept: `${GEOJSON_ENDINGS},.csv,.tsv,.txt,application/geo+json,application/json,text/csv`,
    choose: 'Choose a file',
  },
  refuse: ({ name, size }) => {
    if (!isCsv(name) && !isGeoJson(name)) return 'Choose a GeoJSON file (.geojson, .json) or a CSV file (.csv).';
    return size > LARGEST ? `The file is larger than ${FILE_MB} MB. Split it and import each part.` : undefined;
  },
  begin: () => ({ types: {}, timezone }),
  send: ({ name, content }, { timeFormat, ...options }, apply) =>
    importHazards({
      organization_id,
      name,
      format: isCsv(name) ? 'csv' : 'geojson',
      content,
      guess: true,
      preview: !apply,
      ...options,
      ...(timeFormat && { time_format: timeFormat }),
      ...(apply?.reading && asRead(apply.reading)),
    }),
  // The server's sentence about a column or the file says more than that there is one.
  say: error => Object.values(asFailure(error).fields)[0] ?? say('hazards.import', error),
  fields: steps => steps.seen?.reading && <Fields steps={steps} reading={steps.seen.reading} />,
  summary: ({ kept, total, refused, reading }) => {
    const missing = missingOf(reading, total);
    if (missing.length > 0) return `Choose a column for: ${missing.join(', ')}.`;
    return `${countText(kept)} of ${countText(total)} will be imported, ${countText(refused)} rejected.`;
  },
  rows: result => (
    <>
      <Refused result={result} />
      {result.rows.length > 0 && (
        <Part title={`To import${result.kept > result.rows.length ? `, the first ${result.rows.length}` : ''}`}>
          <Table label="Rows to import" columns={kept} rows={result.rows} rowKey={row => row.external_id} empty="" />
        </Part>
      )}
    </>
  ),
  apply: result => ({ text: `Import ${countText(result.kept)}`, isOff: result.kept === 0 }),
  done: result => (
    <>
      <p role="status">
        {countText(result.kept)} of {countText(result.total)} imported, {countText(result.refused)} rejected.
      </p>
      <Refused result={result} />
    </>
  ),
  undo: {
    send: id => undoImport('hazard_import', id),
    does:
      'That deletes the hazards it added and restores the ones it changed. ' +
      'Hazards confirmed, cleared, or changed since then stay as they are.',
  },
});

/** A file is imported as its preview has read it. */
const asRead = ({ columns, types, time_format }: Reading) => ({
  columns,
  types: Object.fromEntries(types.map(({ word, type }) => [word, type])),
  time_format,
});

/** The columns without which no row can be read: only then there are no rows at all. */
const missingOf = (reading: Reading | undefined, total: number): string[] =>
  reading && total === 0
    ? FIELDS.filter(({ id, isRequired }) => isRequired && !reading.columns[id]).map(f => f.label)
    : [];

const NONE = 'none';
const PATTERN = 'pattern';
const TIME_FORMATS = [
  { id: 'iso', label: 'ISO 8601' },
  { id: 'unix', label: 'Unix seconds' },
  { id: 'unix_ms', label: 'Unix milliseconds' },
  { id: PATTERN, label: 'Another pattern' },
];
const ZONES = Intl.supportedValuesOf('timeZone');

/** Which column says what, in which zone its times are, and what its words for types mean. */
function Fields({
  steps: { options, change, file },
  reading,
}: {
  steps: ImportSteps<Options, Result>;
  reading: Reading;
}) {
  const isTable = isCsv(file?.name ?? '');
  const names = reading.names.map(name => ({ id: `=${name}`, label: name }));
  const optional = [{ id: NONE, label: 'None' }, ...names];
  const zones = [...new Set([options.timezone, 'UTC', ...ZONES])].map(zone => ({ id: zone, label: zone }));
  const columns = options.columns ?? reading.columns;
  const timeFormat = options.timeFormat ?? reading.time_format;
  const isPattern = !TIME_FORMATS.some(({ id }) => id === timeFormat);
  const choose = (id: Field, chosen: string) => {
    const { [id]: _, ...others } = columns;
    change({ ...options, columns: chosen === NONE ? others : { ...others, [id]: chosen.slice(1) } });
  };
  return (
    <>
      <Part title={isTable ? 'Columns' : 'Properties'}>
        <div className={styles.columns}>
          {FIELDS.filter(({ isPlace }) => isTable || !isPlace).map(({ id, label, isRequired }) => {
            const isNeeded = isTable && isRequired;
            return (
              <Select
                key={id}
                label={label}
                options={isNeeded ? names : optional}
                value={columns[id] ? `=${columns[id]}` : isNeeded ? null : NONE}
                placeholder="Choose a column"
                onChange={chosen => choose(id, chosen)}
              />
            );
          })}
          <Select
            label="Time Zone"
            options={zones}
            value={options.timezone}
            onChange={zone => change({ ...options, timezone: zone })}
          />
          <Select
            label="Time Format"
            options={TIME_FORMATS}
            value={isPattern ? PATTERN : timeFormat}
            onChange={chosen => change({ ...options, timeFormat: chosen === PATTERN ? 'yyyy-MM-dd HH:mm:ss' : chosen })}
          />
          {isPattern && (
            <Pattern key={timeFormat} value={timeFormat} onChange={said => change({ ...options, timeFormat: said })} />
          )}
        </div>
      </Part>
      {reading.types.length > 0 && (
        <Part title="Types">
          <div className={styles.columns}>
            {reading.types.map(({ word, type }) => (
              <Select
                key={word}
                label={word}
                options={HAZARD_TYPES}
                value={options.types[word] ?? type}
                onChange={chosen => change({ ...options, types: { ...options.types, [word]: chosen } })}
              />
            ))}
          </div>
        </Part>
      )}
    </>
  );
}

/** A pattern counts once it is written: half of one reads nothing. */
function Pattern({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [said, setSaid] = useState(value);
  const end = () => said !== value && onChange(said);
  return (
    <TextField
      label="Pattern"
      value={said}
      onChange={setSaid}
      onBlur={end}
      onKeyDown={event => event.key === 'Enter' && end()}
      hint="Such as yyyy/MM/dd hh:mm:ss a"
    />
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  id_missing: 'no ID',
  id_repeated: 'a duplicate ID',
  lat_lng_missing: 'no coordinates',
  out_of_range: 'coordinates out of range',
  coordinates_swapped: 'latitude and longitude swapped',
  no_fix: 'coordinates of 0, 0',
  time_invalid: 'an unreadable time',
  too_old: 'too old',
  not_a_point: 'not a point',
  too_many: 'over the limit',
  invalid: 'unreadable',
};

/** How many rows are rejected for what, and the first of them. */
function Refused({ result: { refused, reasons, problems } }: { result: Result }) {
  return (
    <>
      {reasons.length > 0 && (
        <ul className={styles.sums} aria-label="Why rows are rejected">
          {reasons.map(({ reason, count }) => (
            <li key={reason} className="num">
              {`${countText(count)} × ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`}
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <Part title={`Rejected${refused > problems.length ? `, the first ${problems.length}` : ''}`}>
          <Table label="Rejected rows" columns={rejected} rows={problems} rowKey={({ row }) => `${row}`} empty="" />
        </Part>
      )}
    </>
  );
}

const rejected: readonly Column<Result['problems'][number]>[] = [
  { id: 'row', title: 'Row', width: '16%', cell: ({ row }) => countText(row) },
  { id: 'why', title: 'Why', cell: ({ message }) => message },
];

const kept: readonly Column<Result['rows'][number]>[] = [
  {
    id: 'type',
    title: 'Hazard',
    width: '30%',
    cell: row => (
      <div>
        {typeText(row.type)}
        <Sub>{row.external_id}</Sub>
      </div>
    ),
  },
  { id: 'place', title: 'Location', width: '30%', cell: formatLatLng },
  { id: 'description', title: 'Description', cell: row => row.description },
];
