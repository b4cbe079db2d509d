import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { sayField } from '~/section/noun';
import { useAddressPlace } from '~/section/place';
import { toast } from '~/ui';
import { type HazardDraft, hazardSchema, newHazard, usualText, writeOf } from './form';
import { HazardFields } from './HazardFields';
import { HAZARDS } from './noun';

/** Reports a hazard by hand. */
export function HazardNew() {
  const said = useAddressPlace();
  const id = useNewId();
  const [begun] = useState(() => newHazard(said));
  return (
    <NewScreen noun={HAZARDS} id={id}>
      <NewForm
        noun={HAZARDS}
        id={id}
        schema={hazardSchema}
        begun={begun}
        send={async (values, organization_id) => {
          await HAZARDS.add({ ...writeOf(values, serverClock.now()), uuid: id, organization_id });
          toast('Hazard added');
        }}
        say={sayField('hazard.add')}
      >
        {form => <Fields form={form} />}
      </NewForm>
    </NewScreen>
  );
}

function Fields({ form }: { form: UseFormReturn<HazardDraft> }) {
  const type = useWatch({ control: form.control, name: 'type' });
  return <HazardFields form={form} unsaid={type ? `As usual, ${usualText(type)}` : 'As usual for its type'} />;
}
