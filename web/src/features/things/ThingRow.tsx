import { memo } from 'react';
import { cx } from '~/lib/cx';
import { useAtNow, useThing } from '~/live';
import { describeThing } from '~/model/describe';
import { truncate } from '~/model/format';
import type { Words } from '~/model/organization';
import type { Thing } from '~/model/thing';
import { catalogName } from '~/model/thingType';
import styles from '~/section/list.module.css';
import { Mark } from '~/section/Mark';
import { Tag } from '~/ui';
import { FindingTag } from './FindingTag';
import { TestModeTag } from './TestModeTag';

/** One asset in the list; it follows its own asset and nothing else. */
export const ThingRow = memo(function ThingRow({ id, words }: { id: string; words: Words }) {
  const thing = useThing(id);
  return thing ? <Row thing={thing} words={words} /> : null;
});

const SEPARATOR = '\u001f';

function Row({ thing, words }: { thing: Thing; words: Words }) {
  // One text for all that depends on the time: the row renders only when something it says has changed.
  const said = useAtNow(now => {
    const view = describeThing(thing, words, now);
    return [view.label, view.tone, view.line, view.age, view.isOld ? 'old' : ''].join(SEPARATOR);
  });
  const [label, tone, line, age, old] = said.split(SEPARATOR);
  return (
    <div className={cx(styles.row, old && styles.old)}>
      <Mark thing={thing} />
      <div className={styles.rowText}>
        <div className={styles.name} title={thing.primaryDisplayName}>
          {truncate(thing.primaryDisplayName)}{' '}
          {thing.secondaryDisplayName && <small>{truncate(thing.secondaryDisplayName)}</small>}
          {/* The mark beside it shows the type to the eye. */}
          <span className="visually-hidden">, {catalogName(thing.thingTypeId) || 'Other'}, </span>
        </div>
        <div className={styles.line}>
          <b className={`s-${tone}`}>{label}</b> {thing.isTestModeOn && <TestModeTag />}{' '}
          <FindingTag thingId={thing.id} /> <span>{line}</span>
        </div>
        {!thing.inService && (
          <div className={styles.badges}>
            <Tag>Out-of-Service</Tag>
          </div>
        )}
      </div>{' '}
      <div className={cx(styles.age, 'num')}>{age}</div>
    </div>
  );
}
