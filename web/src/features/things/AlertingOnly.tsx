import { Siren } from 'lucide-react';
import { liveStore, useFilter } from '~/live';
import { alertingOnly, defaultStatuses, isAlertingOnly } from '~/model/filter';
import styles from '~/section/list.module.css';
import { preferences } from '~/session';
import { announce, ToggleChip } from '~/ui';
import { shownText } from './statusWords';
import { patchView, thingsView } from './view';

/** The filter that is wanted in a hurry, by one press; another one brings back the statuses that were shown before. */
export function AlertingOnly() {
  const filter = useFilter();
  return (
    <ToggleChip
      className={styles.preset}
      icon={<Siren size={14} strokeWidth={1.75} aria-hidden="true" />}
      isSelected={isAlertingOnly(filter)}
      onChange={showAlertingOnly}
    >
      Alerting only
    </ToggleChip>
  );
}

function showAlertingOnly(on: boolean): void {
  const filter = liveStore.getFilter();
  const before = thingsView.get().beforeAlerting ?? defaultStatuses(preferences.get().showOffline);
  patchView({ beforeAlerting: on ? filter.statuses : null });
  liveStore.setFilter(on ? alertingOnly(filter) : { ...filter, statuses: before });
  announce(shownText(liveStore.getCounts().shown));
}
