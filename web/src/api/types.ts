import type { components } from './schema.gen';

type Schemas = components['schemas'];

/**
 * The wire shapes of sign-in and profile (specification sections 3 and 7), as the server's OpenAPI document has them,
 * narrowed to what this app reads.
 */
export type TokenAnswer = Pick<Schemas['TokenPair'], 'access_token' | 'refresh_token' | 'expires_in' | 'created_at'>;

export type WireOrganization = Pick<
  Schemas['Organization'],
  | 'id'
  | 'name'
  | 'country_code'
  | 'timezone'
  | 'organization_type'
  | 'organization_managers'
  | 'organization_accessors'
  | 'show_infinite_timeout_option'
  | 'is_wzdx_org'
  | 'is_large_org'
  | 'lat'
  | 'lng'
  | 'responders_type'
  | 'event_wording'
  | 'lock_screen_ms'
>;

export type WireUser = Pick<
  Schemas['User'],
  | 'id'
  | 'email'
  | 'firstname'
  | 'lastname'
  | 'organization_id'
  | 'role_id'
  | 'permissions'
  | 'dashboard_access'
  | 'acs'
  | 'has_awareness_mode_access'
  | 'password_expires_at'
  | 'second_factor'
  | 'second_factor_due'
>;

/** The session that the token belongs to. */
export type WireSession = Pick<Schemas['ProfileSession'], 'ends_at' | 'awareness_mode' | 'method'> & {
  verified_at?: string | null;
  /** The identity provider that may confirm who is there. */
  step_up_provider?: Schemas['ProviderName'] | null;
};

export interface WireProfile {
  user: WireUser;
  organization: WireOrganization;
  managed_organizations: WireOrganization[];
  accessed_organizations: WireOrganization[];
  session: WireSession;
}
