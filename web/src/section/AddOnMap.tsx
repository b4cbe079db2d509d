import limits from '@catalog/limits.json';
import { useSyncExternalStore } from 'react';
import { useStore } from '~/lib/store';
import { useIsPhone } from '~/session';
import { Button } from '~/ui';
import look from './list.module.css';
import { useGo } from './paths';
import { mapHolder } from './view';

const ADD_ZOOM = limits.map.addZoom.value;
const never = () => () => undefined;

/** "+ Add", where the map is near enough to say where; until then the way there. Without `onPhone` it needs the room of a desk. */
export function AddOnMap({ to, mayAdd = true, onPhone }: { to: string; mayAdd?: boolean; onPhone?: boolean }) {
  const go = useGo();
  const isPhone = useIsPhone();
  const map = useStore(mapHolder);
  const hasMap = useSyncExternalStore(map?.subscribe ?? never, () => map?.getState().phase !== 'unsupported');
  const isNear = useSyncExternalStore(map?.subscribe ?? never, () => (map?.getState().zoom ?? 0) >= ADD_ZOOM);
  if ((isPhone && !onPhone) || !map || !hasMap) return null;
  const zoom = () => {
    const middle = map.view()?.middle;
    if (middle) map.goTo(middle, ADD_ZOOM);
  };
  return isNear ? (
    <Button className={look.add} size="small" variant="primary" isDisabled={!mayAdd} onPress={() => go(to)}>
      + Add
    </Button>
  ) : (
    <Button className={look.add} size="small" isDisabled={!mayAdd} onPress={zoom}>
      Zoom to Add
    </Button>
  );
}
