import { meets, type Profile, type SectionRule, sectionRules } from '~/session';
import { sections } from './sections';

/** A row of the table of sections, as far as the guards need it. */
type Row = { readonly id: string };

/** What the route guard says of a section. */
export type Verdict = 'allowed' | 'forbidden' | 'notOnMobile';

/** Whether a user may see a section here (requirements 2.guard). */
export function verdict(profile: Profile, section: SectionRule, isPhone: boolean): Verdict {
  if (!meets(profile.permissions, section.requirement)) return 'forbidden';
  const fits = !isPhone || (section.mobile && meets(profile.permissions, 'MOBILE'));
  return fits ? 'allowed' : 'notOnMobile';
}

/** The sections that are there for a user, in the navigation's order: in the table, in the access list, permitted. */
export function shownSections<R extends Row>(profile: Profile, isPhone: boolean, table: readonly R[]): readonly R[] {
  return sectionRules
    .filter(rule => profile.sections.includes(rule.id) && verdict(profile, rule, isPhone) === 'allowed')
    .flatMap(rule => table.filter(row => row.id === rule.id));
}

/** Whether a section is there for a user to go to. */
export function isOpen(profile: Profile, id: string, isPhone: boolean, table: readonly Row[] = sections): boolean {
  return shownSections(profile, isPhone, table).some(section => section.id === id);
}

/** The default section: the first entry of the access list that is there; undefined when there is none. */
export function defaultSection(profile: Profile, isPhone: boolean, table: readonly Row[]): string | undefined {
  const shown = shownSections(profile, isPhone, table);
  return profile.sections.find(id => shown.some(section => section.id === id));
}

/** A remembered origin, if it is an address inside the dashboard; anything else (another site) is undefined. */
export function originOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const inside = /^\/dashboard(?=$|[/?#])/.test(value) && !value.includes('\\') && !value.includes('//');
  return inside ? value : undefined;
}

/** The address, without a part of its section that the user may not see (requirements 2.sec). */
function permittedPart(profile: Profile, id: string, address: string): string {
  const parts = sectionRules.find(section => section.id === id)?.parts ?? {};
  const words = address
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(3);
  const names = words.map((_, i) => words.slice(0, i + 1).join('/'));
  const requirement = parts[names.findLast(name => name in parts) ?? ''];
  return requirement && !meets(profile.permissions, requirement) ? `/dashboard/${id}` : address;
}

/**
 * Where /dashboard leads: to the requested address if its section is permitted (without a part of it that is not),
 * else to the default section; undefined when the user has no section at all.
 */
export function landing(
  profile: Profile,
  requested: string | undefined,
  isPhone: boolean,
  table: readonly Row[],
): string | undefined {
  const id = /^\/dashboard\/([^/?#]+)/.exec(requested ?? '')?.[1];
  if (requested && id === 'profile') return requested; // everybody's own
  if (requested && id && isOpen(profile, id, isPhone, table)) return permittedPart(profile, id, requested);
  const fallback = defaultSection(profile, isPhone, table);
  return fallback && `/dashboard/${fallback}`;
}
