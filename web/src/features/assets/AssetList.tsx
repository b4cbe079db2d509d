import { useQuery } from '@tanstack/react-query';
import { Download, Plus, Upload } from 'lucide-react';
import { useCallback, useState } from 'react';
import { say } from '~/api';
import { ListPage, To, textColumn, things } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, type Column, Mono, Named, Pill, Select, toast } from '~/ui';
import { type Asset, assetName, deviceName, typeName, typeOptions, wordsOf } from './asset';
import styles from './assets.module.css';
import { IMPORT } from './parts';
import { exportAssets } from './queries';

const ALL = 'all';
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** All assets the organization sees: search, type, register, import, export. */
export function AssetList() {
  const { id, name } = useOrganization();
  const query = useQuery(things.list(id));
  const mayManage = useMay('MANAGE_THINGS');
  const [typeId, setType] = useState(ALL);
  const keeps = useCallback((asset: Asset) => typeId === ALL || asset.thing_type_id === typeId, [typeId]);
  return (
    <ListPage
      title="Assets"
      sentence={`Vehicles and equipment that ${name} can see, and who owns them.`}
      actions={mayManage && <Actions organizationId={id} hasRows={!!query.data?.length} />}
      query={query}
      operation="things.load"
      columns={columns}
      initialSort={{ column: 'Asset', descending: false }}
      words={wordsOf}
      keeps={keeps}
      filters={
        <Select
          label="Type"
          hideLabel
          value={typeId}
          options={[{ id: ALL, label: 'All types' }, ...typeOptions]}
          onChange={setType}
          className={styles.typeFilter ?? ''}
        />
      }
      noun={['asset', 'assets']}
      hints={['Try another name or type.', 'Register the first asset, or import a list.']}
    />
  );
}

function Actions({ organizationId, hasRows }: { organizationId: string; hasRows: boolean }) {
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      await exportAssets(organizationId);
      toast('Assets exported');
    } catch (error) {
      toast(say('things.export', error), { tone: 'danger' });
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {hasRows && (
        <Button icon={<Download {...icon} />} isPending={isPending} onPress={() => void save()}>
          Export
        </Button>
      )}
      <To tab="thing" id={IMPORT} button={{}}>
        <Upload {...icon} />
        Import
      </To>
      <To tab="thing" form button={{ variant: 'primary' }}>
        <Plus {...icon} />
        Register asset
      </To>
    </>
  );
}

const columns: readonly Column<Asset>[] = [
  textColumn<Asset>('Asset', assetName, {
    width: '30%',
    cell: asset => (
      <Named sub={<Mono>{asset.haas_id}</Mono>}>
        <To tab="thing" id={asset.id}>
          {assetName(asset)}
        </To>
        {!asset.in_service && <Pill>Out-of-Service</Pill>}
      </Named>
    ),
  }),
  textColumn('Type', asset => typeName(asset.thing_type_id)),
  textColumn('Device', asset => deviceName(asset.device_type)),
  textColumn('Owner', asset => asset.organization.name),
  { id: 'plate', title: 'Plate#', cell: asset => asset.license_plate_number || '–' },
];
