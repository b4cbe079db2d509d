import type { ManagerPlace } from '~/model/manager';
import { managerPath } from '~/model/manager';
import { PathRedirect } from '~/office';
import { WATCHDOG_TAB } from '~/section/finding';
import { useOrganization } from '~/session';
import { FindingList } from './FindingList';
import { SettingsPage } from './SettingsPage';
import { SETTINGS } from './watchdog';

/** The watchdog tab: what it found, and beside that what it looks for. */
export default function WatchdogTab({ view, target }: ManagerPlace) {
  const { id } = useOrganization();
  if (view === 'list') return <FindingList key={id} />;
  if (view === 'formRead' && target === SETTINGS) return <SettingsPage key={id} />;
  return <PathRedirect path={managerPath(WATCHDOG_TAB)} />;
}
