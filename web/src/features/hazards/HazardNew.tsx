import limits from '@catalog/limits.json';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { useStore } from '~/lib/store';
import { EditForm, useDraft } from '~/office';
import { placeOf } from '~/section/address';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { mapHolder } from '~/section/view';
import { useOrganization } from '~/session';
import { toast } from '~/ui';
import { type HazardDraft, hazardSchema, newHazard, usualText, writeOf } from './form';
import { HazardFields, sayHazard } from './HazardFields';
import { detailPath, LIST_PATH } from './paths';
import { addHazard } from './queries';

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
  const go = useGo();
  const place = usePlace();
  const { id: organization_id } = useOrganization();
  // Sent again after a lost answer it makes no second one.
  const [id] = useState(() => crypto.randomUUID());
  const [begun] = useState(() => newHazard(place));
  const draft = useDraft({
    schema: hazardSchema,
    begun,
    send: async (_, __, values) => {
      await addHazard({ ...writeOf(values, serverClock.now()), uuid: id, organization_id });
      toast('Hazard added');
      go(detailPath(id), { replace: true });
    },
    say: sayHazard('hazard.add'),
  });
  const form = draft.form as unknown as UseFormReturn<HazardDraft>;
  const type = useWatch({ control: form.control, name: 'type' });
  return (
    <DrawerScreen
      id={id}
      list={LIST_PATH}
      label="Add Hazard"
      back={{ label: 'Hazards', to: LIST_PATH }}
      isForm
      keepsMap
    >
      <EditForm label="Add Hazard" submit="Add" draft={draft} cancel={() => go(LIST_PATH)} look={formLook}>
        <HazardFields form={form} unsaid={type ? `As usual, ${usualText(type)}` : 'As usual for its type'} />
      </EditForm>
    </DrawerScreen>
  );
}
