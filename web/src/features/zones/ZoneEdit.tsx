import type { UseFormReturn } from 'react-hook-form';
import { texts } from '~/api';
import { useRow } from '~/live';
import type { Zone } from '~/model/zone';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useFullReach } from '~/section/reach';
import { BegunRow, type Now } from '~/section/shown';
import { authorOf, toastUndo } from '~/section/undo';
import { Button, EmptyState, toast } from '~/ui';
import { formOf, writeOf, type ZoneDraft, zoneNow, zoneSchema } from './form';
import { detailPath, LIST_PATH } from './paths';
import { saveZone, useShownZone } from './queries';
import { sayZone, ZoneFields } from './ZoneFields';

/** Edits a zone. */
export function ZoneEdit({ id }: { id: string }) {
  const go = useGo();
  const live = useRow('zone', id);
  const shown = useShownZone(id);
  const to = detailPath(id);
  return (
    <DrawerScreen
      id={id}
      list={LIST_PATH}
      label="Edit Zone"
      back={{ label: live?.description ?? 'Zone', to }}
      isForm
      keepsMap
    >
      <BegunRow shown={shown} loading="Loading zone" back={{ label: 'Back', to }}>
        {(zone, now) => <ZoneForm zone={zone} now={now} onDone={() => go(to)} />}
      </BegunRow>
    </DrawerScreen>
  );
}

function ZoneForm({ zone, now, onDone }: { zone: Zone; now: Now<Zone>; onDone: () => void }) {
  const acts = useFullReach(zone.organizationId);
  const draft = useDraft({
    schema: zoneSchema,
    begun: zone,
    read: formOf,
    send: async (changes, base) => {
      const saved = Object.keys(changes).length > 0 && (await saveZone(zone.id, writeOf(changes), base.version));
      if (saved && saved.version !== base.version) toastUndo('Zone saved', 'zone', saved);
      else toast('Zone saved');
      onDone();
    },
    say: sayZone,
    noun: 'zone',
    theirs: zoneNow,
    now,
    author: did => authorOf('zone', zone, did),
  });
  if (!acts) return <EmptyState title={texts.chrome.forbidden} action={<Button onPress={onDone}>Back</Button>} />;
  return (
    <EditForm label="Zone" draft={draft} cancel={onDone} look={formLook}>
      <ZoneFields form={draft.form as unknown as UseFormReturn<ZoneDraft>} id={zone.id} />
    </EditForm>
  );
}
