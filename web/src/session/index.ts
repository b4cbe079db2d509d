import { api } from '~/api';
import { serverClock } from '~/lib/clock';
import { localStore } from '~/lib/storage';
import { useStore } from '~/lib/store';
import { meets, type Requirement } from './permissions';
import type { Organization, Profile } from './profile';
import { Session, type SessionState } from './session';
import { browserTabs } from './tabs';

export type { SessionAlert } from './alerts';
export { type AttentionKind, lower, raise, setTitle } from './attention';
export { type Brand, brand, hasSupportMail, supportText, useBrand, wordsOfCode } from './brand';
export { type Challenge, challengeOf, type FactorMethod } from './factor';
export { meets, type Requirement, type SectionRule, sectionRules } from './permissions';
export {
  EVERY_MAP_VIEW,
  followPreferences,
  LAYERS,
  type LayerId,
  type Preferences,
  preferences,
  setPreference,
  usePreference,
} from './preferences';
export { maySwitch, type Organization, type Profile } from './profile';
export type { SessionState } from './session';
export { type Shortcuts, useShortcuts } from './shortcuts';
export type { StepUpProof, StepUpReason } from './stepUp';
export { followTheme, type Theme, theme, useTheme } from './theme';
export { isPhone, useIsPhone } from './viewport';

/** The session of this tab. */
export const session = new Session({
  api,
  tabs: browserTabs(),
  clock: serverClock,
  now: () => Date.now(),
  storage: localStore(),
  ...(typeof document === 'undefined' ? {} : { page: document }),
});

export const useSession = (): SessionState => useStore(session.state);

const signedIn = (state: SessionState) => {
  if (state.phase !== 'signedIn') throw new Error('Nobody is signed in here.');
  return state;
};

/** The signed-in user; only for screens behind the sign-in. */
export const useProfile = (): Profile => useStore(session.state, state => signedIn(state).profile);

/** The organization that is looked at; only for screens behind the sign-in. */
export const useOrganization = (): Organization => useStore(session.state, organizationOf);

/** The organization that is looked at; throws when nobody is signed in. */
export const currentOrganization = (): Organization => organizationOf(session.state.get());

/** Where the organization that is looked at has its address; null where that isn't known, and when nobody is signed in. */
export function homeOf(): { lat: number; lng: number } | null {
  const state = session.state.get();
  const { lat, lng } = state.phase === 'signedIn' ? organizationOf(state) : NOWHERE;
  return lat === null || lng === null ? null : { lat, lng };
}

const NOWHERE = { lat: null, lng: null };

function organizationOf(state: SessionState): Organization {
  const { profile, organizationId } = signedIn(state);
  return profile.organizations.find(one => one.id === organizationId) ?? profile.organizations[0];
}

/** Whether the signed-in user meets a requirement; false when nobody is. A courtesy: the server decides. */
export function can(requirement: Requirement): boolean {
  const state = session.state.get();
  return state.phase === 'signedIn' && meets(state.profile.permissions, requirement);
}

/** `can` in a component. */
export const useCan = (requirement: Requirement): boolean =>
  useStore(session.state, state => state.phase === 'signedIn' && meets(state.profile.permissions, requirement));

/**
 * `useCan` for what changes an organization, by default the one that is looked at: whoever is only let in to see it
 * changes nothing there.
 */
export function useMay(requirement: Requirement, at?: Pick<Organization, 'relation'>): boolean {
  const here = useOrganization();
  return useCan(requirement) && (at ?? here).relation !== 'accessed';
}
