import limits from '@catalog/limits.json';
import { ZoomIn } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useStore } from '~/lib/store';
import { useGo } from '~/section/paths';
import { mapHolder } from '~/section/view';
import { useCan, useIsPhone } from '~/session';
import { Button } from '~/ui';
import { useAddShown } from './access';
import { NEW_PATH } from './paths';

const ADD_ZOOM = limits.map.addZoom.value;
const never = () => () => undefined;

/** "+ Add", where the map is near enough to say where; until then the way there. */
export function AddArea() {
  const go = useGo();
  const isPhone = useIsPhone();
  const isShown = useAddShown();
  const mayAdd = useCan('ADD_AREA');
  const map = useStore(mapHolder);
  const isNear = useSyncExternalStore(map?.subscribe ?? never, () => (map?.getState().zoom ?? 0) >= ADD_ZOOM);
  if (isPhone || !isShown || !map) return null;
  const zoom = () => {
    const center = map.view()?.center;
    if (center) map.goTo(center, ADD_ZOOM);
  };
  return isNear ? (
    <Button size="small" variant="primary" isDisabled={!mayAdd} onPress={() => go(NEW_PATH)}>
      + Add
    </Button>
  ) : (
    <Button
      size="small"
      isDisabled={!mayAdd}
      icon={<ZoomIn size={14} strokeWidth={1.75} aria-hidden="true" />}
      onPress={zoom}
    >
      Zoom to Add
    </Button>
  );
}
