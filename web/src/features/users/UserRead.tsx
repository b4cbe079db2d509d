import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverClock } from '~/lib/clock';
import { agoText, dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { addressFact, EditLink, RowPage, useGoTo } from '~/office';
import { useOrganization, useProfile } from '~/session';
import { Button, Card, Cards, DescriptionList, Notice, PageHead, Pill } from '~/ui';
import { CopyInvitation } from './CopyInvitation';
import { isStuck, letterWords } from './invitation';
import { fullName, type Member, roleLabel } from './member';
import { MemberStatusPill, RelationPill, ToUsers } from './parts';
import { useRoles, users } from './queries';
import { MISSING, UserMenu, useMayDo } from './UserMenu';
import { UserSessions } from './UserSessions';

/** A user to read, with what may be done about them. */
export function UserRead({ id }: { id: string }) {
  return (
    <RowPage query={useQuery(users.one(id))} back={<ToUsers />} title="User" missing={MISSING}>
      {member => <Body member={member} />}
    </RowPage>
  );
}

function Body({ member }: { member: Member }) {
  const goTo = useGoTo();
  const { userId } = useProfile();
  const may = useMayDo(member);
  const isOwn = member.relation === 'own';
  const [copies, setCopies] = useState(false);
  return (
    <>
      <PageHead
        back={<ToUsers />}
        title={
          <>
            {fullName(member)}
            <RelationPill member={member} />
            {isOwn && <MemberStatusPill member={member} />}
            {member.id === userId && <Pill>You</Pill>}
          </>
        }
        sentence={member.email}
        actions={
          <>
            {may.edit && <EditLink tab="user" id={member.id} />}
            <UserMenu member={member} onDeleted={() => void goTo({ tab: 'user' })} />
          </>
        }
      />
      {may.invite && isStuck(member) && !member.suspended && (
        <Notice
          tone="warn"
          action={
            <Button size="small" onPress={() => setCopies(true)}>
              Copy invitation link
            </Button>
          }
        >
          {`Invitation: ${letterWords(member)}`}
        </Notice>
      )}
      {copies && <CopyInvitation member={member} onClose={() => setCopies(false)} />}
      <Cards two>
        <AccessCard member={member} />
        {isOwn && <SignInCard member={member} />}
      </Cards>
      <Cards>
        {isOwn && (
          <Card title="Contact">
            <DescriptionList wide rows={[['Phone', member.phone], addressFact(member)]} />
          </Card>
        )}
        {may.edit && <UserSessions member={member} />}
      </Cards>
    </>
  );
}

function AccessCard({ member }: { member: Member }) {
  const roles = useRoles() ?? [];
  const own = [
    ['Situational-awareness mode', member.awareness_mode_access ? 'Allowed' : 'Not allowed'],
    ['API keys', member.has_api_keys ? String(member.api_keys) : 'Not allowed'],
  ] as const;
  return (
    <Card title="Access">
      <DescriptionList
        rows={[
          ['Role', roleLabel(member.role_id, roles)],
          ['Organization', member.organization_name],
          ...(member.relation === 'own' ? own : []),
        ]}
      />
    </Card>
  );
}

function SignInCard({ member }: { member: Member }) {
  const { timezone } = useOrganization();
  const now = serverClock.now();
  const day = (text: string | null) => dateText(instantOf(text), timezone, 'LLL-dd-y');
  const when = (text: string | null) => {
    const ago = agoText(instantOf(text), now);
    return ago === 'just now' ? ago : `${ago} (${day(text)})`;
  };
  const { last_sign_in_at: last, invited_at: invited, password_expires_at: ends } = member;
  const password = ends ? `${instantOf(ends) <= now ? 'Expired' : 'Expires'} ${day(ends)}` : 'Does not expire';
  const letter = letterWords(member);
  // Who was invited and has not come yet has none.
  const hasPassword = !member.invitation_open && !member.no_password;
  return (
    <Card title="Signing in">
      <DescriptionList
        rows={[
          ['Last sign-in', last ? when(last) : 'Never'],
          ['Sign-ins', String(member.sign_in_count)],
          ['Two-factor authentication', member.second_factor ? 'On' : 'Off'],
          ['Password', hasPassword ? password : 'None yet'],
          ...(invited ? [['Invited', when(invited)] as const] : []),
          ...(letter ? [['Invitation', letter] as const] : []),
        ]}
      />
    </Card>
  );
}
