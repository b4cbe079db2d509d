import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { chunk } from '~/lib/chunk';
import { useStore } from '~/lib/store';
import { isBehind, streamStore } from '~/live';
import { sectionRules, useIsPhone, useProfile, useSession, useShortcuts } from '~/session';
import { verdict } from '../guards';
import { useSections } from '../sections';
import { ConnectionBanner } from './ConnectionBanner';
import { NavFrame } from './NavFrame';
import { PhoneBar } from './PhoneBar';
import { PhoneTabs } from './PhoneTabs';
import styles from './Shell.module.css';
import { SideNav } from './SideNav';
import { shortcutsHelp } from './shortcutsHelp';
import { useFirstSupport, useSupportOpen } from './support';
import { useLivePicture } from './useLivePicture';
import { useParts } from './useParts';

const ShortcutsDialog = lazy(chunk(() => import('./ShortcutsDialog')));
const SupportDialog = lazy(chunk(() => import('./SupportDialog')));
const Notices = lazy(chunk(() => import('./Notices')));

/** The dashboard. A session may end before the guards have led away from here: nothing stands meanwhile. */
export function Shell() {
  const state = useSession();
  // Another user is another page: no draft of the one before may stay.
  return state.phase === 'signedIn' ? <Frame key={state.profile.userId} /> : null;
}

/** What the banner leaves to the section. While the live picture may be behind, everything in it that is live dims. */
function Room({ children }: { children: ReactNode }) {
  const isOld = useStore(streamStore, isBehind);
  return (
    <div className={styles.room} data-behind={isOld || undefined}>
      {children}
    </div>
  );
}

/** The dashboard's navigation, or the own one of a section that is open to the user. */
function Nav() {
  const id = useLocation({ select: location => location.pathname.split('/')[2] });
  const row = useSections().find(section => section.id === id);
  const rule = sectionRules.find(section => section.id === id);
  const profile = useProfile();
  if (!row?.Nav || !rule || verdict(profile, rule, false) !== 'allowed') return <SideNav />;
  return (
    <Suspense fallback={<NavFrame label="Main" />}>
      <row.Nav />
    </Suspense>
  );
}

/** The frame around every section: navigation, banner, help. */
function Frame() {
  const isPhone = useIsPhone();
  const helpOpen = useStore(shortcutsHelp);
  const supportOpen = useSupportOpen();
  useLivePicture();
  useParts();
  useFirstSupport();
  useShortcuts({ '?': () => shortcutsHelp.set(true) });
  return (
    <div className={isPhone ? styles.phone : styles.shell}>
      <a className={styles.skip} href="#stage">
        Skip to content
      </a>
      {isPhone ? <PhoneBar /> : <Nav />}
      <main key="stage" id="stage" className={styles.stage} tabIndex={-1}>
        <ConnectionBanner />
        <Room>
          <Outlet />
          <Suspense fallback={null}>
            <Notices />
          </Suspense>
        </Room>
      </main>
      {isPhone && <PhoneTabs />}
      <Suspense fallback={null}>
        {helpOpen && <ShortcutsDialog />}
        {supportOpen && <SupportDialog />}
      </Suspense>
    </div>
  );
}
