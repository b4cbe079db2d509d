/**
 * The wire shapes of sign-in and profile (specification sections 3 and 7). Kept narrow: only what this app reads.
 * The server's whole contract is generated from its OpenAPI document; a type test holds the two together.
 */
export interface TokenAnswer {
  access_token: string;
  /** Absent when the refresh token travels as a cookie. */
  refresh_token?: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds since the epoch, server time. */
  created_at: number;
}

export interface WireOrganization {
  id: string;
  name: string;
  country_code: string;
  timezone: string;
  organization_type: { name: string; acs: boolean };
  organization_managers: { id: string; name: string }[];
  organization_accessors: { id: string; name: string }[];
  show_infinite_timeout_option: boolean;
  is_wzdx_org: boolean;
  is_large_org: boolean;
  lat?: number | null;
  lng?: number | null;
  responders_type: 'none' | 'some' | 'all';
  event_wording: 'default' | 'events' | 'incidents';
}

export interface WireUser {
  id: string;
  email: string;
  firstname: string;
  lastname: string;
  organization_id: string;
  role_id: string;
  permissions: string[];
  /** Allowed sections in order. */
  dashboard_access: string[];
  acs: boolean;
}

export interface WireProfile {
  user: WireUser;
  organization: WireOrganization;
  managed_organizations: WireOrganization[];
  accessed_organizations: WireOrganization[];
}
