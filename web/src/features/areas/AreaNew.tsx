import { useState } from 'react';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { sayField } from '~/section/noun';
import { useOrganization } from '~/session';
import { toast } from '~/ui';
import { AreaFields } from './AreaForm';
import { areaSchema, newArea, writeOf } from './form';
import { AREAS } from './noun';
import { useOnStage } from './view';

/** Makes an area. */
export function AreaNew() {
  useOnStage();
  const id = useNewId();
  const { countryCode } = useOrganization();
  const [begun] = useState(() => newArea(countryCode));
  return (
    <NewScreen noun={AREAS} id={id}>
      <NewForm
        noun={AREAS}
        id={id}
        schema={areaSchema}
        begun={begun}
        send={async (values, organization_id) => {
          await AREAS.add({ ...writeOf(values, values), id, organization_id });
          toast('Area added');
        }}
        say={sayField('area.save')}
      >
        {form => <AreaFields form={form} id={id} />}
      </NewForm>
    </NewScreen>
  );
}
