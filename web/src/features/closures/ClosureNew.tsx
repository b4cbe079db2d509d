import { useState } from 'react';
import { NewForm, NewScreen, useNewId } from '~/section/NewScreen';
import { useAddressPlace } from '~/section/place';
import { useIsPhone } from '~/session';
import { toast } from '~/ui';
import { ClosureFields } from './ClosureFields';
import { ClosureQuick } from './ClosureQuick';
import { useFormContext } from './context';
import { type ClosureDraft, closureSchema, newClosure, routeText, sayClosure, writeOf } from './form';
import { CLOSURES } from './noun';
import { addOther, toastSaved, withRoad } from './saving';

/** Makes a closure; on a phone in a few taps, unless everything is to be said. */
export function ClosureNew() {
  const isPhone = useIsPhone();
  // On a phone a pin stands there, where the few taps begin.
  const place = useAddressPlace(isPhone);
  const [isFull, setFull] = useState(!isPhone);
  const [begun, setBegun] = useState(() => ({ ...newClosure(), ...(place && { user_route: routeText([place]) }) }));
  // The second is that of the other direction.
  const ids = [useNewId(), useNewId()] as const;
  const more = (draft: ClosureDraft) => {
    setBegun(draft);
    setFull(true);
  };
  return (
    <NewScreen noun={CLOSURES} id={ids[0]}>
      {isFull ? <Full begun={begun} ids={ids} /> : <ClosureQuick id={ids[0]} onMore={more} />}
    </NewScreen>
  );
}

function Full({ begun, ids }: { begun: ClosureDraft; ids: readonly [string, string] }) {
  const context = useFormContext();
  const [schema] = useState(() => closureSchema(context));
  const send = async (values: ClosureDraft, organization_id: string) => {
    const whole = await withRoad(values);
    const body = { ...writeOf(whole, whole, context), uuid: ids[0], organization_id };
    await CLOSURES.add(body);
    toastSaved(ids[0], 'Closure added');
    const missing = whole.both ? await addOther(body, ids[1]) : undefined;
    if (missing) toast(missing);
  };
  return (
    <NewForm noun={CLOSURES} id={ids[0]} schema={schema} begun={begun} send={send} say={sayClosure('closure.add')}>
      {form => <ClosureFields form={form} id={ids[0]} isWzdx={context.isWzdx} />}
    </NewForm>
  );
}
