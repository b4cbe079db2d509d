import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { say, texts } from '~/api';
import { assetLines } from '~/model/assetLines';
import { PathLink, RowPage, things, useAssignable, useGoTo } from '~/office';
import { useCan, useMay } from '~/session';
import { AskButton, Card, Cards, DescriptionList, factsOf, Mono, PageHead, Pill, Select, toast } from '~/ui';
import { type Asset, assetName, deviceName, typeName } from './asset';
import { DeviceCard } from './DeviceCard';
import { profilePath, ToAssets } from './parts';
import { useAssetMutations } from './queries';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** One asset: its facts, its device, and the ways it leaves. */
export function AssetRead({ id }: { id: string }) {
  const mayManage = useMay('MANAGE_THINGS');
  return (
    <RowPage query={useQuery(things.one(id))} back={<ToAssets />} title="Asset" operation="things.load">
      {asset => (
        <>
          <PageHead
            back={<ToAssets />}
            title={assetName(asset)}
            sentence={`${typeName(asset.thing_type_id)} · ${asset.organization.name}`}
            actions={<Actions asset={asset} mayManage={mayManage} />}
          />
          <Cards>
            <Card title="Asset" action={!asset.in_service && <Pill>Out-of-Service</Pill>}>
              <DescriptionList
                wide
                rows={[
                  ['System name', <Mono key="s">{asset.haas_id}</Mono>],
                  ['Type', typeName(asset.thing_type_id)],
                  ['Device', deviceName(asset.device_type)],
                  ...factsOf(assetLines, asset),
                  ['Owner', asset.organization.name],
                  ['Managers, accessors', relationsText(asset)],
                ]}
              />
            </Card>
            {asset.device_type !== 'api' && mayManage && <DeviceCard asset={asset} />}
          </Cards>
        </>
      )}
    </RowPage>
  );
}

const relationsText = (asset: Asset) =>
  asset.organization_relationships.map(one => `${one.organization_name} (${one.relationship_type})`).join(', ');

function Actions({ asset, mayManage }: { asset: Asset; mayManage: boolean }) {
  const mayEdit = useCan('EDIT_THING');
  return (
    <>
      {mayManage && <Delete asset={asset} />}
      {mayManage && <Transfer asset={asset} />}
      {mayEdit && (
        <PathLink path={profilePath(asset.id)} button={{ variant: 'primary' }}>
          Edit profile
        </PathLink>
      )}
    </>
  );
}

function Delete({ asset }: { asset: Asset }) {
  const mutations = useAssetMutations();
  const goTo = useGoTo();
  return (
    <AskButton
      label="Delete"
      button={{ icon: <Trash2 {...icon} /> }}
      title={`Delete ${assetName(asset)}?`}
      say={error => say('thing.delete', error)}
      run={() => mutations.remove(asset.id)}
      onDone={gone => {
        toast(gone ? say('thing.delete', gone) : `${assetName(asset)} is deleted`);
        void goTo({ tab: 'thing' });
      }}
    >
      <p>It disappears from every map and list immediately, and its API keys stop working. Its history is kept.</p>
    </AskButton>
  );
}

function Transfer({ asset }: { asset: Asset }) {
  const mutations = useAssetMutations();
  const goTo = useGoTo();
  const choices = useAssignable().filter(one => one.id !== asset.organization.id);
  const [to, setTo] = useState('');
  const name = choices.find(one => one.id === to)?.name ?? '';
  return (
    <AskButton
      label="Transfer"
      button={{ icon: <ArrowRightLeft {...icon} /> }}
      title={`Transfer ${assetName(asset)}`}
      say={error => (error instanceof Choose ? 'Choose an organization' : say('thing.transfer', error))}
      run={async () => {
        if (to === '') throw new Choose();
        await mutations.transfer(asset.id, to);
      }}
      onDone={() => {
        toast(`${assetName(asset)} now belongs to ${name}`);
        void goTo({ tab: 'thing' });
      }}
    >
      <p>
        From now on it reports for its new owner. Its history so far stays with {asset.organization.name}; its own API
        keys and the access of other organizations end.
      </p>
      <Select
        label="New owner"
        options={choices.map(one => ({ id: one.id, label: one.name }))}
        value={to || null}
        placeholder={choices.length === 0 ? texts.empty.options : 'Choose an organization'}
        isDisabled={choices.length === 0}
        onChange={setTo}
      />
    </AskButton>
  );
}

/** Nothing was chosen. */
class Choose extends Error {}
