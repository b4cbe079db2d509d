import { memo } from 'react';
import { cx } from '~/lib/cx';
import { truncate } from '~/model/format';
import type { Words } from '~/model/organization';
import list from '~/section/list.module.css';
import { Tag } from '~/ui';
import type { TripRowData } from './rows';
import { TripMark } from './TripMark';
import styles from './trips.module.css';
import { figuresText, lengthText, marksOf, streetsText, timesText, wayText } from './words';

/** One trip in the list: whose, when, how far and how fast, from where to where. */
export const TripRow = memo(function TripRow({ row, name, words }: { row: TripRowData; name: string; words: Words }) {
  const { trip, isRun, index } = row;
  const marks = marksOf(trip);
  return (
    <div className={cx(list.row, !isRun && styles.other)}>
      <TripMark index={index} size={30} />
      <div className={list.rowText}>
        <div className={cx(list.name, styles.name)} title={name}>
          {truncate(name)}
          <span className="visually-hidden">, </span>
        </div>
        <div className={cx(list.line, 'num')}>
          <b>{timesText(trip, words.timeZone)}</b> <span>{lengthText(trip.run_duration)}</span>
        </div>
        <div className={cx(list.line, 'num')}>
          <span>{figuresText(trip, isRun, words)}</span>
        </div>
        <div className={list.line}>
          <span title={streetsText(trip)}>{streetsText(trip)}</span>
        </div>
        {marks.length > 0 && (
          <div className={styles.marks}>
            {marks.map(mark => (
              <Tag key={mark}>{mark}</Tag>
            ))}
          </div>
        )}
      </div>{' '}
      <div className={cx(list.age, styles.way, 'num')}>{wayText(trip, words)}</div>
    </div>
  );
});
