import { CircleCheck, CircleSlash, Clock, Mail } from 'lucide-react';
import { serverClock } from '~/lib/clock';
import { Back } from '~/office';
import { Pill } from '~/ui';
import { badgeOf, type Member, memberStatus } from './member';

/** How a user's way in stands: word, shape and color. */
export function MemberStatusPill({ member }: { member: Member }) {
  const { kind, tone, text } = memberStatus(member, serverClock.now());
  const Icon = { suspended: CircleSlash, invited: Mail, active: CircleCheck }[kind];
  const Shape = tone === 'warn' ? Clock : Icon;
  return (
    <Pill tone={tone} icon={<Shape size={12} strokeWidth={2} aria-hidden="true" />}>
      {text}
    </Pill>
  );
}

/** MANAGER or ACCESS, for users of a related organization. */
export function RelationPill({ member }: { member: Member }) {
  const badge = badgeOf(member);
  return badge ? <Pill tone="accent">{badge}</Pill> : null;
}

export const ToUsers = () => <Back tab="user">Users</Back>;
