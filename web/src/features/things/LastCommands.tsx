import { useAtNow } from '~/live';
import { type Command, commandStatusText, commandText } from '~/model/command';
import { whenText } from '~/model/format';
import { DetailSection } from '~/section/parts';
import { useWords } from '~/section/words';
import { ErrorNotice, Skeleton, SkeletonBar } from '~/ui';
import type { Commands } from './commands';
import styles from './r2r.module.css';

/** The last commands to an asset's device, and how far they have come. */
export function LastCommands({ rows, failure, retry }: Commands) {
  return (
    <DetailSection title="Last commands">
      {failure && !rows ? (
        <ErrorNotice onRetry={retry}>{failure}</ErrorNotice>
      ) : !rows ? (
        <Skeleton label="Loading commands">
          <SkeletonBar width="70%" />
        </Skeleton>
      ) : rows.length === 0 ? (
        <p className={styles.none}>No commands yet.</p>
      ) : (
        <ul className={styles.commands}>
          {rows.map(command => (
            <Line key={command.id} command={command} />
          ))}
        </ul>
      )}
    </DetailSection>
  );
}

function Line({ command }: { command: Command }) {
  const { timeZone } = useWords();
  const when = useAtNow(now => whenText(command.issuedAt, timeZone, now));
  const { kind, name } = command.issuedBy;
  const by = kind === 'user' ? name : 'System';
  return (
    <li>
      <span>{commandText(command)}</span> <span className={styles.state}>{commandStatusText(command)}</span>
      <small>{[when, by, command.message].filter(Boolean).join(' · ')}</small>
    </li>
  );
}
