import type { ReactNode } from 'react';
import { useIsPhone } from '~/session';
import { DataLink } from './DataLink';
import { OrganizationSelect } from './OrganizationSelect';
import { ProfileMenu } from './ProfileMenu';
import styles from './Shell.module.css';

/** Top right on larger screens: what a section adds, data, the organization, the user. Phones have it in their top bar. */
export function TopBar({ children }: { children?: ReactNode }) {
  if (useIsPhone()) return null;
  return (
    <div className={styles.top} data-over-map>
      {children}
      <DataLink />
      <OrganizationSelect />
      <ProfileMenu />
    </div>
  );
}
