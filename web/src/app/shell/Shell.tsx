import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { chunk } from '~/lib/chunk';
import { useStore } from '~/lib/store';
import { useIsPhone, useSession, useShortcuts } from '~/session';
import { ConnectionBanner } from './ConnectionBanner';
import { PhoneBar } from './PhoneBar';
import { PhoneTabs } from './PhoneTabs';
import styles from './Shell.module.css';
import { SideNav } from './SideNav';
import { shortcutsHelp } from './shortcutsHelp';
import { useFirstSupport, useSupportOpen } from './support';
import { useLivePicture } from './useLivePicture';

const ShortcutsDialog = lazy(chunk(() => import('./ShortcutsDialog')));
const SupportDialog = lazy(chunk(() => import('./SupportDialog')));
const Notices = lazy(chunk(() => import('./Notices')));

/** The dashboard. A session may end before the guards have led away from here: nothing stands meanwhile. */
export function Shell() {
  const state = useSession();
  // Another user is another page: no draft of the one before may stay.
  return state.phase === 'signedIn' ? <Frame key={state.profile.userId} /> : null;
}

/** The frame around every section: navigation, banner, help. */
function Frame() {
  const isPhone = useIsPhone();
  const helpOpen = useStore(shortcutsHelp);
  const supportOpen = useSupportOpen();
  useLivePicture();
  useFirstSupport();
  useShortcuts({ '?': () => shortcutsHelp.set(true) });
  return (
    <div className={isPhone ? styles.phone : styles.shell}>
      <a className={styles.skip} href="#stage">
        Skip to content
      </a>
      {isPhone ? <PhoneBar /> : <SideNav />}
      <main key="stage" id="stage" className={styles.stage} tabIndex={-1}>
        <Outlet />
        <ConnectionBanner />
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
      </main>
      {isPhone && <PhoneTabs />}
      <Suspense fallback={null}>
        {helpOpen && <ShortcutsDialog />}
        {supportOpen && <SupportDialog />}
      </Suspense>
    </div>
  );
}
