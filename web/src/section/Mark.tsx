import { useAtNow } from '~/live';
import { StatusMark } from '~/map/StatusMark';
import type { MarkType } from '~/map/types';
import { MARK_STATUSES, markCode } from '~/model/batch';
import { isStale, type Thing } from '~/model/thing';
import { thingTypeName } from '~/model/thingType';

/** The mark of an asset, the same as on the map. */
export function Mark({ thing, size }: { thing: Thing; size?: number }) {
  const stale = useAtNow(now => isStale(thing, now));
  return (
    <StatusMark
      status={MARK_STATUSES[markCode(thing)] ?? 'OFFLINE'}
      type={thingTypeName(thing.thingTypeId) as MarkType}
      course={thing.course}
      speed={thing.speed}
      inService={thing.inService}
      stale={stale}
      size={size}
    />
  );
}
