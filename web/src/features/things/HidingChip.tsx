import { ListFilter, Search } from 'lucide-react';
import { useStore } from '~/lib/store';
import { liveStore, useCounts, useFilter, useThing } from '~/live';
import {
  isAlertingOnly,
  isHiding,
  isHidingBySettings,
  showAllFilter,
  shownAgain,
  type ThingFilter,
} from '~/model/filter';
import { selection } from '~/section/view';
import { announce, Button } from '~/ui';
import styles from './chip.module.css';
import { shownText } from './statusWords';

/**
 * Says that a search or filters keep assets away, wherever the list does not stand to say it: on the map and in the
 * detail. One press shows them again.
 */
export function HidingChip() {
  const filter = useFilter();
  const { shown, total } = useCounts();
  if (total === 0 || !isHiding(filter)) return null;
  const Icon = filter.search === '' ? ListFilter : Search;
  return (
    <section className={styles.chip} aria-label="Hidden assets">
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.what}>{whatHides(filter)}</span>
      <span className={`${styles.count} num`}>
        {shown} of {total} shown
      </span>
      <Button size="small" variant="ghost" onPress={showAgain}>
        Clear
      </Button>
    </section>
  );
}

/** The same on the map, unless the detail of an asset says it already. */
export function MapHidingChip() {
  const { selected } = useStore(selection);
  return useThing(selected ?? '') ? null : <HidingChip />;
}

function whatHides(filter: ThingFilter): string {
  if (filter.search !== '') return `Search: ${filter.search}${isHidingBySettings(filter) ? ' + filters' : ''}`;
  const others = isHidingBySettings({ ...filter, statuses: showAllFilter('').statuses });
  return isAlertingOnly(filter) && !others ? 'Alerting only' : 'Filters';
}

function showAgain(): void {
  liveStore.setFilter(shownAgain(liveStore.getFilter()));
  announce(shownText(liveStore.getCounts().shown));
}
