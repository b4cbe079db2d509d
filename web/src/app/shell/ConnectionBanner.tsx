import { WifiOff } from 'lucide-react';
import { texts } from '~/api';
import { useDelayed } from '~/lib/debounce';
import { useStore } from '~/lib/store';
import { isBehind, streamStore } from '~/live';
import styles from './Shell.module.css';

/** A reconnect that succeeds within this time is nobody's business. */
const PATIENCE_MS = 4000;

/** Says that the connection is in trouble, once it has been for a while. */
export function ConnectionBanner() {
  const troubled = useStore(streamStore, isBehind);
  const shown = useDelayed(troubled, PATIENCE_MS);
  return (
    <div role="status">
      {shown && (
        <p className={styles.banner}>
          <WifiOff size={16} strokeWidth={1.75} aria-hidden="true" />
          {texts.chrome.connection}
        </p>
      )}
    </div>
  );
}
