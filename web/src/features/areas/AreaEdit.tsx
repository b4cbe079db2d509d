import type { UseFormReturn } from 'react-hook-form';
import { texts } from '~/api';
import { useRow } from '~/live';
import type { Area } from '~/model/area';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { BegunRow, type Now } from '~/section/shown';
import { authorOf, toastUndo } from '~/section/undo';
import { Button, EmptyState, toast } from '~/ui';
import { AreaFields } from './AreaForm';
import { sayArea } from './AreaNew';
import { useMayChange } from './access';
import { AREA_PARTS, type AreaDraft, areaNow, areaSchema, formOf, writeOf } from './form';
import { detailPath, LIST_PATH } from './paths';
import { saveArea, useShownArea } from './queries';
import { useOnStage } from './view';

/** Edits an area. */
export function AreaEdit({ id }: { id: string }) {
  useOnStage();
  const go = useGo();
  const live = useRow('area', id);
  const shown = useShownArea(id);
  const to = detailPath(id);
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Edit Area" back={{ label: live?.name ?? 'Area', to }} isForm keepsMap>
      <BegunRow shown={shown} loading="Loading area" back={{ label: 'Back', to }}>
        {(area, now) => <AreaForm area={area} now={now} onDone={() => go(to)} />}
      </BegunRow>
    </DrawerScreen>
  );
}

function AreaForm({ area, now, onDone }: { area: Area; now: Now<Area>; onDone: () => void }) {
  const may = useMayChange(area);
  const draft = useDraft({
    schema: areaSchema,
    begun: area,
    read: formOf,
    together: AREA_PARTS,
    send: async (changes, base, values) => {
      const saved =
        Object.keys(changes).length > 0 &&
        (await saveArea(area.id, writeOf(changes, values, base.address), base.version));
      if (saved && saved.version !== base.version) toastUndo('Area saved', 'area', saved);
      else toast('Area saved');
      onDone();
    },
    say: sayArea,
    noun: 'area',
    theirs: areaNow,
    now,
    author: did => authorOf('area', area, did),
  });
  if (!may.edit) return <EmptyState title={texts.chrome.forbidden} action={<Button onPress={onDone}>Back</Button>} />;
  return (
    <EditForm label="Area" draft={draft} cancel={onDone} look={formLook}>
      <AreaFields form={draft.form as unknown as UseFormReturn<AreaDraft>} id={area.id} />
    </EditForm>
  );
}
