import limits from '@catalog/limits.json';
import { useStore } from '~/lib/store';
import { Button } from '~/ui';
import styles from './draw.module.css';
import type { Drawing } from './drawing';
import { MovePad, PlaceField, TypedField } from './fields';
import { inUnit, toMeters } from './words';

/** "1,640.4" as somebody types it; NaN for what is no number. */
const numberOf = (text: string): number =>
  /^\s*[\d,]*\.?\d+\s*$/.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN;

/** Center and radius of a circle, typed and moved without a pointer. */
export function CircleFields({ drawing }: { drawing: Drawing }) {
  const { points, radiusM } = useStore(drawing.state, state => state.live ?? state.draft);
  const { unit } = drawing;
  const [center] = points;
  return (
    <div className={styles.fields}>
      <PlaceField drawing={drawing} label="Center" place={center} onChange={to => drawing.move(0, to)} />
      {center ? (
        <>
          <MovePad drawing={drawing} what="the center" />
          <TypedField
            drawing={drawing}
            label="Radius"
            value={radiusM > 0 ? String(inUnit(radiusM, unit)) : ''}
            take={text => drawing.resize(toMeters(numberOf(text), unit))}
            refusal={`Enter a radius of ${inUnit(limits.area.circleMinM.value, unit)} ${unit} or more.`}
            after={<span className={styles.unit}>{unit}</span>}
          />
        </>
      ) : (
        <Button size="small" onPress={() => drawing.add()}>
          Use the middle of the map
        </Button>
      )}
    </div>
  );
}
