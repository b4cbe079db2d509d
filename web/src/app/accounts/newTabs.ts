export const NEW_ACCOUNTS_PATH = '/dashboard/accounts-new';

/** The tabs of the new accounts section (specification section 2): the profile in full, the others announced. */
export const newTabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'users', label: 'Users', sentence: 'Users will be looked after here.' },
  { id: 'organizations', label: 'Organizations', sentence: 'Organizations will be looked after here.' },
  { id: 'integrations', label: 'Integrations', sentence: 'Fleet-telematics providers will be connected here.' },
  { id: 'billing', label: 'Billing', sentence: 'Billing will be shown here.' },
  { id: 'settings', label: 'Settings', sentence: 'Settings of the organization will be changed here.' },
] as const;
