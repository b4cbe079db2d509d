import { AREA_GLYPHS, areaFamily, GLYPH_PX } from '~/map/layers/areaGlyph';
import type { Area } from '~/model/area';
import styles from './areas.module.css';

/** The mark of an area, the same as on the map. */
export function AreaMark({ area, size = 30 }: { area: Area; size?: number }) {
  const family = areaFamily(area);
  return (
    <svg
      className={styles[family]}
      width={size}
      height={size}
      viewBox={`-5 -5 ${GLYPH_PX + 10} ${GLYPH_PX + 10}`}
      aria-hidden="true"
    >
      <rect className={styles.plate} x={-5} y={-5} width={GLYPH_PX + 10} height={GLYPH_PX + 10} rx={7} />
      <path d={AREA_GLYPHS[family]} fillRule="evenodd" />
    </svg>
  );
}

/** The mark of the areas behind the assets. */
export const LayerMark = () => (
  <svg width={20} height={20} viewBox={`-1 -1 ${GLYPH_PX + 2} ${GLYPH_PX + 2}`} aria-hidden="true">
    <path d={AREA_GLYPHS.place} fillRule="evenodd" fill="color-mix(in srgb, var(--pending) 80%, var(--land))" />
  </svg>
);
