import { Radar } from 'lucide-react';
import { cx } from '~/lib/cx';
import { useAtNow } from '~/live';
import { type Finding, findingText } from '~/model/finding';
import { capital } from '~/model/format';
import type { Words } from '~/model/organization';
import { ScreenLink } from '~/section/EditLink';
import { useAbout, useLeads, watchdogPath } from '~/section/finding';
import { Tag } from '~/ui';
import { useFindingsOf } from './findings';
import styles from './findings.module.css';

/** What the watchdog finds about an asset just now; nothing where it finds nothing. */
export function Findings({ thingId, words }: { thingId: string; words: Words }) {
  const findings = useFindingsOf(thingId);
  const leads = useLeads();
  return (
    <div role="status">
      {findings.length > 0 && (
        <section className={styles.found} aria-label="Watchdog">
          <h2>
            <Radar size={16} strokeWidth={1.75} aria-hidden="true" />
            Watchdog
            {leads('accounts') && <ScreenLink to={watchdogPath(thingId)}>All findings</ScreenLink>}
          </h2>
          <ul>
            {findings.map(finding => (
              <Line key={finding.id} finding={finding} words={words} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Line({ finding, words }: { finding: Finding; words: Words }) {
  const text = useAtNow(now => findingText(finding, words.timeZone, now));
  const about = useAbout()(finding);
  return (
    <li className={cx(finding.isTrial && styles.quiet)}>
      {capital(text)} {finding.isTrial && <Tag className={styles.trial ?? ''}>Would have told</Tag>}
      {about && <small>{about.path ? <ScreenLink to={about.path}>{about.text}</ScreenLink> : about.text}</small>}
    </li>
  );
}
