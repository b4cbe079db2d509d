import { assetLines } from '~/model/assetLines';
import { Cancel, EditForm, Permitted, useDraft, useGoTo } from '~/office';
import { useMay, useOrganization } from '~/session';
import { FormRow, FormSection, OfficePage, PageHead, SelectLine, TextLines, toast } from '~/ui';
import { assetName, assetSchema, deviceOptions, nameLines, typeOptions } from './asset';
import { ToAssets } from './parts';
import { useAssetMutations } from './queries';

/** Registers one asset. */
export function AssetAdd() {
  return (
    <OfficePage narrow>
      <PageHead
        back={<ToAssets />}
        title="Register asset"
        sentence="It appears on the map when its device first reports with the system name below."
      />
      <Permitted may={useMay('MANAGE_THINGS')}>
        <Form />
      </Permitted>
    </OfficePage>
  );
}

const blank = {
  haas_id: '',
  nickname: '',
  thing_type_id: '',
  device_type: 'api',
  ...Object.fromEntries(Object.keys(assetLines).map(name => [name, ''])),
};

function Form() {
  const { id: organization_id } = useOrganization();
  const goTo = useGoTo();
  const mutations = useAssetMutations();
  const draft = useDraft({
    schema: assetSchema,
    begun: blank,
    // What was left empty is not sent.
    send: async (changes, _, { haas_id, thing_type_id, device_type }) => {
      const made = await mutations.register({ ...changes, organization_id, haas_id, thing_type_id, device_type });
      toast(`${assetName(made)} is registered`);
      await goTo({ tab: 'thing', id: made.id });
    },
    say: 'thing.create',
  });
  const { control } = draft;
  return (
    <EditForm label="Register asset" submit="Register asset" draft={draft} cancel={<Cancel tab="thing" />}>
      <FormSection title="Name" hint="The name the device reports with. It can't be changed later.">
        <TextLines control={control} lines={nameLines} autoFocus />
      </FormSection>
      <FormSection title="Type and device" hint="What it is and which device reports for it.">
        <FormRow>
          <SelectLine
            control={control}
            name="thing_type_id"
            label="Type"
            options={typeOptions}
            placeholder="Choose a type"
          />
          <SelectLine control={control} name="device_type" label="Device" options={deviceOptions} />
        </FormRow>
      </FormSection>
      <FormSection title="Identification" hint="Optional. Searchable everywhere.">
        <TextLines control={control} lines={assetLines} />
      </FormSection>
    </EditForm>
  );
}
