import { memo } from 'react';
import { cx } from '~/lib/cx';
import { useAtNow, useRow } from '~/live';
import { truncate } from '~/model/format';
import type { Words } from '~/model/organization';
import type { Zone } from '~/model/zone';
import { isZoneActive, zoneStatus } from '~/model/zoneFilter';
import type { ListRowProps } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { insideText, statusText, typeText, whyText } from './words';
import { ZoneMark } from './ZoneMark';
import styles from './zones.module.css';

/** One zone in the list; it follows its own zone and nothing else. */
export const ZoneRow = memo(function ZoneRow({ id, words, isForeign }: ListRowProps) {
  const zone = useRow('zone', id);
  return zone ? <Row zone={zone} words={words} owner={isForeign ? zone.organization_name : ''} /> : null;
});

function Row({ zone, words, owner }: { zone: Zone; words: Words; owner: string }) {
  const status = useAtNow(now => zoneStatus(zone, now));
  const why = useAtNow(now => whyText(zone, words, now));
  const inside = useAtNow(now => (isZoneActive(zone, now) ? zone.active_things.length : 0));
  return (
    <div className={list.row}>
      <ZoneMark type={zone.alerting_zone_type_name} isActive={status === 'active'} />
      <div className={list.rowText}>
        <div className={cx(list.name, inside > 0 && styles.name)} title={zone.description}>
          {truncate(zone.description)}
          <span className="visually-hidden">, </span>
        </div>
        <div className={list.line}>
          <b className={`s-${status}`}>{statusText(status)}</b> <span>{why || typeText(zone)}</span>
        </div>
        <div className={list.line}>
          <span>{[why && typeText(zone), zone.alert_message, owner].filter(Boolean).join(' · ')}</span>
        </div>
      </div>{' '}
      {inside > 0 && <div className={cx(list.age, styles.inside, 'num')}>{insideText(inside)}</div>}
    </div>
  );
}
