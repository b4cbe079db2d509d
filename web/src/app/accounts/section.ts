import type { SectionRow } from '~/section/section';
import { accountsRoutes, newAccountsRoutes } from './routes';

/** Manage Accounts & Users; the profile menu leads there. */
export const accounts: SectionRow = { id: 'accounts', frame: 'page', routes: accountsRoutes };

/** The accounts section that is being tried. */
export const newAccounts: SectionRow = { id: 'accounts-new', frame: 'page', routes: newAccountsRoutes };
