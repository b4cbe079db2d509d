import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { say } from '~/api';
import { useDebounced } from '~/lib/debounce';
import { NONE } from '~/model/format';
import { managerPath } from '~/model/manager';
import { useCan, useShortcuts } from '~/session';
import { type Column, EmptyState, OfficeSheet, PageHead, Pill, SearchField, Sub, Table, Tools } from '~/ui';
import { filterOrganizations, type OrganizationRecord, placeText, relationText } from './organization';
import styles from './organizations.module.css';
import { organizationsQuery } from './queries';

const RANK = { own: 0, managed: 1, accessed: 2 } as const;

/** All organizations in reach, the own one first. */
export function OrganizationList() {
  const { data, error, refetch, isPending } = useQuery(organizationsQuery);
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => search.current?.focus() });
  const [text, setText] = useState('');
  const words = useDebounced(text, limits.ui.searchDebounceMs.value);
  const rows = useMemo(() => data && filterOrganizations(data, words), [data, words]);
  const seesThings = useCan('VIEW_THINGS');
  const columns = useMemo(() => columnsOf(seesThings), [seesThings]);
  return (
    <OfficeSheet>
      <PageHead
        title="Organizations"
        sentence="Your organization, the ones you manage, and those that share assets with you."
      />
      <Tools end={data && `${data.length} ${data.length === 1 ? 'organization' : 'organizations'}`}>
        <SearchField label="Search organizations" value={text} onChange={setText} shortcut="/" inputRef={search} />
      </Tools>
      <Table
        label="Organizations"
        columns={columns}
        rows={isPending ? undefined : rows}
        rowKey={row => row.id}
        initialSort={{ column: 'relation', descending: false }}
        error={error ? say('organization.load', error) : undefined}
        onRetry={() => void refetch()}
        empty={<EmptyState title="No results found.">Try another name or location.</EmptyState>}
      />
    </OfficeSheet>
  );
}

// spec: 6.link.02: the asset count shows with thing manage or read.
function columnsOf(seesThings: boolean): readonly Column<OrganizationRecord>[] {
  const count = (value: number | undefined) => <span className="num">{value ?? NONE}</span>;
  return [
    {
      id: 'name',
      title: 'Organization',
      width: '32%',
      sortBy: row => row.name,
      cell: row => (
        <div>
          <span className={styles.name}>
            <Link to={managerPath('organization', { view: 'formRead', target: row.id }) as '/'}>{row.name}</Link>
          </span>
          <Sub>{row.typeName}</Sub>
        </div>
      ),
    },
    {
      id: 'relation',
      title: 'Relationship',
      sortBy: row => `${RANK[row.relation]} ${row.name}`,
      cell: row => <Pill tone={row.relation === 'own' ? 'accent' : 'neutral'}>{relationText[row.relation]}</Pill>,
    },
    { id: 'place', title: 'Location', sortBy: placeText, cell: row => placeText(row) || NONE },
    {
      id: 'contact',
      title: 'Contact',
      sortBy: row => row.contactName,
      cell: row => (
        <div>
          {row.contactName || NONE}
          {row.phone && <Sub>{row.phone}</Sub>}
        </div>
      ),
    },
    {
      id: 'users',
      title: 'Users',
      width: '90px',
      align: 'end',
      sortBy: row => row.usersCount ?? -1,
      cell: row => count(row.usersCount),
    },
    ...(seesThings
      ? [
          {
            id: 'things',
            title: 'Assets',
            width: '90px',
            align: 'end' as const,
            sortBy: (row: OrganizationRecord) => row.thingsCount ?? -1,
            cell: (row: OrganizationRecord) => count(row.thingsCount),
          },
        ]
      : []),
  ];
}
