import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '~/api';
import { EditForm, Loaded, useDraft } from '~/office';
import { Card, TextLines, toast } from '~/ui';
import { type Asset, configLines, configOf, configSchema, readConfig } from './asset';
import { configQuery, useAssetMutations } from './queries';

/** What the asset's device fetches: pins, interval, file. */
export function DeviceCard({ asset }: { asset: Asset }) {
  return (
    <Card title="Device configuration" hint="Takes effect with the device's next report.">
      <Loaded query={useQuery(configQuery(asset.id))} operation="deviceConfig.load" height={160}>
        {config => <Form key={config.version} asset={asset} config={config} />}
      </Loaded>
    </Card>
  );
}

function Form({ asset, config }: { asset: Asset; config: Schemas['DeviceConfig'] }) {
  const mutations = useAssetMutations();
  const draft = useDraft({
    schema: configSchema,
    begun: config,
    read: readConfig,
    send: async (_, { version }, values) => {
      await mutations.configure(asset.id, configOf(values), version);
      toast('Device configuration saved');
    },
    say: 'deviceConfig.update',
    noun: 'configuration',
  });
  return (
    <EditForm label="Device configuration" submit="Save configuration" draft={draft}>
      <TextLines control={draft.control} lines={configLines} />
    </EditForm>
  );
}
