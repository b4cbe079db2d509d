import { MapPin, X } from 'lucide-react';
import { useMemo } from 'react';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import { formatLatLng } from '../coordinates';
import cards from './cards.module.css';
import styles from './map.module.css';
import over from './over.module.css';
import { anchored, useMapState } from './useMap';

/** The pin of the place whose coordinates were searched for, with its name and the way to remove it. */
export function Found({ controller }: { controller: MapController }) {
  const found = useMapState(controller, state => state.found);
  const anchor = useMemo(() => anchored(controller, () => controller.getState().found, null), [controller]);
  if (!found) return null;
  const words = formatLatLng(found);
  return (
    <section ref={anchor} className={cx(cards.anchor, over.found)} aria-label={`Pin at ${words}`}>
      <MapPin className={over.foundPin} aria-hidden="true" />
      <div className={cx(styles.float, over.foundName)}>
        <span className="mono">{words}</span>
        <button
          type="button"
          className={styles.pin}
          aria-label="Remove pin"
          title="Remove pin"
          onClick={() => controller.find(null)}
        >
          <X />
        </button>
      </div>
    </section>
  );
}
