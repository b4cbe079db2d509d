import { type UseFormReturn, useWatch } from 'react-hook-form';
import { areaTypeOptions } from '~/model/area';
import { useCan } from '~/session';
import { FormTextField, SelectLine, SwitchLine } from '~/ui';
import { AreaAddress } from './AreaAddress';
import { AreaShape } from './AreaShape';
import { type AreaDraft, DESC_MAX, isUndrawn, NAME_MAX, shapeFor, typeById } from './form';

/** What is filled in of an area, new or not. */
export function AreaFields({ form, id }: { form: UseFormReturn<AreaDraft>; id: string }) {
  const { control } = form;
  const isPlatform = useCan('MANAGE_PLATFORM');
  const typeId = useWatch({ control, name: 'ez_type_id' });
  // Those for automated vehicles are the platform's.
  const types = areaTypeOptions().filter(({ id: one }) => isPlatform || one === typeId || !typeById(one)?.isAVType);
  const typeChosen = (chosen: string) => {
    if (isUndrawn(form.getValues())) form.setValue('shape', shapeFor(chosen), { shouldDirty: true });
    // A line fits some types and not others.
    else void form.trigger('area_geom');
  };
  return (
    <>
      <FormTextField control={control} name="name" label="Name" isRequired max={NAME_MAX} />
      <SelectLine control={control} name="ez_type_id" label="Type" options={types} onChosen={typeChosen} />
      <FormTextField control={control} name="desc" label="Description" max={DESC_MAX} />
      <AreaShape form={form} id={id} />
      <SwitchLine
        control={control}
        name="is_active"
        label="Active"
        hint="An inactive area stays on the map, dimmed. Assets aren't matched to it."
      />
      <AreaAddress form={form} />
    </>
  );
}
