import { Radar } from 'lucide-react';
import { cx } from '~/lib/cx';
import { Tag } from '~/ui';
import { findingTag, useFindingsOf } from './findings';
import styles from './findings.module.css';

/** What the watchdog found about an asset, in a row: in no color of a status, because it is no alert. */
export function FindingTag({ thingId }: { thingId: string }) {
  const tag = findingTag(useFindingsOf(thingId));
  if (!tag) return null;
  return (
    <Tag className={cx(styles.tag, tag.isTrial && styles.trial)}>
      <Radar size={11} strokeWidth={2} aria-hidden="true" />
      <span className="visually-hidden">{tag.isTrial ? 'Watchdog on trial: ' : 'Watchdog: '}</span>
      {tag.text}
    </Tag>
  );
}
