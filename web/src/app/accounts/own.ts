import { managerPath } from '~/model/manager';
import type { Profile } from '~/session';
import { isOpen } from '../guards';

/** One's own profile, password, second factor and sessions: for everybody, in no section. */
export const OWN_PATH = '/dashboard/profile';

/**
 * Where a user looks after their own account, or a part of it: the Account tab with access to Accounts, else a page of
 * its own.
 */
export function ownAccountPath(profile: Profile, isPhone: boolean, part?: 'password' | 'second-factor'): string {
  if (!isOpen(profile, 'accounts', isPhone)) return part ? `${OWN_PATH}#${part}` : OWN_PATH;
  return managerPath('account', part ? { view: 'formRead', target: part } : undefined);
}
