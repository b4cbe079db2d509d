import catalog from '@catalog/permissions.json';

/** A named requirement of requirements 6.req. */
export type Requirement = keyof typeof catalog.requirements;

/** A section of the dashboard, in the order of the navigation. */
export interface SectionRule {
  id: string;
  requirement: Requirement;
  /** Works below 769 px. */
  mobile: boolean;
  /** What parts of it ask for beyond the section itself, by their address below it. */
  parts?: Readonly<Record<string, Requirement>>;
}

export const sectionRules = catalog.sections as readonly SectionRule[];

/** Passes when the user has any permission of the requirement's list, or the list is empty (requirements 6.model). */
export function meets(permissions: ReadonlySet<string>, requirement: Requirement): boolean {
  const list: readonly string[] = catalog.requirements[requirement];
  return list.length === 0 || list.some(permission => permissions.has(permission));
}
