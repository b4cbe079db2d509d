import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { fill, say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { ageText, DATE_PATTERNS, dateText } from '~/model/format';
import { type ManagerPlace, managerPath } from '~/model/manager';
import { useBrand, useCan, useOrganization } from '~/session';
import {
  Button,
  buttonClass,
  type Column,
  ConfirmAction,
  EmptyState,
  OfficeSheet,
  PageHead,
  Pill,
  RowActions,
  Sub,
  Table,
  toast,
} from '~/ui';
import { KeyAdd } from './KeyAdd';
import { type Key, standingOf, usesOf } from './key';
import styles from './keys.module.css';
import { keysQuery, useKeyVerbs } from './queries';

/** The API keys tab: what devices and gateways report with. */
export default function KeysTab({ view }: ManagerPlace) {
  const { id } = useOrganization();
  return view === 'list' ? <KeyList key={id} /> : <KeyAdd key={id} />;
}

function KeyList() {
  const organization = useOrganization();
  const brand = useBrand();
  const hasPermission = useCan('ADD_KEY');
  const mayAdd = hasPermission && organization.relation !== 'accessed';
  const prompt = hasPermission ? '' : ` ${fill(texts.apiKeys.missingPermission, { email: brand.supportEmail })}`;
  const { data, error, refetch } = useQuery(keysQuery(organization.id));
  const [revoked, setRevoked] = useState<Key>();
  const verbs = useKeyVerbs();
  return (
    <OfficeSheet>
      <PageHead
        title="API keys"
        sentence={`Keys that let devices and gateways send data for ${organization.name}. They can't read anything.${prompt}`}
        actions={
          mayAdd && (
            <Link to={managerPath('key', { view: 'form' }) as '/'} className={buttonClass({ variant: 'primary' })}>
              <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
              Create key
            </Link>
          )
        }
      />
      <Table
        label="API keys"
        columns={useColumns(setRevoked)}
        rows={data}
        rowKey={key => key.id}
        error={error ? say('generic', error) : undefined}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No API keys yet.">
            {mayAdd && 'Create one for each gateway, so you can revoke one without affecting the others.'}
          </EmptyState>
        }
      />
      {revoked && (
        <ConfirmAction
          title={`Revoke “${revoked.description}”?`}
          say={thrown => say('generic', thrown)}
          onClose={() => setRevoked(undefined)}
          run={async () => {
            const gone = await verbs.revoke(revoked.id);
            toast(gone ? say('generic', gone) : `“${revoked.description}” no longer works`);
          }}
        >
          <p>Anything that reports with this key is rejected immediately. This can't be undone.</p>
        </ConfirmAction>
      )}
    </OfficeSheet>
  );
}

function useColumns(onRevoke: (key: Key) => void): readonly Column<Key>[] {
  const { timezone, relation } = useOrganization();
  const mayRevoke = useCan('DELETE_KEY') && relation !== 'accessed';
  return useMemo(() => {
    const now = serverClock.now();
    const day = (at: number) => dateText(at, timezone, DATE_PATTERNS.monthFirst);
    return [
      {
        id: 'name',
        title: 'Key',
        width: '20%',
        sortBy: key => key.description,
        cell: key => (
          <div>
            {key.description}
            <Sub>
              <span className="mono">{key.prefix}…</span>
            </Sub>
          </div>
        ),
      },
      {
        id: 'scope',
        title: 'For',
        sortBy: key => key.thingName,
        cell: key => (
          <div>
            {key.isForOneAsset ? key.thingName || 'One asset' : 'All assets'}
            <Sub>{key.isForOneAsset ? 'reports' : usesOf(key)}</Sub>
          </div>
        ),
      },
      {
        id: 'standing',
        title: 'Status',
        width: '15%',
        sortBy: key => standingOf(key, now).text,
        cell: key => {
          const { text, tone } = standingOf(key, now);
          return <Pill tone={tone}>{text}</Pill>;
        },
      },
      {
        id: 'expires',
        title: 'Expires',
        sortBy: key => key.expiresAt || Number.POSITIVE_INFINITY,
        cell: key => <span className={styles.day}>{key.expiresAt > 0 ? day(key.expiresAt) : 'Never'}</span>,
      },
      {
        id: 'used',
        title: 'Last used',
        sortBy: key => -key.lastUsedAt,
        cell: key => <span className="num">{usedText(ageText(key.lastUsedAt, now))}</span>,
      },
      {
        id: 'made',
        title: 'Created',
        sortBy: key => -key.createdAt,
        cell: key => (
          <div>
            <span className={styles.day}>{day(key.createdAt)}</span>
            <Sub>{key.userName || 'By the server'}</Sub>
          </div>
        ),
      },
      {
        id: 'actions',
        title: 'Actions',
        hideTitle: true,
        width: '96px',
        align: 'end',
        cell: key =>
          mayRevoke && key.revokedAt === 0 ? (
            <RowActions>
              <Button size="small" onPress={() => onRevoke(key)}>
                Revoke
              </Button>
            </RowActions>
          ) : null,
      },
    ];
  }, [timezone, mayRevoke, onRevoke]);
}

const usedText = (age: string) => (age === '' ? 'Never' : age === 'now' ? 'now' : `${age} ago`);
