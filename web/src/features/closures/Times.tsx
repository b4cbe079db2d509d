import { useEffect } from 'react';
import { type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { dayStart } from '~/model/format';
import type { Instant } from '~/model/instant';
import { instantOfLocal, localText } from '~/model/localTime';
import { useWords as useOrganizationWords } from '~/section/words';
import { Button, errorOf, Notice, SegmentedLine, TextField, useWords } from '~/ui';
import { type ClosureDraft, MODES, REPEATS } from './form';
import styles from './form.module.css';
import { Repeat } from './Repeat';
import { newPattern } from './repeat';

type Form = UseFormReturn<ClosureDraft>;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long from its start, as people say it. */
export const ENDS: readonly { label: string; end: (start: Instant, timeZone: string) => Instant }[] = [
  { label: '1 h', end: start => start + HOUR },
  { label: '2 h', end: start => start + 2 * HOUR },
  { label: '4 h', end: start => start + 4 * HOUR },
  { label: 'End of day', end: endOfDay },
];

/** The last minute of the day by the organization's clock; of a day with less than an hour left, that of the next one. */
export function endOfDay(start: Instant, timeZone: string): Instant {
  const from = start + HOUR;
  // A day may have 25 hours: the next one has begun 26 hours after this one.
  return dayStart(dayStart(from, timeZone) + DAY + 2 * HOUR, timeZone) - 60_000;
}

/** When it stands: from now on, in a span to come, or not at all. */
export function Times({ form }: { form: Form }) {
  const { control } = form;
  const { timeZone } = useOrganizationWords();
  const [mode, start, repeats] = useWatch({ control, name: ['mode', 'start_time', 'repeats'] });
  const isPattern = mode === 'scheduled' && repeats === 'nights';
  useEffect(() => {
    if (!isPattern || form.getValues('recurrence.timezone') !== '') return;
    form.setValue('recurrence', newPattern(serverClock.now(), timeZone), { shouldDirty: true });
  }, [form, isPattern, timeZone]);
  const begin = () => (mode === 'scheduled' && instantOfLocal(start, timeZone)) || serverClock.now();
  return (
    <>
      <div className={styles.mode}>
        <SegmentedLine control={control} name="mode" label="Status" options={MODES} />
      </div>
      {mode === 'scheduled' && (
        <div className={styles.mode}>
          <SegmentedLine control={control} name="repeats" label="How often" options={REPEATS} />
        </div>
      )}
      {isPattern && <Repeat form={form} />}
      {!isPattern && form.formState.defaultValues?.repeats === 'nights' && (
        <Notice className={styles.publish ?? ''}>Saving removes its pattern. It won't repeat.</Notice>
      )}
      {mode === 'scheduled' && !isPattern && (
        <TimeLine form={form} name="start_time" label="Starts" timeZone={timeZone} />
      )}
      {mode !== 'inactive' && !isPattern && (
        <>
          <TimeLine form={form} name="end_time" label="Ends" timeZone={timeZone} />
          <fieldset className={styles.quick}>
            <legend className="visually-hidden">Ends after</legend>
            {ENDS.map(({ label, end }) => (
              <Button
                key={label}
                size="small"
                onPress={() =>
                  form.setValue('end_time', localText(end(begin(), timeZone), timeZone), {
                    shouldDirty: true,
                    shouldTouch: true,
                    shouldValidate: true,
                  })
                }
              >
                {label}
              </Button>
            ))}
          </fieldset>
        </>
      )}
    </>
  );
}

interface TimeLineProps {
  form: Form;
  name: 'start_time' | 'end_time';
  label: string;
  timeZone: string;
}

/** A date with its time of day, by the organization's clock. */
function TimeLine({ form, name, label, timeZone }: TimeLineProps) {
  const { field, fieldState, formState } = useController({ control: form.control, name });
  useWords(name, label, value => String(value).replace('T', ' '));
  return (
    <TextField
      type="datetime-local"
      label={label}
      name={name}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      hint={`In your organization's time zone (${timeZone})`}
      error={errorOf(fieldState, formState)}
    />
  );
}
