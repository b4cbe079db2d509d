import { memo } from 'react';
import { formatLatLng } from '~/lib/coordinates';
import { cx } from '~/lib/cx';
import { useAtNow, useRow } from '~/live';
import { ageText } from '~/model/format';
import type { Hazard } from '~/model/hazard';
import { endOf, isHazardActive } from '~/model/hazardFilter';
import type { Words } from '~/model/organization';
import type { ListRowProps } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { HazardMark } from './HazardMark';
import styles from './hazards.module.css';
import { confirmedText, endText, expiresText, sourceText, typeText } from './words';

/** One hazard in the list; it follows its own hazard and nothing else. */
export const HazardRow = memo(function HazardRow({ id, words, isForeign }: ListRowProps) {
  const hazard = useRow('hazard', id);
  return hazard ? <Row hazard={hazard} words={words} owner={isForeign ? hazard.organization_name : ''} /> : null;
});

function Row({ hazard, words, owner }: { hazard: Hazard; words: Words; owner: string }) {
  const isActive = useAtNow(now => isHazardActive(hazard, now));
  const age = useAtNow(now => ageText(isActive ? hazard.start_time : endOf(hazard, now), now));
  const state = useAtNow(now => (isActive ? expiresText(hazard, now) : endText(hazard, words, now)));
  const { street, description } = hazard;
  return (
    <div className={cx(list.row, !isActive && list.old)}>
      <HazardMark type={hazard.type} isActive={isActive} />
      <div className={list.rowText}>
        <div className={list.name}>
          {typeText(hazard.type)}
          <span className="visually-hidden">, </span>
        </div>
        <div className={list.line}>
          <b className={cx(isActive && styles.expires)}>{state}</b> <span>{isActive ? confirmedText(hazard) : ''}</span>
        </div>
        <div className={list.line}>
          <span title={street}>
            {[street || formatLatLng(hazard), sourceText(hazard), owner].filter(Boolean).join(' · ')}
          </span>
        </div>
        {description && (
          <div className={list.line}>
            <span title={description}>{description}</span>
          </div>
        )}
      </div>{' '}
      <div className={cx(list.age, 'num')}>{isActive || age === 'now' ? age : `${age} ago`}</div>
    </div>
  );
}
