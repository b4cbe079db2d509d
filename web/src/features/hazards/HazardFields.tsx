import type { UseFormReturn } from 'react-hook-form';
import formStyles from '~/section/form.module.css';
import { PlaceFields } from '~/section/PlaceFields';
import { FormTextField, SelectLine } from '~/ui';
import { DESCRIPTION_MAX, type HazardDraft, LASTS } from './form';
import { HAZARD_TYPES } from './words';

/** What is filled in of a hazard, new or not; `unsaid`: how long it lasts where nobody says. */
export function HazardFields({ form, unsaid }: { form: UseFormReturn<HazardDraft>; unsaid: string }) {
  const { control } = form;
  return (
    <>
      <SelectLine control={control} name="type" label="Type" placeholder="Choose a type" options={HAZARD_TYPES} />
      <p className={formStyles.lead}>Drag the marker on the map, or type its coordinates.</p>
      <PlaceFields form={form} label="Hazard" />
      <FormTextField control={control} name="description" label="Description" max={DESCRIPTION_MAX} />
      <SelectLine control={control} name="expires_at" label="Lasts" none={unsaid} options={LASTS} />
    </>
  );
}
