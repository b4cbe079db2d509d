import { useIsLoaded } from '~/live';
import { countText, NONE } from '~/model/format';
import { type LayerId, preferences, setPreference, usePreference } from '~/session';
import { Switch } from '~/ui';
import type { SectionLayer } from './layer';
import styles from './layers.module.css';

/** The layers of the live sections, a switch each; what is chosen holds in this browser. */
export function LayerSwitches({ layers }: { layers: readonly SectionLayer[] }) {
  return (
    <>
      <h2 className={styles.title}>Layers</h2>
      {layers.map(layer => (
        <LayerSwitch key={layer.id} layer={layer} />
      ))}
    </>
  );
}

function LayerSwitch({ layer: { id, label, Mark, useCount } }: { layer: SectionLayer }) {
  const isOn = usePreference('layers').includes(id);
  const isLoaded = useIsLoaded();
  const count = useCount();
  return (
    <Switch atEnd isSelected={isOn} onChange={on => switchLayer(id, on)}>
      <span className={styles.layer}>
        <Mark />
        {label} <span className={`${styles.count} num`}>{isLoaded ? countText(count) : NONE}</span>
      </span>
    </Switch>
  );
}

function switchLayer(id: LayerId, on: boolean): void {
  const others = preferences.get().layers.filter(one => one !== id);
  setPreference('layers', on ? [...others, id] : others);
}
