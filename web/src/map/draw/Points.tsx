import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import { useMedia } from '~/lib/media';
import { useStore } from '~/lib/store';
import { Button, VirtualList } from '~/ui';
import styles from './draw.module.css';
import type { Drawing } from './drawing';
import { MovePad, PlaceField } from './fields';

const ROW_PX = { fine: 30, coarse: 44 } as const;
/** A phone has little room over its sheet. */
const MOST_ROWS = { fine: 6, coarse: 3 } as const;

/** The vertices as coordinates: chosen, typed, moved, added and removed without a pointer. */
export function Points({ drawing }: { drawing: Drawing }) {
  const draft = useStore(drawing.state, state => state.draft);
  const { points } = draft;
  const selected = useStore(drawing.state, state => state.selected);
  const pointer = useMedia('(pointer: coarse)') ? 'coarse' : 'fine';
  const rowPx = ROW_PX[pointer];
  const field = useRef<HTMLInputElement>(null);
  const wantsFocus = useRef(false);
  const count = points.length;
  const keys = useMemo(() => Array.from({ length: count }, (_, index) => String(index)), [count]);
  const rowHeight = useMemo(() => () => rowPx, [rowPx]);
  // A new point is somewhere near: its coordinates are what is typed next.
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    field.current?.focus();
    field.current?.select();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft or choice adds elsewhere
  useEffect(() => {
    drawing.aim(true);
    return () => drawing.aim(false);
  }, [drawing, draft, selected]);
  const add = () => {
    wantsFocus.current = true;
    drawing.add();
  };
  const place = selected === null ? undefined : points[selected];
  return (
    <>
      {count > 0 && (
        <div className={styles.list} style={{ height: Math.min(count, MOST_ROWS[pointer]) * rowPx }}>
          <VirtualList
            label="Points"
            keys={keys}
            rowHeight={rowHeight}
            renderRow={key => <Row drawing={drawing} index={Number(key)} />}
            selectedKey={selected === null ? undefined : String(selected)}
            onOpen={key => drawing.select(Number(key))}
          />
        </div>
      )}
      {place && selected !== null && (
        <div className={styles.fields}>
          <PlaceField
            drawing={drawing}
            label={`Point ${selected + 1}`}
            place={place}
            onChange={to => drawing.move(selected, to)}
            inputRef={field}
          />
          <MovePad drawing={drawing} what={`point ${selected + 1}`} />
        </div>
      )}
      <div className={styles.fields}>
        <Button size="small" icon={<Plus size={15} />} onPress={add}>
          {place ? `Add point after ${(selected ?? 0) + 1}` : 'Add point'}
        </Button>
      </div>
    </>
  );
}

function Row({ drawing, index }: { drawing: Drawing; index: number }) {
  const place = useStore(drawing.state, ({ live, draft }) => (live ?? draft).points[index]);
  const isChosen = useStore(drawing.state, ({ selected }) => selected === index);
  return (
    <div className={cx(styles.row, isChosen && styles.chosen)}>
      <b>{index + 1}</b>
      <span>{place && formatLatLng(place)}</span>
    </div>
  );
}
