import { useParams } from '@tanstack/react-router';
import { sectionRules, useIsPhone, useProfile } from '~/session';
import { verdict } from '../guards';
import { NotFound, Refused } from '../screens';

/** Addresses of sections that have no screen here: first what the guard says of them, then that they are not found. */
export function OtherSection() {
  const { section: id } = useParams({ strict: false });
  const profile = useProfile();
  const isPhone = useIsPhone();
  const rule = sectionRules.find(section => section.id === id);
  if (!rule) return <NotFound />;
  const word = verdict(profile, rule, isPhone);
  return word === 'allowed' ? <NotFound /> : <Refused why={word} />;
}
