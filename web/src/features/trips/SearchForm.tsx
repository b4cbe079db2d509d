import { type FormEvent, useId, useRef, useState } from 'react';
import { serverClock } from '~/lib/clock';
import { useDebounced } from '~/lib/debounce';
import { MOST_ASSETS, type ParsedTripParams, PRESETS, type TripFaults, type TripQuery, tripFaults } from '~/model/trip';
import { formLook } from '~/section/formLook';
import { useWords } from '~/section/words';
import { Button, Notice, TextField } from '~/ui';
import { AssetPicker } from './AssetPicker';
import { draftOf, draftTime, queryOf, type TripDraft, typedTime } from './draft';
import { useCoverage } from './queries';
import styles from './trips.module.css';

interface SearchFormProps {
  /** what the address asks; what is wrong in it is said */
  asked: ParsedTripParams | null;
  onSearch: (query: TripQuery) => void;
  /** back to what was found; without, nothing was */
  onCancel?: (() => void) | undefined;
}

const NOTHING: TripQuery = { things: [], from: 0, to: 0 };
type Field = keyof TripQuery;

/** What is asked: some assets and a time. */
export function SearchForm({ asked, onSearch, onCancel }: SearchFormProps) {
  const { timeZone } = useWords();
  const [draft, setDraft] = useState(() => draftOf(asked?.query ?? NOTHING, timeZone));
  // What an address says wrongly is said at once, as if somebody had pressed Search.
  const [touched, setTouched] = useState<ReadonlySet<Field>>(() => new Set(asked?.broken.map(({ name }) => name)));
  const inputs = {
    things: useRef<HTMLInputElement>(null),
    from: useRef<HTMLInputElement>(null),
    to: useRef<HTMLInputElement>(null),
  };
  const faults = tripFaults(queryOf(draft), serverClock.now());
  const shown = (field: Field) => (touched.has(field) ? faults[field] : undefined);
  const change = (part: Partial<TripDraft>, ...fields: Field[]) => {
    setDraft(now => ({ ...now, note: '', ...part }));
    setTouched(now => new Set([...now, ...fields]));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = queryOf(draft);
    const now = tripFaults(query, serverClock.now());
    const wrong = (['things', 'from', 'to'] as const).find(field => now[field] !== undefined);
    if (!wrong) return onSearch(query);
    setTouched(new Set(['things', 'from', 'to']));
    inputs[wrong].current?.focus();
  };
  const line = (field: 'from' | 'to', label: string) => (
    <TextField
      type="datetime-local"
      label={label}
      name={field}
      value={draft[field].text}
      // A time is judged beside the other one: a start that is moved says what is wrong about the end.
      onChange={text => change({ [field]: typedTime(text, timeZone) })}
      onBlur={() => draft[field].at !== 0 && setTouched(now => new Set([...now, field]))}
      inputRef={inputs[field]}
      error={shown(field)}
    />
  );
  return (
    <form className={formLook.form} onSubmit={submit} noValidate aria-label="Search trips">
      <div className={formLook.body}>
        <Broken asked={asked} />
        <Assets draft={draft} faults={faults} error={shown('things')} inputRef={inputs.things} onChange={change} />
        <Presets timeZone={timeZone} onChoose={(part, note) => change({ ...part, note }, 'from', 'to')} />
        {draft.note !== '' && <Notice className={styles.note ?? ''}>{draft.note}</Notice>}
        {line('from', 'From')}
        {line('to', 'To')}
        <p className={styles.zone}>Times are in your organization's time zone ({timeZone}). Up to 24 hours.</p>
      </div>
      <div className={formLook.foot}>
        {onCancel && (
          <Button variant="ghost" onPress={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant="primary">
          Search trips
        </Button>
      </div>
    </form>
  );
}

/** What of the address cannot be asked. */
function Broken({ asked }: { asked: ParsedTripParams | null }) {
  if (!asked || asked.isSound) return null;
  return (
    <div role="alert" className={styles.broken}>
      <Notice tone="warn">
        This link can't be shown as it is.
        <ul>
          {asked.broken.map(({ name, why }) => (
            <li key={name}>
              <b>{name}</b>: {why}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

interface AssetsProps {
  draft: TripDraft;
  faults: TripFaults;
  error: string | undefined;
  inputRef: React.Ref<HTMLInputElement>;
  onChange: (part: Partial<TripDraft>, ...fields: Field[]) => void;
}

/** The assets, each with when it was heard of last in the time that is chosen. */
function Assets({ draft, faults, error, inputRef, onChange }: AssetsProps) {
  const isTimeSound = faults.from === undefined && faults.to === undefined;
  // While somebody still types a year, nobody is asked.
  const looked = useDebounced(draft);
  const coverage = useCoverage(queryOf(looked), looked === draft && isTimeSound && faults.things === undefined);
  return (
    <AssetPicker
      chosen={draft.things}
      onChange={things => onChange({ things, note: draft.note }, 'things')}
      coverage={coverage}
      hint={`1 to ${MOST_ASSETS} assets`}
      error={error}
      inputRef={inputRef}
    />
  );
}

interface PresetsProps {
  timeZone: string;
  onChoose: (part: Pick<TripDraft, 'from' | 'to'>, note: string) => void;
}

/** Times that are asked for often. */
function Presets({ timeZone, onChoose }: PresetsProps) {
  const help = useId();
  return (
    <fieldset className={styles.presets} aria-describedby={help}>
      <legend>Time</legend>
      {PRESETS.map(({ label, time }) => (
        <Button
          key={label}
          size="small"
          onPress={() => {
            const { from, to, note = '' } = time(serverClock.now(), timeZone);
            onChoose({ from: draftTime(from, timeZone), to: draftTime(to, timeZone) }, note);
          }}
        >
          {label}
        </Button>
      ))}
      <p id={help}>This shift: since the last 7:00 AM or 7:00 PM.</p>
    </fieldset>
  );
}
