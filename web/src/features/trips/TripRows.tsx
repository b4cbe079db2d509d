import { useCallback, useEffect, useMemo, useRef } from 'react';
import { texts } from '~/api';
import { cx } from '~/lib/cx';
import { useTextScale } from '~/lib/textScale';
import { countOf } from '~/model/format';
import type { TripQuery } from '~/model/trip';
import list from '~/section/list.module.css';
import { useGo } from '~/section/paths';
import { RowList, type RowListHandle } from '~/section/RowList';
import { selection } from '~/section/view';
import { useWords } from '~/section/words';
import { useShortcuts } from '~/session';
import { announce, Button, EmptyState } from '~/ui';
import { detailPath } from './paths';
import type { TripsAnswer } from './queries';
import { type DayRow, type ListRow, tripRows, withDays } from './rows';
import { TripRow } from './TripRow';
import styles from './trips.module.css';
import { dayText, marksOf } from './words';

const DAY_PX = 34;
/** The height of a row without marks. */
export const ROW_PX = 96;
/** What its marks take, where it has some. */
const MARKS_PX = 24;

const isDay = (row: ListRow | undefined): row is DayRow => row !== undefined && 'day' in row;

function heightOf(row: ListRow | undefined): number {
  if (!row || isDay(row)) return DAY_PX;
  return ROW_PX + (marksOf(row.trip).length > 0 ? MARKS_PX : 0);
}

const foundText = (count: number) => `${countOf(count, 'trip')} found`;

interface TripRowsProps {
  query: TripQuery;
  names: readonly string[];
  answer: TripsAnswer;
  onChange: () => void;
}

/** The trips that were found, newest first. */
export function TripRows({ query, names, answer, onChange }: TripRowsProps) {
  const go = useGo();
  const words = useWords();
  const scale = useTextScale();
  const handle = useRef<RowListHandle>(null);
  const returning = useRef(selection.get().last);
  const rows = useMemo(
    () => new Map(withDays(tripRows(answer.trips, query.things), words.timeZone).map(row => [row.key, row])),
    [answer, query, words],
  );
  const count = useMemo(() => [...rows.values()].filter(row => !isDay(row)).length, [rows]);
  const ids = useMemo(() => [...rows.keys()], [rows]);
  const exists = useCallback((key: string) => rows.has(key), [rows]);
  const layout = useCallback(
    (keys: readonly string[]) => ({
      keys,
      heights: keys.map(key => Math.ceil(heightOf(rows.get(key)) * scale)),
      heads: keys.flatMap((key, i) => (isDay(rows.get(key)) ? i : [])),
    }),
    [rows, scale],
  );
  const renderRow = useCallback(
    (key: string) => {
      const row = rows.get(key);
      if (!row) return null;
      if (isDay(row)) return <div className={cx(list.group, styles.day)}>{dayText(row.day, words.timeZone)}</div>;
      return <TripRow row={row} name={names[row.index] ?? ''} words={words} />;
    },
    [rows, names, words],
  );
  const open = useCallback(
    (key: string) => {
      const row = rows.get(key);
      if (row && !isDay(row)) go(detailPath(row.thingId, row.trip.run_id));
    },
    [go, rows],
  );
  useShortcuts({ j: () => handle.current?.step(1), k: () => handle.current?.step(-1), '/': onChange });
  useEffect(() => announce(foundText(count)), [count]);
  return (
    <RowList
      ref={handle}
      label="Trips"
      ids={ids}
      exists={exists}
      asked={query}
      layout={layout}
      renderRow={renderRow}
      onOpen={open}
      returning={returning}
      empty={
        <EmptyState title={texts.empty.list} action={<Button onPress={onChange}>Change search</Button>}>
          None of these assets moved in this time, or none reported. Choose another time or asset.
        </EmptyState>
      }
    />
  );
}
