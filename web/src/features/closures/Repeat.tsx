import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type FieldPath, type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { timeZones } from '~/model/localTime';
import {
  clockChange,
  hoursText,
  nextTimes,
  shortDay,
  timeSpanText,
  WEEK,
  wholePattern,
  zoneText,
} from '~/model/recurrence';
import { Button, errorOf, FormRow, SelectLine, TextField, ToggleChip, useWords } from '~/ui';
import type { ClosureDraft } from './form';
import styles from './form.module.css';
import { EXCEPT_MAX, NEXT_SHOWN, type PatternDraft, patternOf, patternWrong } from './repeat';

type Form = UseFormReturn<ClosureDraft>;
const TOUCHED = { shouldDirty: true, shouldTouch: true, shouldValidate: true };

/** When a closure comes again: days of the week, times of the day, the first and last day, and the days left out. */
export function Repeat({ form }: { form: Form }) {
  const { control } = form;
  const { timezone, start, end } = useWatch({ control, name: 'recurrence' });
  const zones = useMemo(() => timeZones(timezone).map(id => ({ id, label: id })), [timezone]);
  useWords('recurrence', 'Pattern', value => {
    const said = value as PatternDraft;
    return Object.keys(patternWrong(said, 0)).length > 0 ? 'None' : wholePattern(patternOf(said));
  });
  return (
    <>
      <Days form={form} />
      <FormRow>
        <ClockLine form={form} name="recurrence.start" label="Starts" type="time" />
        <ClockLine
          form={form}
          name="recurrence.end"
          label="Ends"
          type="time"
          hint={start && end ? hoursText(patternOf({ ...form.getValues('recurrence'), start, end })) : ''}
        />
      </FormRow>
      <FormRow>
        <ClockLine form={form} name="recurrence.from" label="First Day" type="date" />
        <ClockLine
          form={form}
          name="recurrence.until"
          label="Last Day"
          type="date"
          hint="Last day it starts, within a year"
        />
      </FormRow>
      <LeftOut form={form} />
      <SelectLine control={control} name="recurrence.timezone" label="Local Time Zone" options={zones} />
      <Coming form={form} />
    </>
  );
}

function Days({ form }: { form: Form }) {
  const { control, setValue, formState } = form;
  const days = useWatch({ control, name: 'recurrence.days' });
  const toggle = (day: number, on: boolean) =>
    setValue('recurrence.days', on ? [...days, day].sort((a, b) => a - b) : days.filter(one => one !== day), TOUCHED);
  const error = formState.errors.recurrence?.days?.message ?? formState.errors.recurrence?.message;
  return (
    <fieldset className={styles.choice}>
      <legend>Days it starts</legend>
      <div className={styles.days}>
        {WEEK.map(({ id, label }) => (
          <ToggleChip key={id} isSelected={days.includes(id)} onChange={on => toggle(id, on)}>
            {label}
          </ToggleChip>
        ))}
      </div>
      {error && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ClockLineProps {
  form: Form;
  name: FieldPath<ClosureDraft>;
  label: string;
  type: 'date' | 'time';
  hint?: string;
}

/** A date or a time of the day, by the clocks of the pattern's zone. */
function ClockLine({ form, name, label, type, hint }: ClockLineProps) {
  const { field, fieldState, formState } = useController({ control: form.control, name });
  return (
    <TextField
      type={type}
      label={label}
      name={name}
      value={String(field.value)}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      hint={hint || undefined}
      error={errorOf(fieldState, formState)}
    />
  );
}

/** Days on which it does not begin. */
function LeftOut({ form }: { form: Form }) {
  const { control, setValue, formState } = form;
  const [day, setDay] = useState('');
  const except = useWatch({ control, name: 'recurrence.except' });
  const set = (days: string[]) => setValue('recurrence.except', days, TOUCHED);
  const canAdd = day !== '' && !except.includes(day) && except.length < EXCEPT_MAX;
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Skipped days</legend>
      <div className={styles.leave}>
        <TextField
          type="date"
          label="Skip a Date"
          value={day}
          onChange={setDay}
          error={formState.errors.recurrence?.except?.message}
        />
        <Button
          isDisabled={!canAdd}
          onPress={() => {
            set([...except, day].sort());
            setDay('');
          }}
        >
          Skip
        </Button>
      </div>
      {except.length > 0 && (
        <ul className={styles.days} aria-label="Skipped days">
          {except.map(one => (
            <li key={one}>
              <Button
                size="small"
                aria-label={`Don't skip ${shortDay(one)}`}
                icon={<X size={14} strokeWidth={1.75} aria-hidden="true" />}
                onPress={() => set(except.filter(other => other !== one))}
              >
                {shortDay(one)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

/** The pattern in words, the next times, and where a change of the clocks moves an end. */
function Coming({ form }: { form: Form }) {
  const said = useWatch({ control: form.control, name: 'recurrence' });
  const now = serverClock.now();
  if (Object.keys(patternWrong(said, now)).length > 0) {
    return <p className={styles.sum}>Times are in {zoneText(said.timezone)}.</p>;
  }
  const pattern = patternOf(said);
  const next = nextTimes(pattern, now, NEXT_SHOWN);
  const change = clockChange(pattern, now);
  return (
    <div className={styles.coming} role="status">
      <p>{wholePattern(pattern)}.</p>
      <p>Next:</p>
      <ol>
        {next.map(time => (
          <li key={time.from}>{timeSpanText(time, said.timezone)}</li>
        ))}
      </ol>
      {change && <p>{change}</p>}
    </div>
  );
}
