import { serverClock } from '~/lib/clock';
import { useRow } from '~/live';
import type { Hazard } from '~/model/hazard';
import { isHazardActive } from '~/model/hazardFilter';
import { EditScreen, RowForm } from '~/section/EditScreen';
import { sayField } from '~/section/noun';
import { useFullReach } from '~/section/reach';
import type { Now } from '~/section/shown';
import { useWords } from '~/section/words';
import { Button, EmptyState } from '~/ui';
import { formOf, hazardNow, hazardSchema, writeOf } from './form';
import { HazardFields } from './HazardFields';
import { HAZARDS } from './noun';
import { timeText, typeText } from './words';

/** Edits a hazard that was reported by hand. */
export function HazardEdit({ id }: { id: string }) {
  const live = useRow('hazard', id);
  return (
    <EditScreen noun={HAZARDS} id={id} name={live && typeText(live.type)} shown={HAZARDS.useShown(id)}>
      {(hazard, now, done) =>
        hazard.reported_by !== null && isHazardActive(hazard, serverClock.now()) ? (
          <HazardForm hazard={hazard} now={now} onDone={done} />
        ) : (
          <EmptyState title="This hazard can't be edited." action={<Button onPress={done}>Back</Button>}>
            {hazard.reported_by === null
              ? 'Only hazards that were reported by hand can be edited.'
              : 'It has ended. Only an active hazard can be edited.'}
          </EmptyState>
        )
      }
    </EditScreen>
  );
}

function HazardForm({ hazard, now, onDone }: { hazard: Hazard; now: Now<Hazard>; onDone: () => void }) {
  const words = useWords();
  return (
    <RowForm
      what="Hazard"
      row={hazard}
      now={now && !isHazardActive(now, serverClock.now()) ? null : now}
      gone="This hazard has ended."
      schema={hazardSchema}
      read={formOf}
      together={[['lat', 'lng']]}
      theirs={hazardNow}
      save={(changes, base) => HAZARDS.save(hazard.id, writeOf(changes, serverClock.now()), base.version)}
      say={sayField('hazard.save')}
      mayEdit={useFullReach(hazard.organization_id)}
      onDone={onDone}
    >
      {form => <HazardFields form={form} unsaid={`Until ${timeText(hazard.expires_at, words, serverClock.now())}`} />}
    </RowForm>
  );
}
