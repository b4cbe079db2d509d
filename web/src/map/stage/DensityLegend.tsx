import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import styles from './map.module.css';
import over from './over.module.css';
import { useMapState } from './useMap';

/** What the colors of the density view mean: they count the assets that the list shows, wherever these are now. */
export function DensityLegend({ controller }: { controller: MapController }) {
  const density = useMapState(controller, state => state.density);
  if (!density) return null;
  return (
    <section className={cx(styles.float, over.legend)} aria-label="Density View">
      <b>Assets shown</b>
      <span>Few</span>
      <i aria-hidden="true" />
      <span>Many</span>
    </section>
  );
}
