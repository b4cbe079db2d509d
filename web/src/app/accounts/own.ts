import { managerPath } from '~/model/manager';
import type { Profile } from '~/session';
import { isOpen } from '../guards';

/** One's own profile, password, second factor and sessions: for everybody, in no section. */
export const OWN_PATH = '/dashboard/profile';

/** Where a user looks after their own account: the Account tab with access to Accounts, else a page of its own. */
export const ownAccountPath = (profile: Profile, isPhone: boolean): string =>
  isOpen(profile, 'accounts', isPhone) ? managerPath('account') : OWN_PATH;
