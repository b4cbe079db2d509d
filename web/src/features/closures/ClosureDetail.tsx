import { DrawerScreen, Heading } from '~/section/DrawerScreen';
import { RowBones, ShownRow } from '~/section/shown';
import { useMapInSight } from '~/ui';
import { LIST_PATH } from './paths';
import { useShownClosure } from './queries';

/** The detail of one closure. */
export function ClosureDetail({ id }: { id: string }) {
  const shown = useShownClosure(id);
  useMapInSight();
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Closure" back={{ label: 'Closures', to: LIST_PATH }}>
      <ShownRow
        shown={shown}
        bones={<RowBones label="Loading closure" />}
        back={{ label: 'Back to Closures', to: LIST_PATH }}
        missing="It may have been deleted, or your organization doesn't have access to it."
      >
        {closure => <Heading>{closure.description}</Heading>}
      </ShownRow>
    </DrawerScreen>
  );
}
