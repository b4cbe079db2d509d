import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverClock } from '~/lib/clock';
import { deviceText, methodText } from '~/model/device';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { Loaded } from '~/office';
import { useProfile } from '~/session';
import { Button, Card } from '~/ui';
import type { Member } from './member';
import { sessionsQuery } from './queries';
import { SignOut } from './UserMenu';
import styles from './users.module.css';

/** Where a user is signed in, and the way to end it all. */
export function UserSessions({ member }: { member: Member }) {
  const { userId } = useProfile();
  const query = useQuery({ ...sessionsQuery(member.id), staleTime: 0 });
  const [asks, setAsks] = useState(false);
  const now = serverClock.now();
  return (
    <Card
      title="Sessions"
      hint="Browsers and devices that are currently signed in."
      action={
        query.data &&
        query.data.length > 0 &&
        member.id !== userId && (
          <Button size="small" onPress={() => setAsks(true)}>
            Sign out everywhere
          </Button>
        )
      }
    >
      <Loaded query={query} height={32}>
        {rows => (
          <>
            {rows.map(one => (
              <div key={one.id} className={styles.session}>
                <div>{deviceText(one.user_agent)}</div>
                <div>Used {agoText(instantOf(one.last_used_at) || instantOf(one.created_at), now)}</div>
                <span>
                  {methodText(one.method)} · {one.network || 'unknown network'}
                </span>
              </div>
            ))}
            {rows.length === 0 && <p>Not signed in anywhere.</p>}
          </>
        )}
      </Loaded>
      {asks && <SignOut member={member} onClose={() => setAsks(false)} />}
    </Card>
  );
}
