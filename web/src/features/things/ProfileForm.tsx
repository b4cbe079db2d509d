import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import { assetLines } from '~/model/assetLines';
import type { Thing } from '~/model/thing';
import { subtypesFor, subtypeText } from '~/model/thingType';
import { EditForm, useDraft } from '~/office';
import styles from '~/section/form.module.css';
import { formLook } from '~/section/formLook';
import type { Now } from '~/section/shown';
import { SelectLine, SwitchLine, TextLines, toast } from '~/ui';
import { formOf, profileLines, type ThingForm, thingNow, thingSchema, updateOf } from './form';
import { IntegrationFields } from './IntegrationFields';
import { saveThing, useThingSubtypes, useThingTypes } from './queries';

/** The profile of an asset as a form (requirements 5.asset). */
export function ProfileForm({ thing, now, onDone }: { thing: Thing; now: Now<Thing>; onDone: () => void }) {
  const draft = useDraft({
    schema: thingSchema,
    begun: thing,
    read: formOf,
    together: [['thing_type_id', 'thing_subtype_id']],
    send: async (_, base, values) => {
      await saveThing(thing.id, updateOf(base, values), base.version);
      toast('Asset saved');
      onDone();
    },
    say: 'thing.update',
    noun: 'asset',
    theirs: thingNow,
    now,
  });
  const { control } = draft;
  return (
    <EditForm label="Profile" draft={draft} cancel={onDone} look={formLook}>
      <TextLines control={control} lines={profileLines} single />
      <TypeFields form={draft.form} />
      <TextLines control={control} lines={assetLines} single />
      <IntegrationFields control={control} />
      <SwitchLine control={control} name="in_service" label="In service" />
      <SwitchLine control={control} name="is_publicly_alerting" label="Publicly reporting" />
    </EditForm>
  );
}

function TypeFields({ form }: { form: UseFormReturn<ThingForm> }) {
  const control: Control<ThingForm> = form.control;
  const types = useThingTypes() ?? [];
  const subtypes = useThingSubtypes() ?? [];
  const typeId = useWatch({ control, name: 'thing_type_id' });
  const offered = subtypesFor(typeId, subtypes, types);
  return (
    <div className={styles.two}>
      <SelectLine
        control={control}
        name="thing_type_id"
        label="Type"
        options={types.map(({ id, displayName }) => ({ id, label: displayName }))}
        placeholder="Choose a type"
        onChosen={() => form.setValue('thing_subtype_id', '', { shouldDirty: true })}
      />
      <SelectLine
        control={control}
        name="thing_subtype_id"
        label="Subtype"
        options={offered.map(one => ({ id: one.id, label: subtypeText(one, typeId, types) }))}
        none="None"
        isDisabled={offered.length === 0}
      />
    </div>
  );
}
