import type { About, Finding } from '~/model/finding';
import { managerPath } from '~/model/manager';
import { meets, type Requirement, sectionRules, useIsPhone, useProfile } from '~/session';
import { pathsOf } from './paths';

/** Its tab of Manage Accounts & Users. */
export const WATCHDOG_TAB = 'watchdog';

/** The watchdog's list, of all assets or of one. */
export const watchdogPath = (thingId?: string): string =>
  managerPath(WATCHDOG_TAB) + (thingId === undefined ? '' : `?asset=${encodeURIComponent(thingId)}`);

interface Place {
  /** what stands before its name */
  word: string;
  section: string;
  requirement: Requirement;
  path: (id: string, finding: Pick<Finding, 'thingId'>) => string;
}

/** Where what a finding is about has its screen. */
const PLACES: Readonly<Record<About['type'], Place>> = {
  incident: { word: 'Incident', section: 'events', requirement: 'VIEW_EVENTS', path: pathsOf('events').detail },
  closure: { word: 'Closure', section: 'closures', requirement: 'VIEW_CLOSURES', path: pathsOf('closures').detail },
  station: { word: 'Station', section: 'areas', requirement: 'VIEW_AREAS', path: pathsOf('areas').detail },
  integration: {
    ...{ word: 'Integration', section: 'accounts', requirement: 'VIEW_INTEGRATIONS' },
    path: target => managerPath('integration', { view: 'formRead', target }),
  },
  configuration: {
    ...{ word: 'Configuration', section: 'accounts', requirement: 'MANAGE_THINGS' },
    path: (_, { thingId }) => managerPath('thing', { view: 'formRead', target: thingId }),
  },
};

/** Whether somebody can go to a section from here, and see there what needs a permission of its own. */
export function useLeads(): (section: string, requirement?: Requirement) => boolean {
  const { permissions, sections } = useProfile();
  const isPhone = useIsPhone();
  return (section, requirement) => {
    const rule = sectionRules.find(one => one.id === section);
    if (!rule || !sections.includes(section) || !meets(permissions, rule.requirement)) return false;
    if (isPhone && !(rule.mobile && meets(permissions, 'MOBILE'))) return false;
    return requirement === undefined || meets(permissions, requirement);
  };
}

/** What a finding is about, in words, and the address of its screen where the user has that. */
export function useAbout(): (finding: Finding) => { text: string; path: string | undefined } | undefined {
  const leads = useLeads();
  return finding => {
    const { about } = finding;
    if (!about) return undefined;
    const place = PLACES[about.type];
    if (!place) return { text: about.name, path: undefined };
    const { word, section, requirement, path } = place;
    const text = [word, about.name].filter(Boolean).join(': ');
    return { text, path: leads(section, requirement) ? path(about.id, finding) : undefined };
  };
}
