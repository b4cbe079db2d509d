import { Link } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '~/lib/lazyPart';
import { ACCOUNTS_PATH, type ManagerTab, managerPath } from '~/model/manager';
import { setTitle, useBrand, useCan, useProfile } from '~/session';
import { buttonClass, EmptyState, OfficePage } from '~/ui';
import { Coming, NotFound } from '../screens';
import { Section } from '../shell/Section';
import { TopBar } from '../shell/TopBar';
import styles from './accounts.module.css';
import { NEW_ACCOUNTS_PATH, newTabs } from './newTabs';

const ProfilePanel = lazyPart(() => import('~/features/profile/ProfilePanel'), 'ProfilePanel');

/** The new accounts section: who is signed in, and its tabs. */
export function NewAccounts({ tab: id }: { tab: string }) {
  const { name } = useBrand();
  useEffect(() => setTitle(`New Accounts · ${name}`), [name]);
  const tab = newTabs.find(one => one.id === id);
  return (
    <Section id="accounts-new">
      <div className={styles.bar}>
        <div className={styles.tabs} />
        <TopBar />
      </div>
      <div className={styles.body}>
        {tab ? (
          <OfficePage narrow>
            <Who />
            <nav className={styles.inner} aria-label="New accounts">
              {newTabs.map(one => (
                <Link key={one.id} to={`${NEW_ACCOUNTS_PATH}/${one.id}` as '/'} className={styles.tab}>
                  {one.label}
                </Link>
              ))}
            </nav>
            <Suspense fallback={<Coming />}>
              {tab.sentence ? <Announced sentence={tab.sentence} tab={tab.tab} /> : <ProfilePanel />}
            </Suspense>
          </OfficePage>
        ) : (
          <NotFound />
        )}
      </div>
    </Section>
  );
}

/** Initials, full name and address of the signed-in user. */
function Who() {
  const profile = useProfile();
  return (
    <header className={styles.who}>
      <span className={styles.initials} aria-hidden="true">
        {profile.initials}
      </span>
      <div>
        <h1>{profile.fullName}</h1>
        <p>{profile.email}</p>
      </div>
    </header>
  );
}

/** A tab that is not built yet says so, and where the same is done today. */
function Announced({ sentence, tab }: { sentence: string; tab: ManagerTab | undefined }) {
  const mayManage = useCan('VIEW_ACCOUNTS');
  return (
    <EmptyState
      title={sentence}
      action={
        mayManage && (
          <Link to={(tab ? managerPath(tab) : ACCOUNTS_PATH) as '/'} className={buttonClass({})}>
            {tab ? 'Integrations' : 'Manage Accounts & Users'}
          </Link>
        )
      }
    />
  );
}
