import { AddOnMap } from '~/section/AddOnMap';
import { useCan } from '~/session';
import { useAddShown } from './access';
import { NEW_PATH } from './paths';

/** "+ Add" for those who own areas. */
export function AddArea() {
  const isShown = useAddShown();
  const mayAdd = useCan('ADD_AREA');
  return isShown ? <AddOnMap to={NEW_PATH} mayAdd={mayAdd} /> : null;
}
