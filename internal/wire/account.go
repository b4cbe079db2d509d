package wire

import "lightbar/internal/fleet"

// Role is an assignable role (specification section 3).
type Role struct {
	ID    string `json:"id"`
	Order int    `json:"order"`
	Label string `json:"label"`
}

// AssignableOrganization is an organization that users and assets can be put into.
type AssignableOrganization struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	OrganizationType OrganizationType `json:"organization_type"`
}

// Member is a user as those see them who administer an organization. Of users
// who are only related (badges MANAGER and ACCESS), or whose organization is
// reached for reading only, the fields after Relation are empty.
type Member struct {
	ID                  string        `json:"id"`
	Email               string        `json:"email"`
	FirstName           string        `json:"firstname"`
	LastName            string        `json:"lastname"`
	RoleID              string        `json:"role_id"`
	OrganizationID      string        `json:"organization_id"`
	OrganizationName    string        `json:"organization_name"`
	Relation            string        `json:"relation" enum:"own,manager,accessor" doc:"of the user's organization to the one asked for"`
	CanEdit             bool          `json:"can_edit" doc:"in full reach and not holding more than the caller"`
	Phone               string        `json:"phone"`
	Address1            string        `json:"address1"`
	Address2            string        `json:"address2"`
	City                string        `json:"city"`
	State               string        `json:"state"`
	PostalCode          string        `json:"postal_code"`
	CountryCode         string        `json:"country_code"`
	Suspended           bool          `json:"suspended"`
	InvitedAt           fleet.Instant `json:"invited_at" doc:"of the last invitation; null when there was none"`
	InvitationOpen      bool          `json:"invitation_open" doc:"invited and not signed in with a password or a provider yet"`
	NoPassword          bool          `json:"no_password" doc:"signs in by a provider and was given no password"`
	SignInCount         int64         `json:"sign_in_count"`
	LastSignInAt        fleet.Instant `json:"last_sign_in_at" doc:"null: never"`
	PasswordExpiresAt   fleet.Instant `json:"password_expires_at" doc:"null when there is no password or it never expires"`
	SecondFactor        bool          `json:"second_factor" doc:"an authenticator app or a passkey is set up"`
	AwarenessModeAccess bool          `json:"awareness_mode_access"`
	HasAPIKeys          bool          `json:"has_api_keys" doc:"may have API keys"`
	APIKeys             int64         `json:"api_keys" doc:"working keys, which end with the account"`
	Version             int64         `json:"version"`
}

// UserCreate is the body of POST /users.
type UserCreate struct {
	FirstName      string `json:"firstname"`
	LastName       string `json:"lastname"`
	Email          string `json:"email"`
	RoleID         ID     `json:"role_id"`
	OrganizationID ID     `json:"organization_id,omitempty" doc:"the caller's own when left out"`
}

