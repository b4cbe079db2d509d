import type { UseFormReturn } from 'react-hook-form';
import { texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { useRow } from '~/live';
import type { Hazard } from '~/model/hazard';
import { isHazardActive } from '~/model/hazardFilter';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useFullReach } from '~/section/reach';
import { BegunRow, type Now } from '~/section/shown';
import { useWords } from '~/section/words';
import { Button, EmptyState, toast } from '~/ui';
import { formOf, type HazardDraft, hazardNow, hazardSchema, writeOf } from './form';
import { HazardFields, sayHazard } from './HazardFields';
import { detailPath, LIST_PATH } from './paths';
import { saveHazard, useShownHazard } from './queries';
import { timeText, typeText } from './words';

/** Edits a hazard that was reported by hand. */
export function HazardEdit({ id }: { id: string }) {
  const go = useGo();
  const live = useRow('hazard', id);
  const shown = useShownHazard(id);
  const to = detailPath(id);
  const back = () => go(to);
  return (
    <DrawerScreen
      id={id}
      list={LIST_PATH}
      label="Edit Hazard"
      back={{ label: live ? typeText(live.type) : 'Hazard', to }}
      isForm
      keepsMap
    >
      <BegunRow shown={shown} loading="Loading hazard" back={{ label: 'Back', to }}>
        {(hazard, now) =>
          hazard.reportedBy !== null && isHazardActive(hazard, serverClock.now()) ? (
            <HazardForm hazard={hazard} now={now} onDone={back} />
          ) : (
            <EmptyState title="This hazard can't be edited." action={<Button onPress={back}>Back</Button>}>
              {hazard.reportedBy === null
                ? 'Only hazards that were reported by hand can be edited.'
                : 'It has ended. Only an active hazard can be edited.'}
            </EmptyState>
          )
        }
      </BegunRow>
    </DrawerScreen>
  );
}

function HazardForm({ hazard, now, onDone }: { hazard: Hazard; now: Now<Hazard>; onDone: () => void }) {
  const acts = useFullReach(hazard.organizationId);
  const words = useWords();
  const draft = useDraft({
    schema: hazardSchema,
    begun: hazard,
    read: formOf,
    together: [['lat', 'lng']],
    send: async (changes, base) => {
      if (Object.keys(changes).length > 0) {
        await saveHazard(hazard.id, writeOf(changes, serverClock.now()), base.version);
      }
      toast('Hazard saved');
      onDone();
    },
    say: sayHazard('hazard.save'),
    noun: 'hazard',
    theirs: hazardNow,
    now: now && !isHazardActive(now, serverClock.now()) ? null : now,
    gone: 'This hazard has ended.',
  });
  if (!acts) return <EmptyState title={texts.chrome.forbidden} action={<Button onPress={onDone}>Back</Button>} />;
  return (
    <EditForm label="Hazard" draft={draft} cancel={onDone} look={formLook}>
      <HazardFields
        form={draft.form as unknown as UseFormReturn<HazardDraft>}
        unsaid={`Until ${timeText(hazard.expiresAt, words, serverClock.now())}`}
      />
    </EditForm>
  );
}
