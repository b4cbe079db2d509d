import limits from '@catalog/limits.json';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useStore } from '~/lib/store';
import { EditForm, useDraft } from '~/office';
import { placeOf } from '~/section/address';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { mapHolder } from '~/section/view';
import { useIsPhone, useOrganization } from '~/session';
import { toast } from '~/ui';
import { ClosureFields } from './ClosureFields';
import { ClosureQuick } from './ClosureQuick';
import { useFormContext } from './context';
import { type ClosureDraft, closureSchema, newClosure, routeText, sayClosure, writeOf } from './form';
import { detailPath, LIST_PATH } from './paths';
import { addClosure } from './queries';
import { addOther, toastSaved, withRoad } from './saving';

const ADD_ZOOM = limits.map.addZoom.value;

/** The place where the address says that it begins, brought near; on a phone a pin stands there, where the few taps begin. */
function usePlace(isPhone: boolean) {
  const { at } = useSearch({ strict: false }) as { at?: unknown };
  const [place] = useState(() => placeOf(at));
  const map = useStore(mapHolder);
  useEffect(() => {
    if (!map || !place) return;
    map.goTo(place, Math.max(ADD_ZOOM, map.getState().zoom));
    if (isPhone) map.pinPlace(place);
  }, [map, place, isPhone]);
  return place;
}

/** Makes a closure; on a phone in a few taps, unless everything is to be said. */
export function ClosureNew() {
  const isPhone = useIsPhone();
  const place = usePlace(isPhone);
  const [isFull, setFull] = useState(!isPhone);
  const [begun, setBegun] = useState(() => ({ ...newClosure(), ...(place && { user_route: routeText([place]) }) }));
  // Sent again after a lost answer it makes no second one.
  const [ids] = useState(() => [crypto.randomUUID(), crypto.randomUUID()] as const);
  const more = (draft: ClosureDraft) => {
    setBegun(draft);
    setFull(true);
  };
  return (
    <DrawerScreen
      id={ids[0]}
      list={LIST_PATH}
      label="Add Closure"
      back={{ label: 'Closures', to: LIST_PATH }}
      isForm
      keepsMap
    >
      {isFull ? <Full begun={begun} ids={ids} /> : <ClosureQuick id={ids[0]} onMore={more} />}
    </DrawerScreen>
  );
}

function Full({ begun, ids }: { begun: ClosureDraft; ids: readonly [string, string] }) {
  const go = useGo();
  const context = useFormContext();
  const { id: organization_id } = useOrganization();
  const [schema] = useState(() => closureSchema(context));
  const draft = useDraft({
    schema,
    begun,
    send: async (_, __, values) => {
      const whole = await withRoad(values);
      const body = { ...writeOf(whole, whole, context), uuid: ids[0], organization_id };
      await addClosure(body);
      toastSaved(ids[0], 'Closure added');
      const missing = whole.both ? await addOther(body, ids[1]) : undefined;
      if (missing) toast(missing);
      go(detailPath(ids[0]), { replace: true });
    },
    say: sayClosure('closure.add'),
  });
  return (
    <EditForm label="Add Closure" submit="Add" draft={draft} cancel={() => go(LIST_PATH)} look={formLook}>
      <ClosureFields form={draft.form as unknown as UseFormReturn<ClosureDraft>} id={ids[0]} isWzdx={context.isWzdx} />
    </EditForm>
  );
}
