import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Plus, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { say } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { managerPath } from '~/model/manager';
import { useOrganization } from '~/session';
import {
  Button,
  buttonClass,
  type Column,
  EmptyState,
  OfficeSheet,
  PageHead,
  Pill,
  SearchField,
  Select,
  Sub,
  Table,
  Tools,
  toast,
} from '~/ui';
import { type Asset, deviceName, filterAssets, typeName, typeOptions } from './asset';
import styles from './assets.module.css';
import { IMPORT, useMayManage } from './parts';
import { assetsQuery, exportAssets } from './queries';

const ALL = 'all';
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** All assets the organization sees: search, type, register, import, export. */
export function AssetList() {
  const organization = useOrganization();
  const { data, error, refetch } = useQuery(assetsQuery(organization.id));
  const [text, setText] = useState('');
  const [typeId, setType] = useState('');
  const words = useDebounced(text, limits.ui.searchDebounceMs.value);
  const rows = useMemo(() => data && filterAssets(data, words, typeId), [data, words, typeId]);
  const mayManage = useMayManage();
  return (
    <OfficeSheet>
      <PageHead
        title="Assets"
        sentence={`Vehicles and equipment that ${organization.name} can see, and who owns them.`}
        actions={mayManage && <Actions organizationId={organization.id} hasRows={!!data?.length} />}
      />
      <Tools
        end={rows && data && (rows.length < data.length ? `${rows.length} of ${data.length}` : `${data.length} assets`)}
      >
        <SearchField label="Search assets" value={text} onChange={setText} />
        <Select
          label="Type"
          hideLabel
          value={typeId || ALL}
          options={[{ id: ALL, label: 'All types' }, ...typeOptions]}
          onChange={id => setType(id === ALL ? '' : id)}
          className={styles.typeFilter ?? ''}
        />
      </Tools>
      <Table
        label="Assets"
        columns={columns}
        rows={rows}
        rowKey={asset => asset.id}
        initialSort={{ column: 'name', descending: false }}
        error={error ? say('things.load', error) : undefined}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No results found.">
            {data?.length ? 'Try another name or type.' : 'Register the first asset, or import a list.'}
          </EmptyState>
        }
      />
    </OfficeSheet>
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
      <Link to={managerPath('thing', { view: 'formRead', target: IMPORT }) as '/'} className={buttonClass({})}>
        <Upload {...icon} />
        Import
      </Link>
      <Link to={managerPath('thing', { view: 'form' }) as '/'} className={buttonClass({ variant: 'primary' })}>
        <Plus {...icon} />
        Register asset
      </Link>
    </>
  );
}

const columns: readonly Column<Asset>[] = [
  {
    id: 'name',
    title: 'Asset',
    width: '30%',
    sortBy: asset => asset.name,
    cell: asset => (
      <div>
        <span className={styles.name}>
          <Link to={managerPath('thing', { view: 'formRead', target: asset.id }) as '/'}>{asset.name}</Link>
          {!asset.inService && <Pill>Out-of-Service</Pill>}
        </span>
        <Sub>
          <span className="mono">{asset.systemName}</span>
        </Sub>
      </div>
    ),
  },
  { id: 'type', title: 'Type', sortBy: asset => typeName(asset.typeId), cell: asset => typeName(asset.typeId) },
  { id: 'device', title: 'Device', sortBy: asset => asset.deviceType, cell: asset => deviceName(asset.deviceType) },
  { id: 'owner', title: 'Owner', sortBy: asset => asset.organizationName, cell: asset => asset.organizationName },
  { id: 'plate', title: 'Plate#', sortBy: asset => asset.plate, cell: asset => asset.plate || '–' },
];
