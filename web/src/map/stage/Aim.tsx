import { useMemo } from 'react';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import cards from './cards.module.css';
import placed from './placed.module.css';
import { anchored, useMapState } from './useMap';

/** A cross at the place that a form would use: in the middle of what is seen of the map, or on a place of it. */
export function Aim({ controller }: { controller: MapController }) {
  const aim = useMapState(controller, state => state.aim);
  if (aim === null) return null;
  return aim === 'middle' ? <Cross className={placed.aimMiddle} /> : <Aimed controller={controller} />;
}

function Aimed({ controller }: { controller: MapController }) {
  const anchor = useMemo(() => {
    const place = () => {
      const { aim } = controller.getState();
      return aim === 'middle' ? null : aim;
    };
    return anchored(controller, place, null);
  }, [controller]);
  return (
    <div ref={anchor} className={cards.anchor}>
      <Cross />
    </div>
  );
}

function Cross({ className }: { className?: string | undefined }) {
  return (
    <svg className={cx(placed.aim, className)} viewBox="0 0 40 40" aria-hidden="true" data-aim>
      {['halo', 'ink'].map(stroke => (
        <g key={stroke} data-stroke={stroke}>
          <circle cx="20" cy="20" r="9" />
          <path d="M20 1v14M20 25v14M1 20h14M25 20h14" />
        </g>
      ))}
      <circle cx="20" cy="20" r="1.6" data-stroke="dot" />
    </svg>
  );
}
