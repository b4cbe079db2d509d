import { useController, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { EXPORT_DAYS, EXPORT_PRESETS, type ExportAsk, exportTime } from '~/model/export';
import { instantOfLocal } from '~/model/localTime';
import { Button, Checkbox, errorOf, FormRow, FormSection, TextField, useWords } from '~/ui';
import styles from './exports.module.css';
import { type ExportFormOf, sayTimes, TIMES, type ZoneOf } from './form';

interface TimeLinesProps {
  form: ExportFormOf;
  zoneOf: ZoneOf;
}

type TimeName = (typeof TIMES)[number];

/** From when to when, and by which clock. */
export function TimeLines({ form, zoneOf }: TimeLinesProps) {
  const [organization_id, use_utc] = useWatch({ control: form.control, name: ['organization_id', 'use_utc'] });
  const timeZone = zoneOf({ organization_id, use_utc });
  const choose = (from: number, to: number) => {
    for (const name of TIMES) {
      const at = name === 'export_start_time' ? from : to;
      form.setValue(name, exportTime(at, timeZone), { shouldDirty: true, shouldTouch: true });
    }
    void form.trigger(TIMES);
  };
  return (
    <FormSection title="Time" hint={`In the past, up to ${EXPORT_DAYS} days.`}>
      <fieldset className={styles.presets} aria-label="Offered times">
        {EXPORT_PRESETS.map(({ label, time }) => (
          <Button
            key={label}
            size="small"
            onPress={() => {
              const { from, to } = time(serverClock.now(), timeZone);
              choose(from, to);
            }}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <FormRow>
        <TimeLine form={form} name="export_start_time" label="Start" timeZone={timeZone} />
        <TimeLine form={form} name="export_end_time" label="End" timeZone={timeZone} />
      </FormRow>
      <Utc form={form} zoneOf={zoneOf} />
      <p className={styles.zone}>
        {use_utc
          ? 'Times here and in the files are in UTC.'
          : `Times here and in the files are in the organization's time zone (${timeZone}).`}
      </p>
    </FormSection>
  );
}

function TimeLine(props: { form: ExportFormOf; name: TimeName; label: string; timeZone: string }) {
  const { form, name, label, timeZone } = props;
  const { field, fieldState, formState } = useController({ control: form.control, name });
  useWords(name, label, value => (value as ExportAsk[TimeName]).text);
  return (
    <TextField
      type="datetime-local"
      label={label}
      name={name}
      value={field.value.text}
      onChange={text => {
        field.onChange({ text, at: instantOfLocal(text, timeZone) });
        // A time is judged beside the other one: a start that is moved says what is wrong about the end.
        if (name === 'export_start_time' && form.getValues('export_end_time').at !== 0)
          void form.trigger('export_end_time');
      }}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={errorOf(fieldState, formState)}
      isRequired
    />
  );
}

/** The clock changes, the time does not: it reads otherwise then. */
function Utc({ form, zoneOf }: TimeLinesProps) {
  const { field } = useController({ control: form.control, name: 'use_utc' });
  const change = (use_utc: boolean) => {
    field.onChange(use_utc);
    sayTimes(form, zoneOf);
  };
  return (
    <Checkbox isSelected={field.value} onChange={change}>
      Use UTC
    </Checkbox>
  );
}
