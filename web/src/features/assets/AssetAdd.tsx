import limits from '@catalog/limits.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { Link, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { asFailure, type PerField, say, texts } from '~/api';
import { managerPath } from '~/model/manager';
import { useOrganization } from '~/session';
import {
  buttonClass,
  EditForm,
  EmptyState,
  FormRow,
  FormSection,
  OfficeSheet,
  PageHead,
  SelectLine,
  TextLine,
  toast,
  useSaving,
} from '~/ui';
import { deviceOptions, typeOptions } from './asset';
import { ToAssets, useMayManage } from './parts';
import { type NewAsset, useAssetVerbs } from './queries';

const short = (max: number) =>
  z.string().check(
    z.trim(),
    z.refine(text => [...text].length <= max, `Must be ${max} or fewer characters`),
  );
const required = z.minLength(1, texts.validation.required);
const NICKNAME = limits.text.nickname.value;

const schema = z.object({
  systemName: short(NICKNAME).check(required),
  nickname: short(NICKNAME),
  typeId: z.string().check(required),
  deviceType: z.string(),
  vin: short(limits.text.vehicleId.value).check(
    z.refine(text => /^[A-Za-z0-9]*$/.test(text), 'Please only use numbers or letters'),
  ),
  plate: short(limits.text.plate.value),
  registry: short(limits.text.registry.value),
});
type Form = z.infer<typeof schema>;

const FIELDS: Readonly<Record<string, keyof Form>> = {
  haas_id: 'systemName',
  nickname: 'nickname',
  thing_type_id: 'typeId',
  device_type: 'deviceType',
  vin_number: 'vin',
  license_plate_number: 'plate',
  registry_number: 'registry',
} satisfies PerField<NewAsset, keyof Form>;

const blank: Form = { systemName: '', nickname: '', typeId: '', deviceType: 'api', vin: '', plate: '', registry: '' };

/** Registers one asset. */
export function AssetAdd() {
  return (
    <OfficeSheet narrow>
      <PageHead
        back={<ToAssets />}
        title="Register asset"
        sentence="It appears on the map when its device first reports with the system name below."
      />
      {useMayManage() ? <AddForm /> : <EmptyState title={texts.chrome.forbidden} />}
    </OfficeSheet>
  );
}

function AddForm() {
  const { id: organizationId } = useOrganization();
  const navigate = useNavigate();
  const verbs = useAssetVerbs();
  const form = useForm<Form>({ defaultValues: blank, resolver: zodResolver(schema), mode: 'onTouched' });
  const saving = useSaving(form, blank, {
    send: async values => {
      const made = await verbs.register({
        organization_id: organizationId,
        haas_id: values.systemName,
        thing_type_id: values.typeId,
        device_type: values.deviceType,
        ...(values.nickname && { nickname: values.nickname }),
        ...(values.vin && { vin_number: values.vin }),
        ...(values.plate && { license_plate_number: values.plate }),
        ...(values.registry && { registry_number: values.registry }),
      });
      toast(`${made.name} is registered`);
      await navigate({ href: managerPath('thing', { view: 'formRead', target: made.id }) });
    },
    trouble: error => {
      const fields: Record<string, string> = {};
      for (const [name, sentence] of Object.entries(asFailure(error).fields))
        if (FIELDS[name]) fields[FIELDS[name]] = sentence;
      return { text: say('thing.create', error), fields };
    },
    formOf: row => row,
  });
  const { control } = form;
  return (
    <EditForm
      label="Register asset"
      submit="Register asset"
      saving={saving}
      cancel={
        <Link to={managerPath('thing') as '/'} className={buttonClass({})}>
          Cancel
        </Link>
      }
    >
      <FormSection title="Name" hint="The name the device reports with. It can't be changed later.">
        <FormRow>
          <TextLine control={control} name="systemName" label="System name" isRequired autoFocus />
          <TextLine control={control} name="nickname" label="Nickname" />
        </FormRow>
      </FormSection>
      <FormSection title="Type and device" hint="What it is and which device reports for it.">
        <FormRow>
          <SelectLine control={control} name="typeId" label="Type" options={typeOptions} placeholder="Choose a type" />
          <SelectLine control={control} name="deviceType" label="Device" options={deviceOptions} />
        </FormRow>
      </FormSection>
      <FormSection title="Identification" hint="Optional. Searchable everywhere.">
        <TextLine control={control} name="vin" label="VIN" />
        <FormRow>
          <TextLine control={control} name="plate" label="Plate#" />
          <TextLine control={control} name="registry" label="Vehicle Id" />
        </FormRow>
      </FormSection>
    </EditForm>
  );
}
