import { memo } from 'react';
import { cx } from '~/lib/cx';
import { useAtNow, useRow } from '~/live';
import { agoText, truncate } from '~/model/format';
import type { Location } from '~/model/location';
import type { Words } from '~/model/organization';
import list from '~/section/list.module.css';
import { EventMark } from './EventMark';
import styles from './events.module.css';
import { useEventsView } from './view';
import { lengthText, nameOf, spanText, stateOf, unitCount, unitsText } from './words';

/** One event in the list; it follows its own event and nothing else. */
export const EventRow = memo(function EventRow({ id, words }: { id: string; words: Words }) {
  const live = useRow('location', id);
  const found = useEventsView(view => view.found);
  const location = live ?? found.find(row => row.id === id);
  return location ? <Row location={location} words={words} /> : null;
});

function Row({ location, words }: { location: Location; words: Words }) {
  const { is_active, alert_message } = location;
  const units = unitCount(location);
  const length = useAtNow(now => lengthText(location, now));
  const span = useAtNow(now => spanText(location, words, now));
  const ended = useAtNow(now => (is_active ? '' : agoText(location.end_time, now)));
  return (
    <div className={cx(list.row, !is_active && list.old)}>
      <EventMark isActive={is_active} units={units} />
      <div className={list.rowText}>
        <div className={cx(list.name, styles.name)} title={nameOf(location)}>
          {truncate(nameOf(location))}
          <span className="visually-hidden">, </span>
        </div>
        <div className={list.line}>
          <b className={is_active ? 's-scene' : 's-offline'}>{stateOf(location)}</b> <span>{span}</span>
        </div>
        <div className={list.line}>
          <span title={unitsText(location)}>{unitsText(location)}</span>
        </div>
        {alert_message && (
          <div className={cx(list.line, styles.alert)}>
            <span>{alert_message}</span>
          </div>
        )}
      </div>{' '}
      <div className={cx(list.age, styles.times, 'num')}>
        <b className={is_active ? 's-scene' : ''}>{length}</b>
        {ended && <span>{ended}</span>}
      </div>
    </div>
  );
}
