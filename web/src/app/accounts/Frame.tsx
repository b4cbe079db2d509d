import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { managerPath, placeOf } from '~/model/manager';
import { setTitle, useBrand, useCan, useProfile } from '~/session';
import { meets } from '~/session/permissions';
import { Coming, NotFound, Refused } from '../screens';
import { Section } from '../shell/Section';
import { TopBar } from '../shell/TopBar';
import styles from './accounts.module.css';
import { type Tab, tabs } from './tabs';

export interface FrameProps {
  tab: string;
  id?: string | undefined;
  isEdit?: boolean;
}

/** Manage Accounts & Users: its tabs, and below them what the address says (list, target to read, form). */
export function Frame(props: FrameProps) {
  return (
    <Section id="accounts">
      <Bar tab={props.tab} />
      <Body {...props} />
    </Section>
  );
}

/** The tabs the user may see; organization and profile menu at the end. */
function Bar({ tab: shown }: { tab: string }) {
  const { permissions } = useProfile();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another element
  useEffect(() => {
    const look = () =>
      nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
    look();
    // What stands beside the tabs comes later, and takes of their room.
    if (!nav.current) return;
    const room = new ResizeObserver(look);
    room.observe(nav.current);
    return () => room.disconnect();
  }, [shown]);
  return (
    <div className={styles.bar}>
      <nav ref={nav} className={styles.tabs} aria-label="Accounts">
        {tabs
          .filter(tab => meets(permissions, tab.requirement))
          .map(tab => (
            <Link key={tab.id} to={managerPath(tab.id) as '/'} className={styles.tab} activeOptions={{ exact: false }}>
              {tab.label}
            </Link>
          ))}
      </nav>
      <TopBar />
    </div>
  );
}

function Body({ tab: id, id: target, isEdit = false }: FrameProps) {
  if (id === '') return <Refused why="forbidden" />; // who may see the section was sent on to a tab
  const tab = tabs.find(one => one.id === id);
  return (
    <div className={styles.body}>{tab ? <Permitted tab={tab} target={target} isEdit={isEdit} /> : <NotFound />}</div>
  );
}

function Permitted({ tab, target, isEdit }: { tab: Tab; target: string | undefined; isEdit: boolean }) {
  const { name } = useBrand();
  const isPermitted = useCan(tab.requirement);
  useEffect(() => setTitle(`${tab.label} · ${name}`), [tab.label, name]);
  if (!isPermitted) return <Refused why="forbidden" />;
  const place = placeOf(target, isEdit);
  return (
    <Suspense fallback={<Coming />}>
      <tab.Screen key={`${place.view} ${place.target}`} {...place} />
    </Suspense>
  );
}
