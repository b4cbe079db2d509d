import { TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { serverClock } from '~/lib/clock';
import { whenText } from '~/model/format';
import { ScreenLink } from '~/section/EditLink';
import { useOrganization } from '~/session';
import { announce, Button } from '~/ui';
import styles from './areas.module.css';
import { type Cover, markRead, missingText, useUnread } from './cover';
import { AREAS } from './noun';

/** Over the map: a station that somebody watches is without its units. It stays until it is read, or covered again. */
export function CoverChip() {
  const unread = useUnread();
  const [first] = unread;
  return first ? <Alarm key={`${first.areaId}/${first.since}`} first={first} unread={unread} /> : null;
}

function Alarm({ first, unread }: { first: Cover; unread: readonly Cover[] }) {
  const { timezone } = useOrganization();
  const what = missingText(first);
  const since = whenText(first.since, timezone, serverClock.now());
  useEffect(() => announce(`${what} since ${since}`), [what, since]);
  return (
    <section className={styles.alarm} aria-label="Station coverage">
      <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      <ScreenLink to={AREAS.detail(first.areaId)}>{what}</ScreenLink>{' '}
      <span className="num">
        since {since}
        {unread.length > 1 && ` · ${unread.length - 1} more`}
      </span>
      <Button size="small" variant="ghost" onPress={() => markRead(unread)}>
        {unread.length > 1 ? 'Mark all read' : 'Mark read'}
      </Button>
    </section>
  );
}
