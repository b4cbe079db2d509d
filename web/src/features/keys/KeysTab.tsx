import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useMemo } from 'react';
import { say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { agoText, DATE_PATTERNS, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import type { ManagerPlace } from '~/model/manager';
import { actionsColumn, ListPage, numberColumn, To, textColumn } from '~/office';
import { supportText, useBrand, useCan, useMay, useOrganization } from '~/session';
import { AskButton, type Column, Mono, Pill, RowActions, Two, toast } from '~/ui';
import { KeyAdd } from './KeyAdd';
import { type Key, keyStatus, keys, useKeyMutations, usesOf } from './key';
import styles from './keys.module.css';

/** The API keys tab: what devices and gateways report with. */
export default function KeysTab({ view }: ManagerPlace) {
  const { id } = useOrganization();
  return view === 'list' ? <KeyList key={id} /> : <KeyAdd key={id} />;
}

function KeyList() {
  const { id, name } = useOrganization();
  const brand = useBrand();
  const mayAdd = useMay('ADD_KEY');
  const prompt = useCan('ADD_KEY') ? '' : ` ${supportText(texts.apiKeys.missingPermission, brand)}`;
  return (
    <ListPage
      title="API keys"
      sentence={`Keys let devices and gateways send data for ${name}, or partners read its feeds. They can't read anything else.${prompt}`}
      actions={
        mayAdd && (
          <To tab="key" form button={{ variant: 'primary' }}>
            <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
            Create key
          </To>
        )
      }
      query={useQuery(keys.list(id))}
      columns={useColumns()}
      noun={['key', 'keys']}
      none="No API keys yet."
      hints={[mayAdd ? 'Create one for each gateway, so you can revoke one without affecting the others.' : '']}
    />
  );
}

function useColumns(): readonly Column<Key>[] {
  const { timezone } = useOrganization();
  const mayRevoke = useMay('DELETE_KEY');
  return useMemo(() => {
    const now = serverClock.now();
    const day = (text: string | null) =>
      text ? (
        <span className={styles.day}>{dateText(instantOf(text), timezone, DATE_PATTERNS.monthFirst)}</span>
      ) : (
        'Never'
      );
    return [
      textColumn('Key', key => key.description, { width: '20%', sub: key => <Mono>{`${key.prefix}…`}</Mono> }),
      textColumn('For', key => (key.thing_id ? key.thing_name || 'One asset' : 'All assets'), {
        sub: key => (key.thing_id ? 'reports' : usesOf(key)),
      }),
      textColumn('Status', key => keyStatus(key, now).text, {
        width: '15%',
        cell: key => <Pill tone={keyStatus(key, now).tone}>{keyStatus(key, now).text}</Pill>,
      }),
      numberColumn(
        'Expires',
        key => instantOf(key.expires_at) || Number.POSITIVE_INFINITY,
        key => day(key.expires_at),
      ),
      numberColumn(
        'Last used',
        key => -instantOf(key.last_used_at),
        key => <span className="num">{agoText(instantOf(key.last_used_at), now)}</span>,
      ),
      numberColumn(
        'Created',
        key => -instantOf(key.created_date),
        key => <Two sub={key.user_name || 'By the server'}>{day(key.created_date)}</Two>,
      ),
      actionsColumn(
        '96px',
        key =>
          mayRevoke &&
          key.revoked_at === null && (
            <RowActions>
              <Revoke row={key} />
            </RowActions>
          ),
      ),
    ];
  }, [timezone, mayRevoke]);
}

function Revoke({ row: { id, description } }: { row: Key }) {
  const mutations = useKeyMutations();
  return (
    <AskButton
      label="Revoke"
      button={{ size: 'small' }}
      title={`Revoke “${description}”?`}
      say={thrown => say('generic', thrown)}
      run={async () => {
        const gone = await mutations.revoke(id);
        toast(gone ? say('generic', gone) : `“${description}” no longer works`);
      }}
    >
      <p>Anything that reports with this key is rejected immediately. This can't be undone.</p>
    </AskButton>
  );
}
