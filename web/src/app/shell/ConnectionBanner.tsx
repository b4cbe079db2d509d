import { WifiOff } from 'lucide-react';
import { texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { useDelayed } from '~/lib/debounce';
import { useStore } from '~/lib/store';
import { isBehind, streamStore } from '~/live';
import { DATE_PATTERNS, whenText } from '~/model/format';
import { useOrganization } from '~/session';
import styles from './Shell.module.css';

/** A reconnect that succeeds within this time is nobody's business. */
const PATIENCE_MS = 4000;

/** Says that the connection is in trouble, once it has been for a while; it takes its room from the section below it. */
export function ConnectionBanner() {
  const troubled = useStore(streamStore, isBehind);
  const shown = useDelayed(troubled, PATIENCE_MS);
  return (
    <div role="status">
      {shown && (
        <p className={styles.banner}>
          <WifiOff size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>
            <AsOf />
            {texts.chrome.connection}
          </span>
        </p>
      )}
    </div>
  );
}

/** The instant of what is on screen. */
function AsOf() {
  const asOf = useStore(streamStore, state => state.asOf);
  const { timezone } = useOrganization();
  if (asOf === 0) return null;
  return <b className="num">{`As of ${whenText(asOf, timezone, serverClock.now(), DATE_PATTERNS.timeSeconds)}. `}</b>;
}
