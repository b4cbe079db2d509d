import { ToggleButton } from 'react-aria-components/ToggleButton';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { countOf } from '~/model/format';
import { Button, useWords } from '~/ui';
import { type ClosureDraft, LANES_MAX } from './form';
import styles from './form.module.css';

/** The lanes of a new picture of a road whose lanes nobody has counted. */
const SHOWN_LANES = 3;
const TOUCHED = { shouldDirty: true, shouldTouch: true, shouldValidate: true };

/** The road from above, its lanes side by side: a tap closes one. The left-most is 1. */
export function LanesField({ form }: { form: UseFormReturn<ClosureDraft> }) {
  const { control, setValue, formState } = form;
  const [closed, total] = useWatch({ control, name: ['impacted_lanes', 'total_lanes'] });
  const shown = total || Math.max(SHOWN_LANES, ...closed);
  const count = (lanes: number) => {
    setValue('total_lanes', lanes, TOUCHED);
    setValue(
      'impacted_lanes',
      closed.filter(lane => lanes === 0 || lane <= lanes),
      TOUCHED,
    );
  };
  const close = (lane: number, on: boolean) => {
    if (total === 0) setValue('total_lanes', shown, TOUCHED);
    const lanes = on ? [...closed, lane].sort((a, b) => a - b) : closed.filter(one => one !== lane);
    setValue('impacted_lanes', lanes, TOUCHED);
  };
  useWords('impacted_lanes', 'Impacted Lanes', value => (value as number[]).join(', ') || 'None');
  useWords('total_lanes', 'Lanes', value => (value ? String(value) : 'Unknown'));
  const error = (formState.errors.impacted_lanes ?? formState.errors.total_lanes)?.message;
  return (
    <fieldset className={styles.lanes}>
      <legend>Impacted Lanes</legend>
      <span className={styles.open}>{sumText(closed.length, total)}</span>
      <div className={styles.road}>
        {Array.from({ length: shown }, (_, index) => index + 1).map(lane => (
          <ToggleButton
            key={lane}
            className={styles.lane ?? ''}
            aria-label={`Lane ${lane} closed`}
            isSelected={closed.includes(lane)}
            onChange={on => close(lane, on)}
          >
            {lane}
          </ToggleButton>
        ))}
      </div>
      <div className={styles.count}>
        <Button
          size="small"
          isDisabled={shown <= 1}
          aria-label="Remove a lane"
          onPress={() => count(Math.max(1, shown - 1))}
        >
          −
        </Button>
        <span>{total === 0 ? 'Lanes not set' : countOf(total, 'lane')}</span>
        <Button
          size="small"
          isDisabled={shown >= LANES_MAX}
          aria-label="Add a lane"
          onPress={() => count(Math.min(LANES_MAX, total === 0 ? shown : shown + 1))}
        >
          +
        </Button>
        {total > 0 && (
          <Button size="small" variant="ghost" aria-label="Clear the number of lanes" onPress={() => count(0)}>
            Clear
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function sumText(closed: number, total: number): string {
  if (total > 0) return `${total - closed} of ${total} open`;
  return closed === 0 ? 'None selected' : `${closed} closed`;
}
