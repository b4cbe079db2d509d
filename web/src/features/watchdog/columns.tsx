import { useMemo } from 'react';
import { useAtNow } from '~/live';
import { type Finding, findingText, subjectOf } from '~/model/finding';
import { whenText } from '~/model/format';
import { PathLink } from '~/office';
import { useAbout, useLeads } from '~/section/finding';
import { pathsOf } from '~/section/paths';
import { useOrganization } from '~/session';
import { Button, type Column, Pill, Popover, Two } from '~/ui';
import { unmailedText } from './findings';
import type { Watchdog } from './watchdog';
import styles from './watchdog.module.css';

/** So many who were mailed are named in the row. */
const NAMED = 2;
const assetPath = pathsOf('things').detail;

/** A finding in columns: what it is, what it is about, who was told. */
export function useFindingColumns(watchdog: Watchdog | undefined): readonly Column<Finding>[] {
  return useMemo(
    () => [
      { id: 'what', title: 'Finding', width: '52%', cell: finding => <What finding={finding} /> },
      { id: 'about', title: 'About', width: '24%', cell: finding => <AboutCell finding={finding} /> },
      { id: 'told', title: 'Mailed', cell: finding => <Told finding={finding} watchdog={watchdog} /> },
    ],
    [watchdog],
  );
}

function What({ finding }: { finding: Finding }) {
  const { timezone } = useOrganization();
  const leads = useLeads();
  const text = useAtNow(now => findingText(finding, timezone, now));
  const subject = subjectOf(finding);
  return (
    <div className={styles.what}>
      {finding.thingId && leads('things') ? (
        <PathLink path={assetPath(finding.thingId)}>{subject}</PathLink>
      ) : (
        <b>{subject}</b>
      )}{' '}
      {text} {finding.isTrial && <Pill>Would have told</Pill>}
    </div>
  );
}

function AboutCell({ finding }: { finding: Finding }) {
  const about = useAbout()(finding);
  if (!about) return '–';
  return about.path ? <PathLink path={about.path}>{about.text}</PathLink> : about.text;
}

function Told({ finding, watchdog }: { finding: Finding; watchdog: Watchdog | undefined }) {
  const { timezone } = useOrganization();
  const { mailed } = finding;
  const last = Math.max(0, ...mailed.map(one => one.at));
  const when = useAtNow(now => whenText(last, timezone, now));
  if (mailed.length === 0) return <span className={styles.quiet}>{unmailedText(finding, watchdog)}</span>;
  const named = mailed.length > NAMED + 1 ? mailed.slice(0, NAMED) : mailed;
  const more = mailed.length - named.length;
  return (
    <Two sub={when}>
      {named.map(one => one.name).join(', ')}
      {more > 0 && (
        <Popover
          label="Mailed"
          trigger={
            <Button size="small" variant="ghost">
              and {more} more
            </Button>
          }
        >
          <ul className={styles.mailed}>
            {mailed.map(one => (
              <li key={one.id}>{one.name}</li>
            ))}
          </ul>
        </Popover>
      )}
    </Two>
  );
}
