import {
  Ellipsis,
  Flame,
  House,
  Layers,
  Locate,
  Maximize,
  Minus,
  Navigation,
  PinOff,
  Plus,
  Search,
  TriangleAlert,
} from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { cx } from '~/lib/cx';
import { useMedia } from '~/lib/media';
import { useStore } from '~/lib/store';
import { preferences, setPreference, useCan } from '~/session';
import { Segmented } from '~/ui';
import { useToolbar } from '~/ui/toolbar';
import type { MapController } from '../controller';
import styles from './map.module.css';
import { useMapState } from './useMap';

interface ControlProps {
  label: string;
  children: ReactNode;
  onPress: () => void;
  pressed?: boolean;
  /** what it opens stands beside it */
  opened?: boolean;
  /** what it opens has something that is on */
  marked?: boolean;
  disabled?: boolean;
}

function Control({ label, children, onPress, pressed, opened, marked, disabled }: ControlProps) {
  return (
    <button
      type="button"
      className={styles.control}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={opened}
      data-marked={marked || undefined}
      disabled={disabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** A phone, upright or on its side: a second column of controls would take a third of its map. */
const LITTLE_ROOM = '(pointer: coarse) and (width < 769px), (pointer: coarse) and (height < 500px)';

interface ControlsProps {
  controller: MapController;
  section?: string;
  /** Reports what is dangerous where the user is; without, they may not, or it is not done from here. */
  onReport?: (() => void) | undefined;
  /** The switches of what stands behind the assets; without, there is nothing to switch. */
  layers?: ReactNode;
}

/** Find-me, zoom, Show All, follow, the layers and the map finder, at the right edge. */
export function Controls({ controller, section = '', layers, onReport }: ControlsProps) {
  const findMe = useMapState(controller, state => state.findMe);
  const finderOpen = useMapState(controller, state => state.finderOpen);
  const following = useMapState(controller, state => state.following);
  // Asked here, not by what they switch off: the toolbar's stop of the Tab key then goes on to another control.
  const selected = useMapState(controller, state => state.selected);
  const pinned = useMapState(controller, state => state.pinned);
  const hasLittleRoom = useMedia(LITTLE_ROOM);
  // What is looked at next must not lie under what was opened before.
  const here = `${section} ${selected}`;
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === here;
  const [layersAt, setLayersAt] = useState<string | null>(null);
  const hasLayers = layersAt === section && (isOpen || !hasLittleRoom);
  const closeLayers = () => setLayersAt(null);
  const toolbar = useToolbar();
  const whole = useRef<HTMLDivElement>(null);
  const layersButton = layers && (
    <Control label="Layers" opened={hasLayers} onPress={() => setLayersAt(hasLayers ? null : section)}>
      <Layers />
    </Control>
  );
  const follow = (
    <Control
      label="Follow asset"
      pressed={following}
      disabled={selected === null}
      onPress={() => controller.follow(!following)}
    >
      <Navigation />
    </Control>
  );
  const showAll = (
    <Control label="Show All" onPress={() => controller.showAll()}>
      <Maximize />
    </Control>
  );
  const bar = (
    <div {...toolbar} role="toolbar" className={styles.bar} aria-label="Map" aria-orientation="vertical" data-over-map>
      {onReport && (
        <div className={cx(styles.float, styles.group)}>
          <Control label="Report a hazard" onPress={onReport}>
            <TriangleAlert />
          </Control>
        </div>
      )}
      <div className={cx(styles.float, styles.group)}>
        <Control
          label="Show your location"
          pressed={findMe === 'on'}
          disabled={findMe === 'asking'}
          onPress={() => controller.findMe()}
        >
          <Locate />
        </Control>
        <Control label="Search the map" pressed={finderOpen} onPress={() => controller.toggleFinder()}>
          <Search />
        </Control>
        {hasLittleRoom && showAll}
        {hasLittleRoom && (
          <More isOn={following || pinned.length > 0} isOpen={isOpen} onPress={() => setOpenAt(isOpen ? null : here)} />
        )}
      </div>
      {(isOpen || !hasLittleRoom) && <Zoom controller={controller} />}
      {!hasLittleRoom && (
        <div className={cx(styles.float, styles.group)}>
          {showAll}
          {layersButton}
          {follow}
        </div>
      )}
      {(isOpen || !hasLittleRoom) && (
        <Views controller={controller} pinned={pinned}>
          {hasLittleRoom && layersButton}
          {hasLittleRoom && follow}
        </Views>
      )}
    </div>
  );
  return (
    <div className={styles.controls} ref={whole}>
      {bar}
      {layers && hasLayers && (
        <LayersPanel whole={whole} onClose={closeLayers}>
          {layers}
        </LayersPanel>
      )}
    </div>
  );
}

/** Fingers zoom by themselves: on a phone these stand with what is needed now and then. */
const Zoom = ({ controller }: { controller: MapController }) => (
  <div className={cx(styles.float, styles.group)}>
    <Control label="Zoom in" onPress={() => controller.zoomIn()}>
      <Plus />
    </Control>
    <Control label="Zoom out" onPress={() => controller.zoomOut()}>
      <Minus />
    </Control>
  </div>
);

interface LayersPanelProps {
  /** the controls with it: a press elsewhere closes it */
  whole: RefObject<HTMLDivElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The switches beside their control; Esc or a press elsewhere closes them. */
function LayersPanel({ whole, onClose, children }: LayersPanelProps) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = whole.current;
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element?.contains(event.target)) close.current();
    };
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      element?.querySelector<HTMLElement>('[aria-label="Layers"][aria-expanded]')?.focus();
      close.current();
    };
    document.addEventListener('pointerdown', outside, true);
    element?.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('pointerdown', outside, true);
      element?.removeEventListener('keydown', leave);
    };
  }, [whole]);
  return (
    <section className={cx(styles.float, styles.layers)} aria-label="Layers" data-over-map>
      {children}
    </section>
  );
}

