import { useState } from 'react';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { sayField } from '~/section/noun';
import { toast } from '~/ui';
import { newZone, writeOf, zoneSchema } from './form';
import { ZONES } from './noun';
import { ZoneFields } from './ZoneFields';

/** Makes a zone. */
export function ZoneNew() {
  const id = useNewId();
  const [begun] = useState(newZone);
  return (
    <NewScreen noun={ZONES} id={id}>
      <NewForm
        noun={ZONES}
        id={id}
        schema={zoneSchema}
        begun={begun}
        send={async (values, organization_id) => {
          await ZONES.add({ ...writeOf(values), id, organization_id });
          toast('Zone added');
        }}
        say={sayField('zone.save')}
      >
        {form => <ZoneFields form={form} id={id} />}
      </NewForm>
    </NewScreen>
  );
}
