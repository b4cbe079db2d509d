import { useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '~/lib/lazyPart';
import { setTitle, useBrand, useIsPhone } from '~/session';
import { OfficePage, PageHead } from '~/ui';
import { Coming } from '../screens';
import { TopBar } from '../shell/TopBar';
import styles from './accounts.module.css';

const ProfilePanel = lazyPart(() => import('~/features/profile/ProfilePanel'), 'ProfilePanel');

/** /dashboard/profile: what is one's own, without access to Accounts: everybody may guard their own account. */
export function OwnProfile() {
  const { name } = useBrand();
  const isPhone = useIsPhone();
  useEffect(() => setTitle(`My Profile · ${name}`), [name]);
  return (
    <>
      {!isPhone && (
        <div className={styles.bar}>
          <div className={styles.tabs} />
          <TopBar />
        </div>
      )}
      <div className={styles.body}>
        <OfficePage narrow>
          <PageHead title="My Profile" sentence="Your profile, sign-in, and preferences." />
          <Suspense fallback={<Coming />}>
            <ProfilePanel />
            <Arrival />
          </Suspense>
        </OfficePage>
      </div>
    </>
  );
}

/** The part that the address names comes into view once it is drawn, which is later than the router looks. */
function Arrival() {
  const hash = useLocation({ select: location => location.hash });
  useEffect(() => {
    // What it answers is no cleanup: newer browsers answer a promise.
    document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  return null;
}
