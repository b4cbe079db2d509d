import { useQuery } from '@tanstack/react-query';
import { Upload, UserPlus } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { serverClock } from '~/lib/clock';
import { agoText, NONE } from '~/model/format';
import { instantOf } from '~/model/instant';
import { actionsColumn, ListPage, numberColumn, To, textColumn } from '~/office';
import { useMay, useOrganization, useProfile } from '~/session';
import { type Column, Named, Pill, Segmented, Select, Sub } from '~/ui';
import { fullName, type Member, type MemberStatus, memberStatus, type Role, roleLabel } from './member';
import { MemberStatusPill, RelationPill } from './parts';
import { useRoles, users } from './queries';
import { IMPORT } from './UserImport';
import { UserMenu } from './UserMenu';
import styles from './users.module.css';

const ALL = 'all';
const kinds = [
  { id: ALL, label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'invited', label: 'Invited' },
  { id: 'suspended', label: 'Suspended' },
] as const;
const wordsOf = (member: Member) => [fullName(member), member.email, member.organization_name];

/** All users of the organization: search, role, standing. */
export function UserList() {
  const organization = useOrganization();
  const mayAdd = useMay('ADD_USER');
  const roles = useRoles() ?? NO_ROLES;
  const [roleId, setRole] = useState(ALL);
  const [kind, setKind] = useState<MemberStatus['kind'] | typeof ALL>(ALL);
  const keeps = useCallback(
    (member: Member) =>
      (roleId === ALL || member.role_id === roleId) &&
      (kind === ALL || memberStatus(member, serverClock.now()).kind === kind),
    [roleId, kind],
  );
  return (
    <ListPage
      title="Users"
      sentence={`Who can sign in to ${organization.name}, and what they can do.`}
      actions={
        mayAdd && (
          <>
            <To tab="user" id={IMPORT} button={{}}>
              <Upload size={16} strokeWidth={1.75} aria-hidden="true" />
              Import users
            </To>
            <To tab="user" form button={{ variant: 'primary' }}>
              <UserPlus size={16} strokeWidth={1.75} aria-hidden="true" />
              Add user
            </To>
          </>
        )
      }
      query={useQuery(users.list(organization.id))}
      columns={useColumns(roles)}
      initialSort={{ column: 'User', descending: false }}
      words={wordsOf}
      keeps={keeps}
      filters={
        <>
          <Select
            label="Role"
            hideLabel
            value={roleId}
            options={[{ id: ALL, label: 'All roles' }, ...roles.map(({ id, label }) => ({ id, label }))]}
            onChange={setRole}
            className={styles.roleFilter ?? ''}
          />
          <Segmented label="Status" value={kind} onChange={setKind} options={kinds} />
        </>
      }
      noun={['user', 'users']}
      hints={['Try another name, role, or status.', 'Add the first user to invite them.']}
    />
  );
}

const NO_ROLES: readonly Role[] = [];
const Muted = () => <Sub>{NONE}</Sub>;

function useColumns(roles: readonly Role[]): readonly Column<Member>[] {
  const { userId } = useProfile();
  const { id: here } = useOrganization();
  return useMemo(() => {
    const role = (member: Member) => roleLabel(member.role_id, roles);
    /** What is only known of the organization's own users. */
    const own = (cell: (member: Member) => ReactNode) => (member: Member) =>
      member.relation === 'own' ? cell(member) : <Muted />;
    const seen = (member: Member) => instantOf(member.last_sign_in_at);
    return [
      textColumn<Member>('User', fullName, {
        width: '30%',
        cell: member => (
          <Named sub={member.email}>
            <To tab="user" id={member.id}>
              {fullName(member)}
            </To>
            <RelationPill member={member} />
            {member.id === userId && <Pill>You</Pill>}
          </Named>
        ),
      }),
      textColumn('Role', role, {
        sub: member => member.organization_id !== here && member.organization_name,
      }),
      textColumn('Status', member => (member.relation === 'own' ? memberStatus(member, serverClock.now()).text : 'z'), {
        width: '20%',
        cell: own(member => <MemberStatusPill member={member} />),
      }),
      textColumn('2FA', member => (member.second_factor ? 'On' : 'Off'), {
        width: '12%',
        sortBy: member => (member.second_factor ? 0 : 1),
        cell: own(member => (member.second_factor ? 'On' : 'Off')),
      }),
      numberColumn(
        'Last sign-in',
        member => -seen(member),
        own(member => <span className="num">{agoText(seen(member), serverClock.now())}</span>),
        { width: '12%' },
      ),
      actionsColumn('64px', member => <UserMenu member={member} inRow />),
    ];
  }, [roles, userId, here]);
}