/** What is needed now and then, behind one control; it shows when something of it is on. */
function More({ isOn, isOpen, onPress }: { isOn: boolean; isOpen: boolean; onPress: () => void }) {
  const { stationView, densityView } = useStore(preferences);
  return (
    <Control label="More map controls" opened={isOpen} marked={isOn || stationView || densityView} onPress={onPress}>
      <Ellipsis />
    </Control>
  );
}

interface ViewsProps {
  controller: MapController;
  pinned: readonly string[];
  children: ReactNode;
}

/** What changes how assets show: stations that stand for what is at them, density, and cards that were pinned. */
function Views({ controller, pinned, children }: ViewsProps) {
  const mayStations = useCan('VIEW_AREAS');
  const mayDense = useCan('VIEW_HEATMAP');
  const { stationView, densityView } = useStore(preferences);
  return (
    <div className={cx(styles.float, styles.group, styles.views)}>
      {children}
      {mayStations && (
        <Control label="Station View" pressed={stationView} onPress={() => setPreference('stationView', !stationView)}>
          <House />
        </Control>
      )}
      {mayDense && (
        <Control label="Density View" pressed={densityView} onPress={() => setPreference('densityView', !densityView)}>
          <Flame />
        </Control>
      )}
      <Control
        label="Unpin all"
        disabled={pinned.length === 0}
        onPress={() => {
          for (const id of pinned) controller.pin(id, false);
        }}
      >
        <PinOff />
      </Control>
    </div>
  );
}

/** Roadmap, satellite, hybrid, in the bar at the top right; nothing where there is nothing to choose. */
export function MapTypeControl({ controller }: { controller: MapController }) {
  const types = useMapState(controller, state => state.types);
  const type = useMapState(controller, state => state.type);
  if (types.length < 2) return null;
  return (
    <Segmented
      label="Map type"
      value={type}
      onChange={id => controller.setType(id)}
      options={types.map(({ id, title }) => ({ id, label: title }))}
      float
    />
  );
}
