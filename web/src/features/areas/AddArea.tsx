import { AddOnMap } from '~/section/AddOnMap';
import { useCan } from '~/session';
import { useAddShown } from './access';
import { AREAS } from './noun';

/** "+ Add" for those who own areas. */
export function AddArea() {
  const isShown = useAddShown();
  const mayAdd = useCan('ADD_AREA');
  return isShown ? <AddOnMap to={AREAS.create} mayAdd={mayAdd} /> : null;
}
