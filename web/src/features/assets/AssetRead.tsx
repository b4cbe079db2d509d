import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowRightLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { say, texts } from '~/api';
import { managerPath } from '~/model/manager';
import { useCan } from '~/session';
import {
  Bone,
  Button,
  buttonClass,
  Card,
  Cards,
  ConfirmAction,
  ErrorNotice,
  Facts,
  OfficeSheet,
  PageHead,
  Pill,
  Select,
  Skeleton,
  toast,
} from '~/ui';
import { type Asset, deviceName, isConfigurable, typeName } from './asset';
import { DeviceCard } from './DeviceCard';
import { ToAssets, useMayManage } from './parts';
import { assetQuery, useAssetVerbs, useAssignable } from './queries';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** One asset: its facts, its device, and the ways it leaves. */
export function AssetRead({ id }: { id: string }) {
  const { data: asset, error, refetch } = useQuery(assetQuery(id));
  const mayManage = useMayManage();
  if (!asset)
    return (
      <OfficeSheet narrow>
        <PageHead back={<ToAssets />} title="Asset" />
        {error ? (
          <ErrorNotice onRetry={() => void refetch()}>{say('things.load', error)}</ErrorNotice>
        ) : (
          <Skeleton>
            <Bone height={240} />
          </Skeleton>
        )}
      </OfficeSheet>
    );
  return (
    <OfficeSheet narrow>
      <PageHead
        back={<ToAssets />}
        title={asset.name}
        sentence={`${typeName(asset.typeId)} · ${asset.organizationName}`}
        actions={<Actions asset={asset} mayManage={mayManage} />}
      />
      <Cards>
        <Card title="Asset" action={!asset.inService && <Pill>Out-of-Service</Pill>}>
          <Facts
            wide
            rows={[
              [
                'System name',
                <span key="s" className="mono">
                  {asset.systemName}
                </span>,
              ],
              ['Type', typeName(asset.typeId)],
              ['Device', deviceName(asset.deviceType)],
              ['VIN', asset.vin],
              ['Plate#', asset.plate],
              ['Vehicle Id', asset.registry],
              ['Owner', asset.organizationName],
              ['Managers, accessors', asset.relations.join(', ')],
            ]}
          />
        </Card>
        {isConfigurable(asset) && mayManage && <DeviceCard asset={asset} />}
      </Cards>
    </OfficeSheet>
  );
}

function Actions({ asset, mayManage }: { asset: Asset; mayManage: boolean }) {
  const mayEdit = useCan('EDIT_THING');
  const [question, setQuestion] = useState<'transfer' | 'delete'>();
  return (
    <>
      {mayManage && (
        <>
          <Button icon={<Trash2 {...icon} />} onPress={() => setQuestion('delete')}>
            Delete
          </Button>
          <Button icon={<ArrowRightLeft {...icon} />} onPress={() => setQuestion('transfer')}>
            Transfer
          </Button>
        </>
      )}
      {mayEdit && (
        <Link to={`/dashboard/things/${asset.id}/edit/profile` as '/'} className={buttonClass({ variant: 'primary' })}>
          Edit profile
        </Link>
      )}
      {question === 'delete' && <Delete asset={asset} onClose={() => setQuestion(undefined)} />}
      {question === 'transfer' && <Transfer asset={asset} onClose={() => setQuestion(undefined)} />}
    </>
  );
}

function Delete({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const verbs = useAssetVerbs();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      title={`Delete ${asset.name}?`}
      say={error => say('thing.delete', error)}
      onClose={onClose}
      run={() => verbs.remove(asset.id)}
      onDone={gone => {
        toast(gone ? say('thing.delete', gone) : `${asset.name} is deleted`);
        void navigate({ href: managerPath('thing') });
      }}
    >
      <p>It disappears from every map and list immediately, and its API keys stop working. Its history is kept.</p>
    </ConfirmAction>
  );
}

function Transfer({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const verbs = useAssetVerbs();
  const navigate = useNavigate();
  const choices = (useAssignable() ?? []).filter(one => one.id !== asset.organizationId);
  const [to, setTo] = useState('');
  const name = choices.find(one => one.id === to)?.name ?? '';
  return (
    <ConfirmAction
      title={`Transfer ${asset.name}`}
      say={error => (error instanceof Choose ? 'Choose an organization' : say('thing.transfer', error))}
      onClose={onClose}
      run={async () => {
        if (to === '') throw new Choose();
        await verbs.transfer(asset.id, to);
      }}
      onDone={() => {
        toast(`${asset.name} now belongs to ${name}`);
        void navigate({ href: managerPath('thing') });
      }}
    >
      <p>
        From now on it reports for its new owner. Its history so far stays with {asset.organizationName}; its own API
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
    </ConfirmAction>
  );
}

/** Nothing was chosen. */
class Choose extends Error {}
