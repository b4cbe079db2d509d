import { memo } from 'react';
import { cx } from '~/lib/cx';
import { useRow } from '~/live';
import { assetsText } from '~/map/layers/area';
import { truncate } from '~/model/format';
import type { ListRowProps } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { AreaMark } from './AreaMark';
import styles from './areas.module.css';
import { useAssetsIn } from './assetsIn';
import { missingText, useCover } from './cover';
import { SaveToggle } from './SaveToggle';
import { kindText, placeText } from './words';

/** One area in the list; it follows its own area and who is in it. */
export const AreaRow = memo(function AreaRow({ id, isForeign }: Omit<ListRowProps, 'words'>) {
  const area = useRow('area', id);
  const units = useAssetsIn(id).length;
  const cover = useCover(id);
  if (!area) return null;
  const place = placeText(area);
  const owner = isForeign ? area.organization_name : '';
  return (
    <div className={cx(list.row, list.withEnd, !area.is_active && list.old, !area.is_active && styles.dimmed)}>
      <AreaMark area={area} />
      <div className={list.rowText}>
        <div className={list.name} title={area.name}>
          {truncate(area.name)}
          <span className="visually-hidden">, </span>
        </div>
        <div className={list.line}>
          <b>{kindText(area)}</b> {owner && <span>{owner}</span>}
        </div>
        <div className={list.line}>
          {cover?.isCovered === false ? (
            <span className={styles.missing}>{missingText(cover)}</span>
          ) : (
            <span title={place}>{place}</span>
          )}
        </div>
      </div>{' '}
      <div className={styles.end}>
        {units > 0 && <span className={cx(styles.units, 'num')}>{assetsText(units)}</span>}
        {/* What the star does is not the row's. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what is pressed */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <span onClick={event => event.stopPropagation()}>
          <SaveToggle id={id} rowOf={area.name} />
        </span>
      </div>
    </div>
  );
});