// UserWrite is the body of PUT /users/{id}: the profile edit and the role edit
// of specification section 7, and ours. Fields left out stay as they are; an
// empty text clears an optional one.
type UserWrite struct {
	FirstName           *string `json:"firstname,omitempty" text:"name,required"`
	LastName            *string `json:"lastname,omitempty" text:"name,required"`
	PhoneNumber         *string `json:"phonenumber,omitempty" text:"phone" at:"Phone"`
	Address1            *string `json:"address1,omitempty"`
	Address2            *string `json:"address2,omitempty"`
	City                *string `json:"city,omitempty"`
	State               *string `json:"state,omitempty"`
	PostalCode          *string `json:"postal_code,omitempty"`
	CountryCode         *string `json:"country_code,omitempty"`
	RoleID              *ID     `json:"role_id,omitempty" doc:"another role needs a fresh proof (step_up_required)"`
	Suspended           *bool   `json:"suspended,omitempty" doc:"ours; true ends all sessions; a change needs a fresh proof"`
	AwarenessModeAccess *bool   `json:"awareness_mode_access,omitempty" doc:"ours; true needs a fresh proof"`
	OrganizationID      *ID     `json:"organization_id,omitempty" doc:"ours; moves the user, within full reach, and ends all sessions; needs a fresh proof"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
}

// OrganizationRow is an organization in a list of those in reach.
type OrganizationRow struct {
	Organization
	Relation    string `json:"relation" enum:"own,managed,accessed"`
	UsersCount  int64  `json:"users_count"`
	ThingsCount *int   `json:"things_count,omitempty" doc:"only for those who may see assets"`
}

// OrganizationWrite is the body of PUT /organization and PUT /organization/{id}
// (specification section 7); from timezone on ours. Fields left out stay as they are.
type OrganizationWrite struct {
	Name                      *string `json:"name,omitempty" text:"name,required"`
	Email                     *string `json:"email,omitempty"`
	PhoneNumber               *string `json:"phone_number,omitempty" text:"phone" at:"Phone"`
	CellPhoneNumber           *string `json:"cell_phone_number,omitempty" text:"phone" at:"CellPhone"`
	ContactName               *string `json:"contact_name,omitempty" text:"name"`
	Address1                  *string `json:"address1,omitempty"`
	Address2                  *string `json:"address2,omitempty"`
	City                      *string `json:"city,omitempty"`
	State                     *string `json:"state,omitempty"`
	PostalCode                *string `json:"postal_code,omitempty"`
	CountryCode               *string `json:"country_code,omitempty"`
	OrganizationTypeID        *ID     `json:"organization_type_id,omitempty" doc:"id or name of enums.json organizationTypes"`
	Timezone                  *string `json:"timezone,omitempty" doc:"IANA name"`
	EventWording              *string `json:"event_wording,omitempty" doc:"default, events or incidents"`
	VehicleIconActive         *string `json:"vehicle_icon_active,omitempty" doc:"the name of a thing type, or empty"`
	VehicleIconDefault        *string `json:"vehicle_icon_default,omitempty" doc:"the name of a thing type, or empty"`
	LockScreenMs              *int64  `json:"lock_screen_ms,omitempty" doc:"0 = never; later than before needs a fresh proof (step_up_required)"`
	MFARequired               *bool   `json:"mfa_required,omitempty" doc:"false needs a fresh proof"`
	SSOOnly                   *bool   `json:"sso_only,omitempty" doc:"a change needs a fresh proof"`
	ShowInfiniteTimeoutOption *bool   `json:"show_infinite_timeout_option,omitempty" at:"InfiniteTimeout" doc:"haas:manage only; true needs a fresh proof"`
	IsWZDxOrg                 *bool   `json:"is_wzdx_org,omitempty" at:"WZDx" doc:"haas:manage only"`
	IsLargeOrg                *bool   `json:"is_large_org,omitempty" doc:"haas:manage only"`
	ACS                       *bool   `json:"acs,omitempty" doc:"haas:manage only"`
	BillingID                 *string `json:"billing_id,omitempty" text:"name" doc:"haas:manage only"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
}

// Key is an API key as lists show it: never its secret.
type Key struct {
	ID             string        `json:"id"`
	Description    string        `json:"description"`
	Prefix         string        `json:"prefix" doc:"the first characters of the secret, to recognize it"`
	Scope          string        `json:"scope" enum:"ingest,thing" doc:"thing: a key of one asset; ingest: one of an organization, which may do what scopes says"`
	Scopes         []string      `json:"scopes" doc:"ingest: sends reports, fetches configuration of devices; register: makes assets known; feeds, alerts: nothing yet. Empty for a key of one asset, which reports for it"`
	ThingID        *string       `json:"thing_id" doc:"the one asset that it reports for; null for a key of an organization"`
	ThingName      string        `json:"thing_name"`
	UserID         *string       `json:"user_id" doc:"who made it; null for one made on the server itself"`
	UserName       string        `json:"user_name"`
	OrganizationID string        `json:"organization_id"`
	CreatedDate    fleet.Instant `json:"created_date" nullable:"false"`
	ExpiresAt      fleet.Instant `json:"expires_at" doc:"null = until revoked"`
	LastUsedAt     fleet.Instant `json:"last_used_at" doc:"null: never"`
	RevokedAt      fleet.Instant `json:"revoked_at" doc:"null: it is not"`
	Works          bool          `json:"works" doc:"not revoked, not expired, and its user may still have keys"`
}

// NewKey is a key just made, with its secret: the only time it is shown.
type NewKey struct {
	Key
	Token string `json:"token" doc:"shown once; only its digest is stored"`
}

// KeyCreate is the body of POST /keys.
type KeyCreate struct {
	Description    string   `json:"description"`
	Scope          string   `json:"scope,omitempty" doc:"ingest or thing; may be left out, as thing_id says it"`
	Scopes         []string `json:"scopes,omitempty" doc:"of ingest, register, feeds, alerts; ingest alone when left out. Not for a key of one asset"`
	ThingID        ID       `json:"thing_id,omitempty" doc:"makes a key that reports for this asset alone"`
	ExpiresAt      *string  `json:"expires_at,omitempty" doc:"at most one year ahead, which is the default"`
	OrganizationID ID       `json:"organization_id,omitempty" doc:"the asset's, or the caller's own, when left out"`
}

// Lists and single resources about people (decisions.md, "Wire").
type ()
