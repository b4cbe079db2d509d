import { type ComponentType, lazy } from 'react';
import { chunk } from '~/lib/chunk';
import type { ManagerPlace, ManagerTab } from '~/model/manager';
import type { Requirement } from '~/session';

/** One tab of Manage Accounts & Users. */
export interface Tab {
  id: ManagerTab;
  label: string;
  /** Who sees it; the section's own requirement holds for all. */
  requirement: Requirement;
  Screen: ComponentType<ManagerPlace>;
}

/** The tabs in their order; a new one is a line here. */
export const tabs: readonly Tab[] = [
  {
    id: 'account',
    label: 'Account',
    requirement: 'VIEW_ACCOUNTS',
    Screen: lazy(chunk(() => import('~/features/profile/AccountTab'))),
  },
  {
    id: 'user',
    label: 'Users',
    requirement: 'VIEW_USERS',
    Screen: lazy(chunk(() => import('~/features/users/UsersTab'))),
  },
  {
    id: 'organization',
    label: 'Organizations',
    requirement: 'VIEW_ORGANIZATION',
    Screen: lazy(chunk(() => import('~/features/organizations/OrganizationsTab'))),
  },
  {
    id: 'thing',
    label: 'Assets',
    requirement: 'MANAGE_THINGS',
    Screen: lazy(chunk(() => import('~/features/assets/AssetsTab'))),
  },
  {
    id: 'watchdog',
    label: 'Watchdog',
    requirement: 'VIEW_THINGS',
    Screen: lazy(chunk(() => import('~/features/watchdog/WatchdogTab'))),
  },
  {
    id: 'key',
    label: 'API keys',
    requirement: 'VIEW_KEYS',
    Screen: lazy(chunk(() => import('~/features/keys/KeysTab'))),
  },
  {
    id: 'integration',
    label: 'Integrations',
    requirement: 'VIEW_INTEGRATIONS',
    Screen: lazy(chunk(() => import('~/features/integrations/IntegrationsTab'))),
  },
  {
    id: 'feed',
    label: 'Incoming feeds',
    requirement: 'VIEW_FEED_SUBSCRIPTIONS',
    Screen: lazy(chunk(() => import('~/features/subscriptions/SubscriptionsTab'))),
  },
  {
    id: 'check-feed',
    label: 'Check a feed',
    requirement: 'CHECK_FEED',
    Screen: lazy(chunk(() => import('~/features/feedcheck/CheckFeedTab'))),
  },
  {
    id: 'status',
    label: 'Status',
    requirement: 'EDIT_ORGANIZATION',
    Screen: lazy(chunk(() => import('~/features/status/StatusTab'))),
  },
  {
    id: 'retention',
    label: 'Retention',
    requirement: 'VIEW_RETENTION',
    Screen: lazy(chunk(() => import('~/features/retention/RetentionTab'))),
  },
  {
    id: 'audit',
    label: 'Audit',
    requirement: 'VIEW_AUDIT',
    Screen: lazy(chunk(() => import('~/features/audit/AuditTab'))),
  },
  {
    id: 'billing',
    label: 'Billing',
    requirement: 'VIEW_BILLING',
    Screen: lazy(chunk(() => import('~/features/organizations/BillingTab'))),
  },
];
