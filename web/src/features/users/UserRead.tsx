import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { asFailure, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { addressLines } from '~/model/address';
import { ageText, dateText } from '~/model/format';
import type { Instant } from '~/model/instant';
import { managerPath } from '~/model/manager';
import { useOrganization, useProfile } from '~/session';
import {
  Bone,
  buttonClass,
  Card,
  Cards,
  EmptyState,
  ErrorNotice,
  Facts,
  OfficeSheet,
  PageHead,
  Pill,
  Skeleton,
} from '~/ui';
import { type Member, roleLabel } from './member';
import { RelationPill, StandingPill, ToUsers } from './parts';
import { useRoles, userQuery } from './queries';
import { UserMenu, useMay } from './UserMenu';
import { UserSessions } from './UserSessions';

/** A user to read, with what may be done about them. */
export function UserRead({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userQuery(id));
  return (
    <OfficeSheet narrow>
      {data ? (
        <Body member={data} />
      ) : error ? (
        <UserFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <UserHeadBones />
      )}
    </OfficeSheet>
  );
}

function Body({ member }: { member: Member }) {
  const navigate = useNavigate();
  const { userId } = useProfile();
  const may = useMay(member);
  const isRelated = member.relation !== 'own';
  return (
    <>
      <PageHead
        back={<ToUsers />}
        title={
          <>
            {member.fullName}
            <RelationPill member={member} />
            {!isRelated && <StandingPill member={member} />}
            {member.id === userId && <Pill>You</Pill>}
          </>
        }
        sentence={member.email}
        actions={
          <>
            {may.edit && (
              <Link
                to={managerPath('user', { view: 'form', target: member.id }) as '/'}
                className={buttonClass({ variant: 'primary' })}
              >
                <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
                Edit
              </Link>
            )}
            <UserMenu member={member} onDeleted={() => void navigate({ href: managerPath('user') })} />
          </>
        }
      />
      <Cards two>
        <AccessCard member={member} />
        {!isRelated && <SignInCard member={member} />}
      </Cards>
      <Cards>
        {!isRelated && <ContactCard member={member} />}
        {may.edit && <UserSessions member={member} />}
      </Cards>
    </>
  );
}

function AccessCard({ member }: { member: Member }) {
  const roles = useRoles() ?? [];
  const rows: [string, string][] = [
    ['Role', roleLabel(member.roleId, roles)],
    ['Organization', member.organizationName],
  ];
  if (member.relation === 'own') {
    rows.push(['Situational-awareness mode', member.hasAwarenessMode ? 'Allowed' : 'Not allowed']);
    rows.push(['API keys', member.hasApiKeys ? String(member.apiKeys) : 'Not allowed']);
  }
  return (
    <Card title="Access">
      <Facts rows={rows} />
    </Card>
  );
}

function SignInCard({ member }: { member: Member }) {
  const { timezone } = useOrganization();
  const now = serverClock.now();
  const day = (at: Instant) => dateText(at, timezone, 'LLL-dd-y');
  const ends = member.passwordExpiresAt;
  return (
    <Card title="Signing in">
      <Facts
        rows={[
          ['Last sign-in', member.lastSignInAt === 0 ? 'Never' : whenText(member.lastSignInAt, now, day)],
          ['Sign-ins', String(member.signInCount)],
          ['Two-factor authentication', member.hasSecondFactor ? 'On' : 'Off'],
          ['Password', ends === 0 ? 'Does not expire' : `${ends <= now ? 'Expired' : 'Expires'} ${day(ends)}`],
          ...(member.invitedAt > 0 ? [['Invited', whenText(member.invitedAt, now, day)] as const] : []),
        ]}
      />
    </Card>
  );
}

function whenText(at: Instant, now: Instant, day: (at: Instant) => string): string {
  const age = ageText(at, now);
  return age === 'now' ? 'now' : `${age} ago (${day(at)})`;
}

function ContactCard({ member }: { member: Member }) {
  const lines = addressLines(member);
  return (
    <Card title="Contact">
      <Facts
        wide
        rows={[
          ['Phone', member.phone],
          ['Address', lines.length > 0 && lines.map(line => <div key={line}>{line}</div>)],
        ]}
      />
    </Card>
  );
}

/** A user who cannot be had, and the way back. */
export function UserFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = asFailure(error).status === 404;
  return (
    <>
      <PageHead back={<ToUsers />} title="User" />
      {isMissing ? (
        <EmptyState title="The selected user could not be found" />
      ) : (
        <ErrorNotice onRetry={onRetry}>{say('generic', error)}</ErrorNotice>
      )}
    </>
  );
}

/** The shape of a user's page while it is read. */
export function UserHeadBones() {
  return (
    <Skeleton label="Loading user">
      <Bone width={220} height={26} />
      <br />
      <Bone width={180} />
      <br />
      <Bone height={140} />
    </Skeleton>
  );
}
