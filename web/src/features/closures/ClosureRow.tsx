import { memo } from 'react';
import { cx } from '~/lib/cx';
import { useAtNow, useRow, useThing } from '~/live';
import { type Closure, closureStatus, isClosureActive, isClosureScheduled } from '~/model/closure';
import { truncate } from '~/model/format';
import type { Words } from '~/model/organization';
import { patternText } from '~/model/recurrence';
import type { ListRowProps } from '~/section/ListScreen';
import list from '~/section/list.module.css';
import { Tag } from '~/ui';
import { ClosureMark } from './ClosureMark';
import styles from './closures.module.css';
import { QuickActions } from './QuickActions';
import { lanesText, leftText, MANAGED_BY_FEED, roadText, statusText, streetsText, whenText } from './words';

/** One closure in the list; it follows its own closure and the asset that drives it. */
export const ClosureRow = memo(function ClosureRow({ id, words, isForeign }: ListRowProps) {
  const closure = useRow('closure', id);
  return closure ? <Row closure={closure} words={words} owner={isForeign ? closure.organizationName : ''} /> : null;
});

/** The limits beside the road; a closure without a road name is called by them already. */
const streetsOf = (closure: Closure): string => {
  const streets = streetsText(closure);
  return streets === roadText(closure) ? '' : streets;
};

function Row({ closure, words, owner }: { closure: Closure; words: Words; owner: string }) {
  const heard = useThing(closure.thing?.id ?? '')?.heartbeatAt ?? 0;
  const status = useAtNow(now => closureStatus(closure, now, heard));
  const isScheduled = useAtNow(now => status === 'standby' && isClosureScheduled(closure, now));
  const isAsked = useAtNow(now => closure.asked_at !== 0 && isClosureActive(closure, now));
  // The question needs the room.
  const when = useAtNow(now =>
    [whenText(closure, words, now), isAsked ? '' : leftText(closure, now)].filter(Boolean).join(' · '),
  );
  const { closure_type: type, description, is_in_service: inService, thing, recurrence } = closure;
  const where = [roadText(closure), streetsOf(closure), recurrence && patternText(recurrence), lanesText(closure)];
  // Its mark says that people made it; a feed's must say why it has no switch.
  const said = type === 'feed' ? [MANAGED_BY_FEED, ...where, owner] : [...where, thing?.displayName, owner];
  const parts = said.filter(Boolean);
  return (
    <div className={cx(list.row, list.withEnd, styles.row)}>
      <ClosureMark type={type} isActive={status === 'active'} />
      <div className={list.rowText}>
        <div className={cx(list.name, styles.beside)} title={description}>
          {truncate(description)}
          <span className="visually-hidden">, </span>
        </div>
        <div className={cx(list.line, styles.beside)}>
          <b className={`s-${status}`}>{isScheduled ? 'Scheduled' : statusText(status)}</b> <span>{when}</span>
          {isAsked && <b className={styles.ask}> Still there?</b>}
        </div>
        <div className={list.line}>
          <span title={parts.join(' · ')}>{parts.join(' · ')}</span>
        </div>
        {!inService && (
          <div className={list.badges}>
            <Tag>Out-of-Service</Tag>
          </div>
        )}
      </div>{' '}
      <QuickActions closure={closure} />
    </div>
  );
}
