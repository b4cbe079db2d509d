import { meets, type Profile, type Requirement, type SectionRule, sectionRules } from '~/session';

/** The sections of the dashboard that work; the others come with their own screens. */
const BUILT: readonly string[] = ['things', 'accounts', 'accounts-new'];

/** What the route guard says of a section. */
export type Verdict = 'allowed' | 'forbidden' | 'notOnMobile';

/** Whether a user may see a section here (specification section 2, route guard). */
export function verdict(profile: Profile, section: SectionRule, isPhone: boolean): Verdict {
  if (!meets(profile.permissions, section.requirement)) return 'forbidden';
  const fits = !isPhone || (section.mobile && meets(profile.permissions, 'MOBILE'));
  return fits ? 'allowed' : 'notOnMobile';
}

/** The sections to show in the navigation, in its order: built, in the user's access list, permitted. */
export function shownSections(profile: Profile, isPhone: boolean, built = BUILT): readonly SectionRule[] {
  return sectionRules.filter(
    section =>
      built.includes(section.id) &&
      profile.sections.includes(section.id) &&
      verdict(profile, section, isPhone) === 'allowed',
  );
}

/** Whether a section is there for a user to go to: built, in the access list, permitted. */
export function isOpen(profile: Profile, id: string, isPhone: boolean, built = BUILT): boolean {
  return shownSections(profile, isPhone, built).some(section => section.id === id);
}

/** The default section: the first built entry of the access list; undefined when there is none. */
export function defaultSection(profile: Profile, isPhone: boolean, built = BUILT): string | undefined {
  const shown = shownSections(profile, isPhone, built);
  return profile.sections.find(id => shown.some(section => section.id === id));
}

/** A remembered origin, if it is an address inside the dashboard; anything else (another site) is undefined. */
export function originOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const inside = /^\/dashboard(?=$|[/?#])/.test(value) && !value.includes('\\') && !value.includes('//');
  return inside ? value : undefined;
}

/** What the parts of the Data section ask for beyond the section itself (specification section 2). */
const DATA_PARTS: Readonly<Record<string, Requirement>> = {
  reports: 'VIEW_REPORTS',
  exports: 'VIEW_EXPORTS',
  'exports/new': 'CREATE_EXPORT',
};

/** The address without a part of the Data section that the user may not see. */
function permittedPart(profile: Profile, address: string): string {
  const part = /^\/dashboard\/data\/(exports\/new|[^/?#]+)/.exec(address)?.[1];
  const requirement = part && DATA_PARTS[part];
  return requirement && !meets(profile.permissions, requirement) ? '/dashboard/data' : address;
}

/**
 * Where /dashboard leads: to the requested address if its section is permitted (without a part of Data that is not),
 * else to the default section; undefined when the user has no section at all.
 */
export function landing(
  profile: Profile,
  requested: string | undefined,
  isPhone: boolean,
  built = BUILT,
): string | undefined {
  const id = /^\/dashboard\/([^/?#]+)/.exec(requested ?? '')?.[1];
  if (requested && id === 'profile') return requested; // everybody's own
  if (requested && id && isOpen(profile, id, isPhone, built)) return permittedPart(profile, requested);
  const fallback = defaultSection(profile, isPhone, built);
  return fallback && `/dashboard/${fallback}`;
}
