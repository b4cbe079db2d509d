import { useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { setTitle, useBrand, useProfile } from '~/session';
import styles from '../accounts/accounts.module.css';
import { Coming, Refused } from '../screens';
import { Section } from '../shell/Section';
import { TopBar } from '../shell/TopBar';
import { entries, maySee, screenOf } from './entries';

/** /dashboard/data/{entry}[/{screen}]: a screen of Data, or why it does not show. */
export function DataScreen() {
  const path = useLocation({ select: location => location.pathname });
  const [, , , id = '', ...rest] = path.replace(/\/$/, '').split('/');
  return (
    <Section id="data">
      <div className={styles.bar}>
        <div className={styles.tabs} />
        <TopBar />
      </div>
      <div className={styles.body}>
        <Permitted id={id} rest={rest.join('/')} />
      </div>
    </Section>
  );
}

function Permitted({ id, rest }: { id: string; rest: string }) {
  const { name } = useBrand();
  const { permissions } = useProfile();
  const entry = entries.find(one => one.id === id);
  const found = screenOf(entry, rest);
  useEffect(() => entry && setTitle(`${entry.label} · ${name}`), [entry, name]);
  // What is named by a row needs what its list does.
  const parts = rest === '' || found?.at.startsWith('$') ? [id] : [id, `${id}/${rest}`];
  if (!found || !parts.every(part => maySee(permissions, part))) return <Refused why="forbidden" />;
  const { Screen } = found;
  return (
    <Suspense fallback={<Coming />}>
      <Screen key={`${id}/${rest}`} />
    </Suspense>
  );
}
