import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { deviceText, methodText } from '~/model/device';
import { ageText } from '~/model/format';
import { useProfile } from '~/session';
import { Bone, Button, Card, ConfirmAction, ErrorNotice, Skeleton, toast } from '~/ui';
import type { Member } from './member';
import { sessionsQuery, useUserVerbs } from './queries';
import styles from './users.module.css';

/** Where a user is signed in, and the way to end it all. */
export function UserSessions({ member }: { member: Member }) {
  const { userId } = useProfile();
  const verbs = useUserVerbs();
  const { data, error, refetch } = useQuery(sessionsQuery(member.id));
  const [asks, setAsks] = useState(false);
  const now = serverClock.now();
  return (
    <Card
      title="Sessions"
      hint="Browsers and devices that are currently signed in."
      action={
        data &&
        data.length > 0 &&
        member.id !== userId && (
          <Button size="small" onPress={() => setAsks(true)}>
            Sign out everywhere
          </Button>
        )
      }
    >
      {data?.map(one => (
        <div key={one.id} className={styles.session}>
          <div>{deviceText(one.userAgent)}</div>
          <div>{usedText(ageText(one.lastUsedAt || one.createdAt, now))}</div>
          <span>
            {methodText(one.method)} · {one.network || 'unknown network'}
          </span>
        </div>
      ))}
      {data?.length === 0 && <p>Not signed in anywhere.</p>}
      {!data && error && <ErrorNotice onRetry={() => void refetch()}>{say('generic', error)}</ErrorNotice>}
      {!data && !error && (
        <Skeleton>
          <Bone height={32} />
        </Skeleton>
      )}
      {asks && (
        <ConfirmAction
          title={`Sign ${member.fullName} out everywhere?`}
          say={thrown => say('generic', thrown)}
          onClose={() => setAsks(false)}
          run={async () => {
            await verbs.endSessions(member.id);
            toast(`${member.fullName} is signed out everywhere`);
          }}
        >
          <p>All sessions end within 5 seconds. {member.fullName} can sign in again right away.</p>
        </ConfirmAction>
      )}
    </Card>
  );
}

const usedText = (age: string) => (age === 'now' ? 'Used just now' : `Used ${age} ago`);
