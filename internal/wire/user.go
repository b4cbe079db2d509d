package wire

import "lightbar/internal/fleet"

// Role is an assignable role (requirements 3.role).
type Role struct {
	ID    string `json:"id"`
	Order int    `json:"order"`
	Label string `json:"label"`
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
	InvitationMail      string        `json:"invitation_mail" enum:",queued,retrying,unsent,sent,failed" doc:"how the letter of the last invitation stands: it waits for its first try, is tried again, lies on the server because no mail server is set up, was taken by the mail server, or was given up; empty when there is none: its link was copied instead, it is older than a month, or a password was chosen"`
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

// InvitationLink is what an administrator copies to hand an invitation over in another way than by mail.
type InvitationLink struct {
	Link      string        `json:"link" doc:"works once; the newest link makes older ones useless"`
	ExpiresAt fleet.Instant `json:"expires_at" nullable:"false"`
	Mailed    bool          `json:"mailed" doc:"the letter that waits has the same link; false: the mail server has a letter, and its link doesn't work anymore"`
}

// UserCreate is the body of POST /users.
type UserCreate struct {
	FirstName      string `json:"firstname" text:"name,required"`
	LastName       string `json:"lastname" text:"name,required"`
	Email          string `json:"email"`
	RoleID         ID     `json:"role_id"`
	OrganizationID ID     `json:"organization_id,omitempty" doc:"the caller's own when left out"`
	// What the server's own command line may say: a password to sign in with at
	// once (nil = an invitation is mailed), and the situational-awareness mode.
	Password  *string `json:"-"`
	Awareness bool    `json:"-"`
}

// UserWrite is the body of PUT /users/{id}: the profile edit and the role edit
// of requirements 7.user, and ours. Fields left out stay as they are; an
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
	AwarenessModeAccess *bool   `json:"awareness_mode_access,omitempty" at:"Awareness" doc:"ours; true needs a fresh proof"`
	OrganizationID      *ID     `json:"organization_id,omitempty" doc:"ours; moves the user, within full reach, and ends all sessions; needs a fresh proof"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
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
