import { Link } from '@tanstack/react-router';
import { Database } from 'lucide-react';
import { useProfile } from '~/session';
import { buttonClass } from '~/ui/Button';
import { DATA_PATH, shownEntries } from '../data/entries';
import { isOpen } from '../guards';
import styles from './Shell.module.css';

/** To reports and exports, for who may see any of them (requirements 2.chrome). */
export function DataLink() {
  const profile = useProfile();
  if (!isOpen(profile, 'data', false) || shownEntries(profile.permissions).length === 0) return null;
  return (
    <Link to={DATA_PATH as '/'} className={buttonClass({ float: true })} title="Data">
      <Database size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.dataWord}>Data</span>
    </Link>
  );
}
