import { FileUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { asFailure, type Schemas, say } from '~/api';
import { formatLatLng } from '~/lib/coordinates';
import { countText } from '~/model/format';
import { ImportUndo } from '~/section/ImportUndo';
import { useWords } from '~/section/words';
import { useOrganization } from '~/session';
import { Button, Dialog, ErrorNotice, Select, Spinner, TextField } from '~/ui';
import styles from './hazards.module.css';
import {
  beginImport,
  columnsFor,
  FILE_MB,
  type ImportForm,
  importBody,
  importProblem,
  reasonText,
  withColumns,
} from './importForm';
import { importHazards } from './queries';
import { HAZARD_TYPES, typeText } from './words';

type Result = Schemas['HazardImported'];

/** Reads a file of hazards: how it is read, what of it would be kept, and then keeps it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { timeZone } = useWords();
  const { id: organizationId } = useOrganization();
  const [form, setForm] = useState<ImportForm>();
  const [refusal, setRefusal] = useState<string>();
  const [pending, setPending] = useState<'preview' | 'import'>();
  const [result, setResult] = useState<Result>();
  const [done, setDone] = useState<Result>();
  const change = (next: ImportForm) => {
    setForm(next);
    setResult(undefined);
    setRefusal(undefined);
  };
  const choose = async (file: File) => {
    const begun = await beginImport(file, timeZone);
    if (typeof begun !== 'string') return change(begun);
    setForm(undefined);
    setResult(undefined);
    setRefusal(begun);
  };
  const send = async (how: 'preview' | 'import') => {
    if (!form) return;
    const problem = importProblem(form);
    setRefusal(problem);
    if (problem) return;
    setPending(how);
    try {
      const answer = await importHazards(importBody(form, organizationId, how === 'preview'));
      if (how === 'preview') setResult(answer);
      else setDone(answer);
    } catch (error) {
      // The server's sentence about a column or the file says more than that there is one.
      const [sentence] = Object.values(asFailure(error).fields);
      setRefusal(sentence ?? say('hazards.import', error));
    }
    setPending(undefined);
  };
  const isReady = form !== undefined && pending === undefined;
  if (done) {
    return (
      <Dialog
        isOpen
        wide
        onOpenChange={open => !open && onClose()}
        title="Import hazards"
        actions={<Button onPress={onClose}>Close</Button>}
      >
        <div className={styles.import}>
          <ImportUndo noun="hazard_import" result={done}>
            <Outcome result={done} is="imported" />
          </ImportUndo>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      wide
      mustAnswer={pending === 'import'}
      onOpenChange={open => !open && onClose()}
      title="Import hazards"
      actions={
        <>
          <Button onPress={onClose} isDisabled={pending === 'import'}>
            Cancel
          </Button>
          <Button
            variant={result ? 'default' : 'primary'}
            isDisabled={!isReady}
            isPending={pending === 'preview'}
            onPress={() => void send('preview')}
          >
            Preview
          </Button>
          {result && (
            <Button
              variant="primary"
              isDisabled={!isReady || result.kept === 0}
              isPending={pending === 'import'}
              onPress={() => void send('import')}
            >
              Import {countText(result.kept)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.import}>
        <p className={styles.lead}>
          A GeoJSON or CSV file, up to {FILE_MB} MB. A hazard with a known ID is updated. Nothing is removed.
        </p>
        <ChooseFile name={form?.name} onChoose={choose} />
        {form && <FileFields form={form} onChange={change} />}
        {refusal && <ErrorNotice>{refusal}</ErrorNotice>}
        {pending === 'preview' && <Spinner label="Reading the file" />}
        {result && <Preview result={result} />}
      </div>
    </Dialog>
  );
}

function ChooseFile({ name, onChoose }: { name: string | undefined; onChoose: (file: File) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.file}>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Hazard file"
        accept=".geojson,.json,.csv,.txt,application/geo+json,application/json,text/csv"
        onChange={event => {
          const file = event.target.files?.[0];
          // The same file can be chosen again, changed meanwhile.
          event.target.value = '';
          if (file) void onChoose(file);
        }}
      />
      <Button icon={<FileUp size={16} strokeWidth={1.75} aria-hidden="true" />} onPress={() => input.current?.click()}>
        {name ? 'Choose another file' : 'Choose a file'}
      </Button>
      {name && <b>{name}</b>}
    </div>
  );
}

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
function FileFields({ form, onChange }: { form: ImportForm; onChange: (form: ImportForm) => void }) {
  const names = (form.lines[0] ?? []).filter(name => name.trim() !== '').map(name => ({ id: `=${name}`, label: name }));
  const optional = [{ id: NONE, label: 'None' }, ...names];
  const zones = [...new Set([form.timezone, 'UTC', ...ZONES])].map(zone => ({ id: zone, label: zone }));
  const words = Object.entries(form.types);
  const isPattern = !TIME_FORMATS.some(({ id }) => id === form.timeFormat);
  return (
    <>
      <Part title={form.format === 'csv' ? 'Columns' : 'Properties'}>
        <div className={styles.columns}>
          {columnsFor(form).map(({ id, label, isRequired }) => (
            <Select
              key={id}
              label={label}
              options={isRequired ? names : optional}
              value={form.columns[id] === '' ? (isRequired ? null : NONE) : `=${form.columns[id]}`}
              placeholder="Choose a column"
              onChange={chosen => onChange(withColumns(form, { [id]: chosen === NONE ? '' : chosen.slice(1) }))}
            />
          ))}
          <Select
            label="Time Zone"
            options={zones}
            value={form.timezone}
            onChange={timezone => onChange({ ...form, timezone })}
          />
          <Select
            label="Time Format"
            options={TIME_FORMATS}
            value={isPattern ? PATTERN : form.timeFormat}
            onChange={chosen => onChange({ ...form, timeFormat: chosen === PATTERN ? 'yyyy-MM-dd HH:mm:ss' : chosen })}
          />
          {isPattern && (
            <TextField
              label="Pattern"
              value={form.timeFormat}
              onChange={timeFormat => onChange({ ...form, timeFormat })}
              hint="Such as yyyy/MM/dd hh:mm:ss a"
            />
          )}
        </div>
      </Part>
      {words.length > 0 && (
        <Part title="Types">
          <div className={styles.columns}>
            {words.map(([word, type]) => (
              <Select
                key={word}
                label={word}
                options={HAZARD_TYPES}
                value={type}
                onChange={chosen => onChange({ ...form, types: { ...form.types, [word]: chosen } })}
              />
            ))}
          </div>
        </Part>
      )}
    </>
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

/** What of the file is kept, and what not and why. */
function Outcome({ result, is }: { result: Result; is: string }) {
  const { total, kept, refused, reasons, problems } = result;
  return (
    <>
      <p role="status">
        <b className="num">{countText(kept)}</b> of {countText(total)} {is}, <b className="num">{countText(refused)}</b>{' '}
        rejected.
      </p>
      {reasons.length > 0 && (
        <ul className={styles.sums} aria-label="Why rows are rejected">
          {reasons.map(reason => (
            <li key={reason.reason} className="num">
              {reasonText(reason)}
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <Part title={`Rejected${refused > problems.length ? `, the first ${problems.length}` : ''}`}>
          <Lines
            label="Rejected rows"
            head={['Row', 'Why']}
            rows={problems.map(({ row, message }) => [countText(row), message])}
          />
        </Part>
      )}
    </>
  );
}

function Preview({ result }: { result: Result }) {
  const { kept, rows } = result;
  return (
    <>
      <Outcome result={result} is="will be imported" />
      {rows.length > 0 && (
        <Part title={`To import${kept > rows.length ? `, the first ${rows.length}` : ''}`}>
          <Lines
            label="Rows to import"
            head={['Type', 'Location', 'Description', 'Id']}
            rows={rows.map(row => [typeText(row.type), formatLatLng(row), row.description, row.external_id])}
          />
        </Part>
      )}
    </>
  );
}

function Lines({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={styles.scrolls} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one answer keep their places
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={head[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
