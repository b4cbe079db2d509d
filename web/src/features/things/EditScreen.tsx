import type { ReactNode } from 'react';
import { useThing } from '~/live';
import type { Thing } from '~/model/thing';
import { DrawerScreen } from '~/section/DrawerScreen';
import { useGo } from '~/section/paths';
import { BegunRow, type Now } from '~/section/shown';
import { detailPath, LIST_PATH } from './paths';
import { useShownThing } from './useShownThing';

/** A screen that edits a part of an asset; a save returns to its detail. */
export function EditScreen({
  id,
  label,
  children,
}: {
  id: string;
  label: string;
  children: (thing: Thing, now: Now<Thing>, onDone: () => void) => ReactNode;
}) {
  const go = useGo();
  const shown = useShownThing(id);
  const to = detailPath(id);
  const name = useThing(id)?.primaryDisplayName ?? 'Asset';
  return (
    <DrawerScreen id={id} list={LIST_PATH} label={label} back={{ label: name, to }} isForm>
      <BegunRow shown={shown} loading="Loading asset" back={{ label: 'Back', to }}>
        {(thing, now) => children(thing, now, () => go(to))}
      </BegunRow>
    </DrawerScreen>
  );
}
