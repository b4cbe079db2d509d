export const NEW_ACCOUNTS_PATH = '/dashboard/accounts-new';

/** The tabs of the new accounts section (specification section 2): the profile in full, the others announced. */
export const newTabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'users', label: 'Users', sentence: 'User management is coming soon.' },
  { id: 'organizations', label: 'Organizations', sentence: 'Organization management is coming soon.' },
  { id: 'integrations', label: 'Integrations', sentence: 'Telematics integrations are coming soon.' },
  { id: 'billing', label: 'Billing', sentence: 'Billing is coming soon.' },
  { id: 'settings', label: 'Settings', sentence: 'Organization settings are coming soon.' },
] as const;
