import { Flame, House, Locate, Maximize, Minus, Navigation, PinOff, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '~/lib/cx';
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
  disabled?: boolean;
}

function Control({ label, children, onPress, pressed, disabled }: ControlProps) {
  return (
    <button
      type="button"
      className={styles.control}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** Find-me, zoom, Show All, follow and the map finder, at the right edge. */
export function Controls({ controller }: { controller: MapController }) {
  const findMe = useMapState(controller, state => state.findMe);
  const following = useMapState(controller, state => state.following);
  const finderOpen = useMapState(controller, state => state.finderOpen);
  const selected = useMapState(controller, state => state.selected);
  const toolbar = useToolbar();
  return (
    <div
      {...toolbar}
      role="toolbar"
      className={styles.controls}
      aria-label="Map"
      aria-orientation="vertical"
      data-over-map
    >
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
      </div>
      <div className={cx(styles.float, styles.group)}>
        <Control label="Zoom in" onPress={() => controller.zoomIn()}>
          <Plus />
        </Control>
        <Control label="Zoom out" onPress={() => controller.zoomOut()}>
          <Minus />
        </Control>
      </div>
      <div className={cx(styles.float, styles.group)}>
        <Control label="Show All" onPress={() => controller.showAll()}>
          <Maximize />
        </Control>
        <Control
          label="Follow asset"
          pressed={following}
          disabled={selected === null}
          onPress={() => controller.follow(!following)}
        >
          <Navigation />
        </Control>
      </div>
      <Views controller={controller} />
    </div>
  );
}

/** What changes how assets show: stations that stand for what is at them, density, and cards that were pinned. */
function Views({ controller }: { controller: MapController }) {
  const mayStations = useCan('VIEW_AREAS');
  const mayDense = useCan('VIEW_HEATMAP');
  const { stationView, densityView } = useStore(preferences);
  const pinned = useMapState(controller, state => state.pinned);
  return (
    <div className={cx(styles.float, styles.group, styles.views)}>
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
