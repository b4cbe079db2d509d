import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { asFailure, type Schemas, say } from '~/api';
import { Bone, Button, Card, ErrorNotice, FormFoot, FormRow, Skeleton, TextField, toast } from '~/ui';
import { type Asset, type ConfigForm, configErrors, configFormOf, configOf, FIELD_OF_WIRE } from './asset';
import { configQuery, useAssetVerbs } from './queries';

/** What the asset's device fetches: pins, interval, file. */
export function DeviceCard({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(configQuery(asset.id));
  return (
    <Card title="Device configuration" hint="Takes effect with the device's next report.">
      {data ? (
        <Form key={data.version} asset={asset} config={data} />
      ) : error ? (
        <ErrorNotice onRetry={() => void refetch()}>{say('deviceConfig.load', error)}</ErrorNotice>
      ) : (
        <Skeleton>
          <Bone height={160} />
        </Skeleton>
      )}
    </Card>
  );
}

const labels: Readonly<Record<keyof ConfigForm, string>> = {
  model: 'Model',
  platform: 'Platform',
  fileName: 'File name',
  heartbeatInterval: 'Heartbeat interval (s)',
  warningLightPin: 'Warning Light Pin',
  indicatorPin: 'Indicator Pin',
  locationType: 'Location type',
};

function Form({ asset, config }: { asset: Asset; config: Schemas['DeviceConfig'] }) {
  const verbs = useAssetVerbs();
  const [form, setForm] = useState(configFormOf(config));
  const [told, setTold] = useState<Partial<Record<keyof ConfigForm, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const errors = configErrors(form);
    setTold(errors);
    setFailure(undefined);
    if (Object.keys(errors).length > 0) return;
    setPending(true);
    try {
      await verbs.configure(asset.id, configOf(form), config.version);
      toast('Device configuration saved');
    } catch (error) {
      const fields = Object.entries(asFailure(error).fields).flatMap(([name, sentence]) => {
        const field = FIELD_OF_WIRE[name];
        return field ? [[field, sentence] as const] : [];
      });
      setTold(Object.fromEntries(fields));
      setFailure(say('deviceConfig.update', error));
      setPending(false);
    }
  };
  const field = (name: keyof ConfigForm) => (
    <TextField
      label={labels[name]}
      name={name}
      isRequired
      value={form[name]}
      onChange={value => setForm({ ...form, [name]: value })}
      error={told[name]}
    />
  );
  return (
    <form onSubmit={event => void submit(event)} noValidate aria-label="Device configuration">
      <FormRow>
        {field('model')}
        {field('platform')}
      </FormRow>
      <FormRow>
        {field('fileName')}
        {field('locationType')}
      </FormRow>
      <FormRow three>
        {field('heartbeatInterval')}
        {field('warningLightPin')}
        {field('indicatorPin')}
      </FormRow>
      <FormFoot alert={failure && <ErrorNotice>{failure}</ErrorNotice>}>
        <Button variant="primary" type="submit" isPending={isPending}>
          Save configuration
        </Button>
      </FormFoot>
    </form>
  );
}
