import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { asFailure, say } from '~/api';
import { EditForm, useDraft } from '~/office';
import { DrawerScreen } from '~/section/DrawerScreen';
import { formLook } from '~/section/formLook';
import { useGo } from '~/section/paths';
import { useOrganization } from '~/session';
import { toast } from '~/ui';
import { AreaFields } from './AreaForm';
import { type AreaDraft, areaSchema, newArea, writeOf } from './form';
import { detailPath, LIST_PATH } from './paths';
import { addArea } from './queries';
import { useOnStage } from './view';

/** The server's sentence stands at its field; under the buttons stands what requirements 8.area say. */
export const sayArea = (error: unknown): string => {
  const { fields } = asFailure(error);
  const [sentence] = Object.values(fields);
  return sentence ?? say('area.save', error);
};

/** Makes an area. */
export function AreaNew() {
  useOnStage();
  const go = useGo();
  const { id: organization_id, countryCode } = useOrganization();
  // Sent again after a lost answer it makes no second one.
  const [id] = useState(() => crypto.randomUUID());
  const draft = useDraft({
    schema: areaSchema,
    begun: newArea(countryCode),
    send: async (_, __, values) => {
      await addArea({ ...writeOf(values, values), id, organization_id });
      toast('Area added');
      go(detailPath(id), { replace: true });
    },
    say: sayArea,
  });
  const back = () => go(LIST_PATH);
  return (
    <DrawerScreen id={id} list={LIST_PATH} label="Add Area" back={{ label: 'Areas', to: LIST_PATH }} isForm keepsMap>
      <EditForm label="Add Area" submit="Add" draft={draft} cancel={back} look={formLook}>
        <AreaFields form={draft.form as unknown as UseFormReturn<AreaDraft>} id={id} />
      </EditForm>
    </DrawerScreen>
  );
}
