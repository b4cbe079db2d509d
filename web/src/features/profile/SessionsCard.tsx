import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { say } from '~/api';
import { serverClock } from '~/lib/clock';
import { deviceText, methodText } from '~/model/device';
import { agoText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { Loaded } from '~/office';
import { AskButton, Button, Card, Pill, toast } from '~/ui';
import { LinkDialog } from './LinkDialog';
import styles from './profile.module.css';
import { type SessionRow, sessionsQuery, useProfileMutations } from './queries';

/** Where one is signed in, the way to end it, and the way to another screen. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  const mutations = useProfileMutations();
  const [links, setLinks] = useState(false);
  const others = query.data?.filter(one => !one.current) ?? [];
  return (
    <Card
      title="Sessions"
      hint="Browsers and devices where you're signed in."
      action={
        <>
          {others.length > 0 && (
            <AskButton
              label="Sign out other sessions"
              button={{ size: 'small' }}
              title="Sign out your other sessions?"
              say={thrown => say('generic', thrown)}
              run={async () => {
                await mutations.endOtherSessions();
                toast('Your other sessions were signed out');
              }}
            >
              <p>You stay signed in here. The others end within 5 seconds.</p>
            </AskButton>
          )}
          <Button
            size="small"
            icon={<MonitorSmartphone size={16} strokeWidth={1.75} aria-hidden="true" />}
            onPress={() => setLinks(true)}
          >
            Sign in on another screen
          </Button>
        </>
      }
    >
      <Loaded query={query} label="Loading sessions">
        {rows => rows.map(row => <Row key={row.id} row={row} />)}
      </Loaded>
      {links && <LinkDialog onClose={() => setLinks(false)} />}
    </Card>
  );
}

function Row({ row }: { row: SessionRow }) {
  const mutations = useProfileMutations();
  const [isPending, setPending] = useState(false);
  const device = deviceText(row.user_agent);
  const used = agoText(instantOf(row.last_used_at) || instantOf(row.created_at), serverClock.now());
  const end = async () => {
    setPending(true);
    try {
      const gone = await mutations.endSession(row.id);
      toast(gone ? say('generic', gone) : `${device} is signed out`);
    } catch (error) {
      toast(say('generic', error), { tone: 'danger' });
    } finally {
      setPending(false);
    }
  };
  return (
    <div className={styles.row}>
      <div className={styles.rowText}>
        <b>
          {device}
          {row.current && <Pill tone="accent">This session</Pill>}
          {row.awareness_mode && <Pill>Situational awareness</Pill>}
        </b>
        <span className="num">
          {methodText(row.method)} · {row.network || 'unknown network'} · used {used}
        </span>
      </div>
      {!row.current && (
        <Button size="small" isPending={isPending} aria-label={`Sign out ${device}`} onPress={() => void end()}>
          Sign out
        </Button>
      )}
    </div>
  );
}
