import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useProfile } from '~/session';
import { NavFrame } from '../shell/NavFrame';
import styles from '../shell/SideNav.module.css';
import { DATA_PATH, shownEntries } from './entries';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The navigation of Data: its permitted entries, and the way back to the dashboard. */
export default function DataNav() {
  const { permissions } = useProfile();
  return (
    <NavFrame label="Data">
      {shownEntries(permissions).map(({ id, label, Icon }) => (
        <Link key={id} to={`${DATA_PATH}/${id}` as '/'} className={`${styles.link} ${styles.tight}`} title={label}>
          <Icon {...icon} />
          <span className={styles.word}>{label}</span>
        </Link>
      ))}
      <div className={styles.gap} />
      <Link
        to="/dashboard"
        className={`${styles.link} ${styles.tight} ${styles.small}`}
        title="Close"
        activeOptions={{ exact: true }}
      >
        <X {...icon} />
        <span className={styles.word}>Close</span>
      </Link>
    </NavFrame>
  );
}
