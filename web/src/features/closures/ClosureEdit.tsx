import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { texts } from '~/api';
import { useRow } from '~/live';
import type { Closure } from '~/model/closure';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useFullReach } from '~/section/reach';
import { BegunRow, type Now } from '~/section/shown';
import { authorOf } from '~/section/undo';
import { Button, EmptyState } from '~/ui';
import { ClosureFields } from './ClosureFields';
import { useFormContext } from './context';
import { CLOSURE_PARTS, type ClosureDraft, closureNow, closureSchema, formOf, sayClosure, writeOf } from './form';
import { detailPath, LIST_PATH } from './paths';
import { saveClosure, useShownClosure } from './queries';
import { toastSaved, withRoad } from './saving';
import { MANAGED_BY_FEED } from './words';

/** Edits a closure. */
export function ClosureEdit({ id }: { id: string }) {
  const go = useGo();
  const live = useRow('closure', id);
  const shown = useShownClosure(id);
  const to = detailPath(id);
  return (
    <DrawerScreen
      id={id}
      list={LIST_PATH}
      label="Edit Closure"
      back={{ label: live?.description ?? 'Closure', to }}
      isForm
      keepsMap
    >
      <BegunRow shown={shown} loading="Loading closure" back={{ label: 'Back', to }}>
        {(closure, now) => <ClosureForm closure={closure} now={now} onDone={() => go(to)} />}
      </BegunRow>
    </DrawerScreen>
  );
}

function ClosureForm({ closure, now, onDone }: { closure: Closure; now: Now<Closure>; onDone: () => void }) {
  const acts = useFullReach(closure.organizationId);
  const context = useFormContext();
  const [schema] = useState(() => closureSchema(context));
  const draft = useDraft({
    schema,
    begun: closure,
    read: row => formOf(row, context),
    together: CLOSURE_PARTS,
    send: async (changes, base, values) => {
      let version: number | undefined;
      if (Object.keys(changes).length > 0) {
        const whole = await withRoad(values);
        const saved = await saveClosure(closure.id, writeOf(changes, whole, context, base), base.version);
        if (saved.version !== base.version) version = saved.version;
      }
      toastSaved(closure.id, 'Closure saved', version);
      onDone();
    },
    say: sayClosure('closure.save'),
    noun: 'closure',
    theirs: closureNow,
    now,
    author: did => authorOf('closure', closure, did),
  });
  const back = <Button onPress={onDone}>Back</Button>;
  if (!closure.isManaged || closure.type === 'feed') return <EmptyState title={MANAGED_BY_FEED} action={back} />;
  if (!acts) return <EmptyState title={texts.chrome.forbidden} action={back} />;
  return (
    <EditForm label="Closure" draft={draft} cancel={onDone} look={formLook}>
      <ClosureFields
        form={draft.form as unknown as UseFormReturn<ClosureDraft>}
        id={closure.id}
        isWzdx={context.isWzdx}
        closure={closure}
      />
    </EditForm>
  );
}
