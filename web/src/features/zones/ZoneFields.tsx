import type { UseFormReturn } from 'react-hook-form';
import { FormTextField, SelectLine } from '~/ui';
import { ALERT_MAX, DESCRIPTION_MAX, EXPIRY_HINT, type ZoneDraft } from './form';
import { ZONE_TYPES } from './words';
import { ZoneShape } from './ZoneShape';

/** What is filled in of a zone, new or not. */
export function ZoneFields({ form, id }: { form: UseFormReturn<ZoneDraft>; id: string }) {
  const { control } = form;
  return (
    <>
      <FormTextField control={control} name="description" label="Description" isRequired max={DESCRIPTION_MAX} />
      <SelectLine control={control} name="alerting_zone_type_name" label="Type" options={ZONE_TYPES} />
      <ZoneShape form={form} id={id} />
      <FormTextField
        control={control}
        name="alert_message"
        label="Alert Message"
        max={ALERT_MAX}
        hint="Shown while the zone is active"
      />
      <FormTextField control={control} name="default_expiry" label="Stays Active" hint={EXPIRY_HINT} />
      <FormTextField control={control} name="external_id" label="Zone Id" hint="Your own ID for the zone" />
    </>
  );
}
