import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleSlash, Clock, Mail } from 'lucide-react';
import { serverClock } from '~/lib/clock';
import { managerPath } from '~/model/manager';
import { BackIcon, backLinkClass, Pill } from '~/ui';
import { badgeOf, type Member, type Standing, standingOf } from './member';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

function iconOf({ kind, tone }: Standing) {
  if (kind === 'suspended') return <CircleSlash {...icon} />;
  if (tone === 'warn') return <Clock {...icon} />;
  return kind === 'invited' ? <Mail {...icon} /> : <CircleCheck {...icon} />;
}

/** How a user's way in stands: word, shape and color. */
export function StandingPill({ member }: { member: Member }) {
  const standing = standingOf(member, serverClock.now());
  return (
    <Pill tone={standing.tone} icon={iconOf(standing)}>
      {standing.text}
    </Pill>
  );
}

/** MANAGER or ACCESS, for users of a related organization. */
export function RelationPill({ member }: { member: Member }) {
  const badge = badgeOf(member);
  return badge ? <Pill tone="accent">{badge}</Pill> : null;
}

export const ToUsers = () => (
  <Link to={managerPath('user') as '/'} className={backLinkClass}>
    <BackIcon />
    Users
  </Link>
);
