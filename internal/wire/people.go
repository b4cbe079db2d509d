package wire

import "lightbar/internal/fleet"

// OrganizationType carries the acs flag (may switch organizations).
type OrganizationType struct {
	ID   string `json:"id" doc:"of enums.json organizationTypes; empty for a name that is not in the list"`
	Name string `json:"name"`
	ACS  bool   `json:"acs"`
}

// NamedRef is an id with its name.
type NamedRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Organization is the wire shape of specification section 3.
type Organization struct {
	ID                        string           `json:"id"`
	Name                      string           `json:"name"`
	Email                     string           `json:"email"`
	Address1                  string           `json:"address1"`
	Address2                  string           `json:"address2"`
	City                      string           `json:"city"`
	State                     string           `json:"state"`
	PostalCode                string           `json:"postal_code"`
	CountryCode               string           `json:"country_code"`
	Lat                       *float64         `json:"lat"`
	Lng                       *float64         `json:"lng"`
	Timezone                  string           `json:"timezone"`
	OrganizationType          OrganizationType `json:"organization_type"`
	ShowInfiniteTimeoutOption bool             `json:"show_infinite_timeout_option"`
	OrganizationManagers      []NamedRef       `json:"organization_managers"`
	OrganizationAccessors     []NamedRef       `json:"organization_accessors"`
	IsWZDxOrg                 bool             `json:"is_wzdx_org"`
	IsLargeOrg                bool             `json:"is_large_org"`
	ContactName               string           `json:"contact_name"`
	PhoneNumber               string           `json:"phone_number"`
	CellPhoneNumber           string           `json:"cell_phone_number"`
	RespondersType            string           `json:"responders_type" enum:"none,some,all" doc:"which of its own assets in service are responders"`
	EventWording              string           `json:"event_wording" enum:"default,events,incidents"`
	BillingID                 string           `json:"billing_id" doc:"for billing:read in the own and managed organizations; empty for all others"`
	VehicleIconActive         string           `json:"vehicle_icon_active" doc:"the glyph of assets of the general type while alerting: the name of a thing type, empty = their own"`
	VehicleIconDefault        string           `json:"vehicle_icon_default" doc:"the same while not alerting"`
	LockScreenMs              int64            `json:"lock_screen_ms" doc:"idle time until the screen locks, 0 = never"`
	MFARequired               bool             `json:"mfa_required" doc:"every user needs a second factor"`
	SSOOnly                   bool             `json:"sso_only" doc:"passwords are refused but for break-glass users"`
	Version                   int64            `json:"version"`
}

// Access says what a user may do with one resource.
type Access struct {
	CanCreate bool `json:"canCreate"`
	CanRead   bool `json:"canRead"`
	CanUpdate bool `json:"canUpdate"`
	CanDelete bool `json:"canDelete"`
}

// User is the signed-in person in /profile.
type User struct {
	ID                     string            `json:"id"`
	Email                  string            `json:"email"`
	FirstName              string            `json:"firstname"`
	LastName               string            `json:"lastname"`
	Phone                  string            `json:"phone"`
	Address1               string            `json:"address1"`
	Address2               string            `json:"address2"`
	City                   string            `json:"city"`
	State                  string            `json:"state"`
	PostalCode             string            `json:"postal_code"`
	CountryCode            string            `json:"country_code"`
	RoleID                 string            `json:"role_id"`
	OrganizationID         string            `json:"organization_id"`
	UserOrg                OrganizationRef   `json:"user_org" doc:"the home organization, whichever is looked at"`
	Permissions            []string          `json:"permissions"`
	DashboardAccess        []string          `json:"dashboard_access" doc:"allowed sections in order"`
	Access                 map[string]Access `json:"access"`
	ACS                    bool              `json:"acs"`
	HasAPIKeys             bool              `json:"has_api_keys" doc:"may have API keys"`
	IsHADirectEnabled      bool              `json:"is_ha_direct_enabled" doc:"always false: nothing is behind it"`
	HasAwarenessModeAccess bool              `json:"has_awareness_mode_access"`
	SignInCount            int64             `json:"sign_in_count"`
	LastSignInAt           fleet.Instant     `json:"last_sign_in_at" nullable:"false"`
	PasswordExpiresAt      fleet.Instant     `json:"password_expires_at" doc:"null when it never does"`
	SecondFactor           bool              `json:"second_factor" doc:"an authenticator app or a passkey is set up"`
	SecondFactorDue        fleet.Instant     `json:"second_factor_due" doc:"until when the organization wants one: this session ends then; null when none is missing"`
	Version                int64             `json:"version"`
}

// ProfileSession is the present session in /profile.
type ProfileSession struct {
	ID             string        `json:"id"`
	CreatedAt      fleet.Instant `json:"created_at" nullable:"false"`
	EndsAt         fleet.Instant `json:"ends_at" doc:"the absolute end; null in awareness mode, unless a second factor is due"`
	AwarenessMode  bool          `json:"awareness_mode"`
	Method         string        `json:"method" enum:"password,totp,passkey,recovery,link,sso"`
	VerifiedAt     fleet.Instant `json:"verified_at" doc:"when the user last proved who they are; null: not since a sign-in by link"`
	StepUpProvider *ProviderName `json:"step_up_provider" doc:"the provider that may confirm who is there; null when there is none"`
}

// Profile is the answer of GET /profile.
type Profile struct {
	Session               ProfileSession `json:"session"`
	User                  User           `json:"user"`
	Organization          Organization   `json:"organization"`
	ManagedOrganizations  []Organization `json:"managed_organizations"`
	AccessedOrganizations []Organization `json:"accessed_organizations"`
}

// TokenPair is the answer of POST /user_token (specification section 7).
type TokenPair struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token,omitempty" doc:"absent when token_delivery is cookie"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in" doc:"seconds"`
	CreatedAt    int64  `json:"created_at" doc:"seconds since the epoch"`
	// RecoveryCodes are told once, when the second factor was set up during the sign-in.
	RecoveryCodes []string `json:"recovery_codes,omitempty" doc:"mfa grant, totp_setup: shown once"`
}

// ThingType and ThingSubtype are the catalog's rows on the wire.
type ThingType struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	IsEmergency bool   `json:"is_emergency"`
}

// ThingSubtype refines a thing type.
type ThingSubtype struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	ThingTypeID string `json:"thing_type_id"`
}

// Failure is every error answer of the API.
type Failure struct {
	Error            string            `json:"error" doc:"machine code, never changes once released"`
	Message          string            `json:"message"`
	Fields           map[string]string `json:"fields,omitempty"`
	Current          any               `json:"current,omitempty" doc:"409: the present state, as a success would answer it; key_made: the key that was made"`
	ChangedBy        string            `json:"changed_by,omitempty" doc:"409: who made the present state, as far as the caller may know"`
	ChangedAt        fleet.Instant     `json:"changed_at,omitempty" nullable:"false" doc:"409: when"`
	RequestID        string            `json:"request_id"`
	ErrorDescription string            `json:"error_description,omitempty" doc:"token endpoint only (RFC 6749)"`
	Challenge        string            `json:"challenge,omitempty" doc:"mfa_required, mfa_setup_required: for grant_type mfa"`
	Methods          []string          `json:"methods,omitempty" doc:"mfa_required: totp, passkey, recovery"`
	Passkey          any               `json:"passkey,omitempty" doc:"mfa_required: {publicKey: request options} (WebAuthn)"`
	TOTP             *TOTPSecret       `json:"totp,omitempty" doc:"mfa_setup_required: what the authenticator app needs"`
}
