import { EditRow, NewRow, type RowForms } from '~/section/rowForms';
import { useOrganization } from '~/session';
import { AreaFields } from './AreaForm';
import { useMayChange } from './access';
import { AREA_PARTS, areaNow, areaSchema, formOf, newArea, writeOf } from './form';
import { AREAS } from './noun';
import { useOnStage } from './view';

const FORMS: RowForms<'area', (typeof areaSchema)['shape']> = {
  noun: AREAS,
  nameOf: area => area.name,
  schema: areaSchema,
  read: formOf,
  together: AREA_PARTS,
  theirs: areaNow,
  write: (changes, values, was) => writeOf(changes, values, was?.address),
  operation: 'area.save',
  useMayEdit: area => useMayChange(area).edit,
  Fields: AreaFields,
};

/** Makes an area. */
export function AreaNew() {
  useOnStage();
  const { countryCode } = useOrganization();
  return <NewRow forms={FORMS} begin={() => newArea(countryCode)} />;
}

/** Edits an area. */
export function AreaEdit({ id }: { id: string }) {
  useOnStage();
  return <EditRow forms={FORMS} id={id} />;
}
