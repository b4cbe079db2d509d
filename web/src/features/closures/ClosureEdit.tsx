import { useState } from 'react';
import { useRow } from '~/live';
import type { Closure } from '~/model/closure';
import { EditScreen, RowForm } from '~/section/EditScreen';
import { useFullReach } from '~/section/reach';
import type { Now } from '~/section/shown';
import { Button, EmptyState } from '~/ui';
import { ClosureFields } from './ClosureFields';
import { useFormContext } from './context';
import { CLOSURE_PARTS, closureNow, closureSchema, formOf, sayClosure, writeOf } from './form';
import { CLOSURES } from './noun';
import { toastSaved, withRoad } from './saving';
import { MANAGED_BY_FEED } from './words';

/** Edits a closure. */
export function ClosureEdit({ id }: { id: string }) {
  const name = useRow('closure', id)?.description;
  return (
    <EditScreen noun={CLOSURES} id={id} name={name} shown={CLOSURES.useShown(id)}>
      {(closure, now, done) =>
        !closure.is_dashboard_managed || closure.closure_type === 'feed' ? (
          <EmptyState title={MANAGED_BY_FEED} action={<Button onPress={done}>Back</Button>} />
        ) : (
          <ClosureForm closure={closure} now={now} onDone={done} />
        )
      }
    </EditScreen>
  );
}

function ClosureForm({ closure, now, onDone }: { closure: Closure; now: Now<Closure>; onDone: () => void }) {
  const context = useFormContext();
  const [schema] = useState(() => closureSchema(context));
  return (
    <RowForm
      what="Closure"
      row={closure}
      now={now}
      schema={schema}
      read={row => formOf(row, context)}
      together={CLOSURE_PARTS}
      theirs={closureNow}
      save={async (changes, base, values) =>
        CLOSURES.save(closure.id, writeOf(changes, await withRoad(values), context, base), base.version)
      }
      undo="closure"
      toastSaved={version => toastSaved(closure.id, 'Closure saved', version)}
      say={sayClosure('closure.save')}
      mayEdit={useFullReach(closure.organization_id)}
      onDone={onDone}
    >
      {form => <ClosureFields form={form} id={closure.id} isWzdx={context.isWzdx} closure={closure} />}
    </RowForm>
  );
}
