import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { useDebounced } from '~/lib/debounce';
import { ageText, NONE } from '~/model/format';
import { managerPath } from '~/model/manager';
import { useCan, useOrganization, useProfile, useShortcuts } from '~/session';
import {
  buttonClass,
  type Column,
  EmptyState,
  OfficeSheet,
  PageHead,
  Pill,
  SearchField,
  Segmented,
  Select,
  Sub,
  Table,
  Tools,
} from '~/ui';
import { filterMembers, type Member, type MemberFilter, type Role, roleLabel, standingOf } from './member';
import { RelationPill, StandingPill } from './parts';
import { useRoles, usersQuery } from './queries';
import { UserMenu } from './UserMenu';
import styles from './users.module.css';

const ALL = 'all';
const kinds = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'invited', label: 'Invited' },
  { id: 'suspended', label: 'Suspended' },
] as const;

/** All users of the organization: search, role, standing. */
export function UserList() {
  const organization = useOrganization();
  const { data, error, refetch, isPending } = useQuery(usersQuery(organization.id));
  const roles = useRoles() ?? [];
  const mayAdd = useCan('ADD_USER') && organization.relation !== 'accessed';
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => search.current?.focus() });
  const [text, setText] = useState('');
  const [roleId, setRole] = useState('');
  const [kind, setKind] = useState<MemberFilter['kind']>('all');
  const words = useDebounced(text, limits.ui.searchDebounceMs.value);
  const rows = useMemo(
    () => data && filterMembers(data, { text: words, roleId, kind }, serverClock.now()),
    [data, words, roleId, kind],
  );
  return (
    <OfficeSheet>
      <PageHead
        title="Users"
        sentence={`Who can sign in to ${organization.name}, and what they can do.`}
        actions={mayAdd && <AddLink />}
      />
      <Tools end={rows && data && rows.length < data.length ? `${rows.length} of ${data.length}` : count(data)}>
        <SearchField label="Search users" value={text} onChange={setText} shortcut="/" inputRef={search} />
        <Select
          label="Role"
          hideLabel
          value={roleId || ALL}
          options={[{ id: ALL, label: 'All roles' }, ...roles.map(({ id, label }) => ({ id, label }))]}
          onChange={id => setRole(id === ALL ? '' : id)}
          className={styles.roleFilter ?? ''}
        />
        <Segmented label="Status" value={kind} onChange={setKind} options={kinds} />
      </Tools>
      <Table
        label="Users"
        columns={useColumns(roles)}
        rows={isPending ? undefined : rows}
        rowKey={member => member.id}
        initialSort={{ column: 'name', descending: false }}
        error={error ? say('generic', error) : undefined}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No results found.">
            {data?.length ? 'Try another name, role, or status.' : 'Add the first user to invite them.'}
          </EmptyState>
        }
      />
    </OfficeSheet>
  );
}

const count = (rows: readonly Member[] | undefined) => rows && `${rows.length} ${rows.length === 1 ? 'user' : 'users'}`;

function AddLink() {
  return (
    <Link to={managerPath('user', { view: 'form' }) as '/'} className={buttonClass({ variant: 'primary' })}>
      <UserPlus size={16} strokeWidth={1.75} aria-hidden="true" />
      Add user
    </Link>
  );
}

function useColumns(roles: readonly Role[]): readonly Column<Member>[] {
  const { userId } = useProfile();
  const organization = useOrganization();
  return useMemo(
    () => [
      {
        id: 'name',
        title: 'User',
        width: '30%',
        sortBy: member => member.fullName,
        cell: member => <Name member={member} isSelf={member.id === userId} />,
      },
      {
        id: 'role',
        title: 'Role',
        sortBy: member => roleLabel(member.roleId, roles),
        cell: member => (
          <div>
            {roleLabel(member.roleId, roles)}
            {member.organizationId !== organization.id && <Sub>{member.organizationName}</Sub>}
          </div>
        ),
      },
      {
        id: 'standing',
        title: 'Status',
        width: '20%',
        sortBy: member => (isRelated(member) ? 'z' : standingOf(member, serverClock.now()).text),
        cell: member => (isRelated(member) ? <Muted /> : <StandingPill member={member} />),
      },
      {
        id: 'factor',
        title: '2FA',
        width: '12%',
        sortBy: member => (member.hasSecondFactor ? 0 : 1),
        cell: member => (isRelated(member) ? <Muted /> : member.hasSecondFactor ? 'On' : 'Off'),
      },
      {
        id: 'seen',
        title: 'Last sign-in',
        width: '12%',
        sortBy: member => -member.lastSignInAt,
        cell: member => <Seen member={member} />,
      },
      {
        id: 'actions',
        title: 'Actions',
        hideTitle: true,
        width: '64px',
        align: 'end',
        cell: member => <UserMenu member={member} inRow />,
      },
    ],
    [roles, userId, organization.id],
  );
}

const isRelated = (member: Member) => member.relation !== 'own';
const Muted = () => <Sub>{NONE}</Sub>;

function Name({ member, isSelf }: { member: Member; isSelf: boolean }) {
  return (
    <div>
      <span className={styles.name}>
        <Link to={managerPath('user', { view: 'formRead', target: member.id }) as '/'}>{member.fullName}</Link>
        <RelationPill member={member} />
        {isSelf && <Pill>You</Pill>}
      </span>
      <Sub>{member.email}</Sub>
    </div>
  );
}

function Seen({ member }: { member: Member }) {
  if (isRelated(member)) return <Muted />;
  if (member.lastSignInAt === 0) return <Sub>Never</Sub>;
  const age = ageText(member.lastSignInAt, serverClock.now());
  return <span className="num">{age === 'now' ? 'now' : `${age} ago`}</span>;
}
