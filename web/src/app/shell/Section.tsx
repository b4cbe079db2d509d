import type { ReactNode } from 'react';
import { sectionRules, useIsPhone, useProfile } from '~/session';
import { verdict } from '../guards';
import { Refused } from '../screens';

/** The route guard: a section, or why it does not show. */
export function Section({ id, children }: { id: string; children: ReactNode }) {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const rule = sectionRules.find(section => section.id === id);
  const word = rule ? verdict(profile, rule, isPhone) : 'forbidden';
  return word === 'allowed' ? children : <Refused why={word} />;
}

/** /dashboard of a user who may see no section. */
export const NoSection = () => <Refused why="forbidden" />;
