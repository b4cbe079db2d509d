import type { ReactNode } from 'react';
import { sectionRules, useIsPhone, useProfile } from '~/session';
import { verdict } from '../guards';
import { Refused } from '../screens';
import { TopBar } from './TopBar';

/** The route guard: a section, or why it does not show. Ids that are no section show the children. */
export function Section({ id, children }: { id: string; children: ReactNode }) {
  const profile = useProfile();
  const isPhone = useIsPhone();
  const rule = sectionRules.find(section => section.id === id);
  const word = rule ? verdict(profile, rule, isPhone) : 'allowed';
  return word === 'allowed' ? children : <Page refused={word} />;
}

/** /dashboard of a user who may see no section. */
export const NoSection = () => <Page refused="forbidden" />;

/** The reason, with the way to another organization and out. */
function Page({ refused }: { refused: 'forbidden' | 'notOnMobile' }) {
  return (
    <>
      <Refused why={refused} />
      <TopBar />
    </>
  );
}
