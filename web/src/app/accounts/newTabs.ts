import type { ManagerTab } from '~/model/manager';

export const NEW_ACCOUNTS_PATH = '/dashboard/accounts-new';

interface NewTab {
  id: string;
  label: string;
  /** What is said in place of a screen. */
  sentence?: string;
  /** Where the screen is until it is here. */
  tab?: ManagerTab;
}

/** The tabs of the new accounts section (requirements 2.route): the profile in full, the others announced. */
export const newTabs: readonly NewTab[] = [
  { id: 'profile', label: 'Profile' },
  { id: 'users', label: 'Users', sentence: 'User management is coming soon.' },
  { id: 'organizations', label: 'Organizations', sentence: 'Organization management is coming soon.' },
  {
    id: 'integrations',
    label: 'Integrations',
    sentence: 'Telematics integrations are in Manage Accounts & Users.',
    tab: 'integration',
  },
  { id: 'billing', label: 'Billing', sentence: 'Billing is coming soon.' },
  { id: 'settings', label: 'Settings', sentence: 'Organization settings are coming soon.' },
];
