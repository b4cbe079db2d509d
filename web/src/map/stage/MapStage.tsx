import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { cx } from '~/lib/cx';
import type { MapController } from '../controller';
import type { Insets, MapConfig, OwnRow, PlaceItem, ThemeName } from '../types';
import { Aim } from './Aim';
import { Cards } from './Cards';
import { ContextMenu } from './ContextMenu';
import { Controls } from './Controls';
import cards from './cards.module.css';
import { DensityLegend } from './DensityLegend';
import { Drawn } from './Drawn';
import { Finder, NoticeBar } from './Finder';
import { Found } from './Found';
import { Handle } from './Handle';
import { Heads } from './Heads';
import styles from './map.module.css';
import over from './over.module.css';
import { Places } from './Places';
import { Unsupported } from './Unsupported';
import { anchored, useMapState } from './useMap';

export interface MapStageProps {
  controller: MapController;
  theme: ThemeName;
  /** Answer of GET /api/map/config, through parseMapConfig; the embedded base shows until it is there. */
  config?: MapConfig | undefined;
  /** Room that panels cover, px: controls and camera keep out of it. */
  insets: Insets;
  /** What is beside the map: what was opened over the map closes with another one. */
  section?: string;
  /** The switches of what stands behind the assets. */
  layers?: ReactNode;
  /** Reports what is dangerous where the user is. */
  onReport?: (() => void) | undefined;
  /** What begins at a place, by its context menu. */
  items?: readonly PlaceItem[];
  /** What a search finds of the organization's own. */
  own?: (text: string) => readonly OwnRow[];
  /** The live chip, lower left (on phones upper left). */
  chip?: ReactNode;
}

/** The map, full size in its positioned parent, with everything that floats on it. */
export function MapStage(props: MapStageProps) {
  const { controller, theme, config, insets, section = '', layers, onReport, items, own, chip } = props;
  const container = useRef<HTMLDivElement>(null);
  const phase = useMapState(controller, state => state.phase);
  const { top, right, bottom, left } = insets;

  useEffect(() => controller.setTheme(theme), [controller, theme]);
  useEffect(() => {
    if (config) controller.setConfig(config);
  }, [controller, config]);
  useEffect(() => controller.setInsets({ top, right, bottom, left }), [controller, top, right, bottom, left]);
  useEffect(() => (container.current ? controller.attach(container.current) : undefined), [controller]);

  const room = {
    '--inset-top': `${top}px`,
    '--inset-right': `${right}px`,
    '--inset-bottom': `${bottom}px`,
    '--inset-left': `${left}px`,
  } as CSSProperties;
  return (
    <div className={styles.stage} style={room} data-map={phase}>
      <div ref={container} className={styles.canvas} />
      {phase === 'unsupported' ? (
        <Unsupported controller={controller} />
      ) : (
        <>
          <Pulses controller={controller} />
          <Heads controller={controller} />
          <Me controller={controller} />
          <Found controller={controller} items={items ?? []} />
          <Places controller={controller} />
          <Cards controller={controller} />
          <Handle controller={controller} />
          <Aim controller={controller} />
          <Cover controller={controller} />
          <Controls controller={controller} section={section} layers={layers} onReport={onReport} />
          <ContextMenu controller={controller} items={items} />
        </>
      )}
      <div className={over.top}>
        <Finder controller={controller} own={own} />
        <NoticeBar controller={controller} />
        <Drawn controller={controller} />
      </div>
      <div className={styles.foot}>
        <div className={styles.chipPlace} data-over-map="words">
          <DensityLegend controller={controller} />
          {chip}
        </div>
        {phase !== 'unsupported' && <Attribution controller={controller} />}
      </div>
    </div>
  );
}

/** Who made the map's data: always whole, in as many lines as the room wants. */
export function Attribution({ controller }: { controller: MapController }) {
  const attribution = useMapState(controller, state => state.attribution);
  if (attribution.length === 0) return null;
  return (
    <p className={styles.attribution} title="Map data" data-over-map="words">
      {attribution.join(' · ')}
    </p>
  );
}

/** The ground of a map that is still on its way, or not yet where it is to be. */
export function Cover({ controller }: { controller: MapController }) {
  const isLifted = useMapState(controller, state => state.phase === 'ready' && !state.expectsPlace);
  return <div className={styles.cover} data-lifted={isLifted || undefined} aria-hidden="true" />;
}

function Pulses({ controller }: { controller: MapController }) {
  const pulsing = useMapState(controller, state => state.pulsing);
  return pulsing.map(id => <Pulse key={id} controller={controller} id={id} />);
}

function Pulse({ controller, id }: { controller: MapController; id: string }) {
  const anchor = useMemo(() => anchored(controller, () => controller.standing.placeOf(id), null), [controller, id]);
  return (
    <div ref={anchor} className={cx(cards.anchor, cards.pulse)}>
      <i />
    </div>
  );
}

/** The dot where the user is. */
function Me({ controller }: { controller: MapController }) {
  const me = useMapState(controller, state => state.me);
  const anchor = useMemo(() => anchored(controller, () => controller.getState().me, null), [controller]);
  if (!me) return null;
  return (
    <div ref={anchor} className={cx(cards.anchor, cards.me)} role="img" aria-label="Your location">
      <i />
      <b />
    </div>
  );
}
