import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useStore } from '~/lib/store';
import { useIsPhone, useShortcuts } from '~/session';
import { ConnectionBanner } from './ConnectionBanner';
import { PhoneBar } from './PhoneBar';
import { PhoneTabs } from './PhoneTabs';
import styles from './Shell.module.css';
import { SideNav } from './SideNav';
import { shortcutsHelp } from './shortcutsHelp';
import { useLivePicture } from './useLivePicture';

const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));

/** The frame around every section: navigation, banner, help. */
export function Shell() {
  const isPhone = useIsPhone();
  const helpOpen = useStore(shortcutsHelp);
  useLivePicture();
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
      </main>
      {isPhone && <PhoneTabs />}
      <Suspense fallback={null}>{helpOpen && <ShortcutsDialog />}</Suspense>
    </div>
  );
}
