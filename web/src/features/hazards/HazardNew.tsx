import limits from '@catalog/limits.json';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { placeOf } from '~/section/address';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { mapHolder } from '~/section/view';
import { toast } from '~/ui';
import { type HazardDraft, hazardSchema, newHazard, usualText, writeOf } from './form';
import { HazardFields, sayHazard } from './HazardFields';
import { HAZARDS } from './noun';

const ADD_ZOOM = limits.map.addZoom.value;

/** Where it begins: the place that the address says, brought near, or the middle of what is seen. */
function usePlace() {
  const { at } = useSearch({ strict: false }) as { at?: unknown };
  const [said] = useState(() => placeOf(at));
  const map = useStore(mapHolder);
  useEffect(() => {
    if (map && said) map.goTo(said, Math.max(ADD_ZOOM, map.getState().zoom));
  }, [map, said]);
  const [begun] = useState(() => said ?? map?.view()?.middle ?? null);
  return begun;
}

/** Reports a hazard by hand. */
export function HazardNew() {
  const place = usePlace();
  const id = useNewId();
  const [begun] = useState(() => newHazard(place));
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
        say={sayHazard('hazard.add')}
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
