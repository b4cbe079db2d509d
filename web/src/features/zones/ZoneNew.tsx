import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useOrganization } from '~/session';
import { toast } from '~/ui';
import { newZone, writeOf, type ZoneDraft, zoneSchema } from './form';
import { detailPath, LIST_PATH } from './paths';
import { addZone } from './queries';
import { sayZone, ZoneFields } from './ZoneFields';

/** Makes a zone. */
export function ZoneNew() {
  const go = useGo();
  const { id: organization_id } = useOrganization();
  // Sent again after a lost answer it makes no second one.
  const [id] = useState(() => crypto.randomUUID());
  const [begun] = useState(newZone);
  const draft = useDraft({
    schema: zoneSchema,
    begun,
    send: async (_, __, values) => {
      await addZone({ ...writeOf(values), id, organization_id });
      toast('Zone added');
      go(detailPath(id), { replace: true });
    },
    say: sayZone,
  });
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Add Zone" back={{ label: 'Zones', to: LIST_PATH }} isForm keepsMap>
      <EditForm label="Add Zone" submit="Add" draft={draft} cancel={() => go(LIST_PATH)} look={formLook}>
        <ZoneFields form={draft.form as unknown as UseFormReturn<ZoneDraft>} id={id} />
      </EditForm>
    </DrawerScreen>
  );
}
