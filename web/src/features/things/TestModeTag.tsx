import { FlaskConical } from 'lucide-react';
import { Tag } from '~/ui';
import styles from './r2r.module.css';

/** What an asset in test mode is known by, beside its status: its lights are no real alert. */
export function TestModeTag() {
  return (
    <Tag className={styles.testMode ?? ''}>
      <FlaskConical size={11} strokeWidth={2} aria-hidden="true" />
      Test Mode
    </Tag>
  );
}
