import { EditRow, NewRow, type RowForms } from '~/section/rowForms';
import { formOf, newZone, writeOf, zoneNow, zoneSchema } from './form';
import { ZONES } from './noun';
import { ZoneFields } from './ZoneFields';

const FORMS: RowForms<'zone', (typeof zoneSchema)['shape']> = {
  noun: ZONES,
  nameOf: zone => zone.description,
  schema: zoneSchema,
  read: formOf,
  theirs: zoneNow,
  write: writeOf,
  Fields: ZoneFields,
};

/** Makes a zone. */
export const ZoneNew = () => <NewRow forms={FORMS} begin={newZone} />;

/** Edits a zone. */
export const ZoneEdit = ({ id }: { id: string }) => <EditRow forms={FORMS} id={id} />;
