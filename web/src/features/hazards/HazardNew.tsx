import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { sayField } from '~/section/noun';
import { useSaidPlace } from '~/section/place';
import { mapHolder } from '~/section/view';
import { toast } from '~/ui';
import { type HazardDraft, hazardSchema, newHazard, usualText, writeOf } from './form';
import { HazardFields } from './HazardFields';
import { HAZARDS } from './noun';

/** Reports a hazard by hand. */
export function HazardNew() {
  const said = useSaidPlace();
  const map = useStore(mapHolder);
  const id = useNewId();
  // Where nothing is said: the middle of what is seen.
  const [begun] = useState(() => newHazard(said ?? map?.view()?.middle ?? null));
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
