import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { Schemas } from '~/api';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { useWords as useOrganizationWords } from '~/section/words';
import { KeyValues, Notice, Segmented } from '~/ui';
import type { Checked } from './check';
import type { ClosureDraft } from './form';
import styles from './form.module.css';
import { impactText } from './words';

type Shown = Schemas['ClosurePreview'];
type Problem = Schemas['PublishProblem'];

interface ReadyProps {
  checked: Checked;
  /** what the server said of the closure as it was saved last */
  saved: readonly Problem[];
}

const NEEDED = {
  direction: 'direction',
  external_id: 'feed id',
  location_method: 'location method',
  vehicle_impact: 'vehicle impact',
} as const;

/** Whether the feeds take it, why not, and what each of their readers would show. */
export function Ready({ form, checked, saved }: ReadyProps & { form: UseFormReturn<ClosureDraft> }) {
  const { check } = checked;
  const fields = Object.keys(NEEDED) as (keyof typeof NEEDED)[];
  const values = useWatch({ control: form.control, name: fields });
  const needed = fields.filter((_, i) => values[i] === '').map(field => NEEDED[field]);
  const problems = check?.problems ?? saved;
  const previews = check?.previews ?? [];
  return (
    <div className={styles.checked}>
      {needed.length > 0 && <p className={styles.missing}>To publish it, add its {listed(needed)}.</p>}
      {problems.length > 0 && (
        <Notice tone="warn" className={styles.publish ?? ''}>
          {check
            ? "You can save it, but it won't be in the feeds until you fix this:"
            : 'Saved, but not published yet:'}
          <ul>
            {problems.map(({ rule, field, message }) => (
              <li key={`${rule} ${field}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {previews.length > 0 && problems.length === 0 && (
        <Notice tone="good">Ready for {previews.map(({ reader }) => reader).join(', ')}.</Notice>
      )}
      {previews.length > 0 && <Preview previews={previews} />}
    </div>
  );
}

/** What the feeds miss of a field, beside it. */
export function FieldProblem({ checked, saved, field }: ReadyProps & { field: string }) {
  const problems = (checked.check?.problems ?? saved).filter(problem => problem.field === field);
  return problems.map(({ rule, message }) => (
    <p key={rule} className={styles.missing}>
      {message}
    </p>
  ));
}

function Preview({ previews }: { previews: readonly Shown[] }) {
  const { timeZone } = useOrganizationWords();
  const [chosen, setChosen] = useState('');
  const shown = previews.find(({ reader }) => reader === chosen) ?? previews[0];
  if (!shown) return null;
  const at = (text: string) => dateText(instantOf(text), timeZone, `${DATE_PATTERNS.short} ${DATE_PATTERNS.time}`);
  return (
    <section className={styles.preview} aria-label="How feed readers show it">
      <h3>How feed readers show it</h3>
      <Segmented
        label="Reader"
        className={styles.wide ?? ''}
        value={shown.reader}
        onChange={setChosen}
        options={previews.map(({ reader }) => ({ id: reader, label: reader }))}
      />
      <KeyValues
        dense
        rows={[
          ['Title', shown.title],
          ['Road', shown.road],
          ['Direction', said(shown.direction)],
          ['Type', KINDS[shown.kind] ?? impactText(shown.kind)],
          ['From', at(shown.start_time)],
          ['Until', at(shown.end_time)],
          [
            'Lanes',
            shown.lanes.map((status, i) => `${i + 1} ${said(status).toLowerCase()}`).join(', ') || 'Not specified',
          ],
        ]}
      />
    </section>
  );
}

/** "feed id", "feed id and direction", "a, b and c" */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** Waze's own words of its subtypes. */
const KINDS: Readonly<Record<string, string>> = {
  HAZARD_ON_ROAD_CONSTRUCTION: 'Hazard: construction',
  HAZARD_ON_ROAD_LANE_CLOSED: 'Hazard: lane closed',
  ROAD_CLOSED_CONSTRUCTION: 'Road closed: construction',
};

/** "One direction" of ONE_DIRECTION, "Northbound" of northbound. */
function said(word: string): string {
  const text = word.toLowerCase().replaceAll(/[_-]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
