package fleet

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Organization is a tenant: the owner of assets, users and incidents.
type Organization struct {
	ID              string
	Name            string
	Email           string
	Address1        string
	Address2        string
	City            string
	State           string
	PostalCode      string
	CountryCode     string
	Lat, Lng        float64
	HasPosition     bool
	Timezone        string
	TypeName        string // organization_type.name
	ACS             bool   // organization_type.acs: may switch organizations
	InfiniteTimeout bool   // show_infinite_timeout_option
	WZDx            bool   // is_wzdx_org
	FeedsPublic     bool   // its feeds need no key, where it publishes work zones
	AlertsPublic    bool   // its alerts to drivers need no key
	FeedLicense     string // for its feeds: an id of the catalog, an address, or empty = not set
	Large           *bool  // is_large_org when set by hand
	ContactName     string
	Phone           string
	CellPhone       string
	EventWording    string // default, events, incidents
	// Names of thing types whose glyph is used for assets of the general type, while alerting and else; empty = their own.
	VehicleIconActive  string
	VehicleIconDefault string
	BillingID          string
	LockScreenMs       int64   // idle time until the screen locks, 0 = never
	MFARequired        bool    // every user needs a second factor
	MFARequiredAt      Instant // since when, 0 = not required
	SSOOnly            bool    // "managing user access": passwords are refused but for break-glass users
	Version            int64
	UpdatedAt          Instant
	DeletedAt          Instant
}

// OrganizationRelation means that Manager may manage, or accessor may read, Organization's assets.
type OrganizationRelation struct {
	OrganizationID string // whose assets
	OtherID        string // who may see them
	Kind           string // "manager" or "accessor"
}

// OrganizationOffer requests that an organization manage or read another's assets. It gives nothing to either until the other
// accepts it.
type OrganizationOffer struct {
	ID             string
	OrganizationID string // whose assets
	OtherID        string // who is asked; possibly nobody's id
	Kind           string // "manager" or "accessor"
	CreatedAt      Instant
	ExpiresAt      Instant
	EndedAt        Instant // accepted, declined or withdrawn; 0 = open
	MailedAt       Instant // when the other's administrators were last written to
}

// Open reports whether the offer can be accepted.
func (o OrganizationOffer) Open(now Instant) bool { return o.EndedAt == 0 && now < o.ExpiresAt }

// User is a person who signs in; belongs to one organization.
type User struct {
	ID                string
	OrganizationID    string
	Email             string // as typed; EmailKey is what is unique
	EmailKey          string
	FirstName         string
	LastName          string
	Phone             string
	Address1          string
	Address2          string
	City              string
	State             string
	PostalCode        string
	CountryCode       string
	RoleID            string
	PasswordHash      string
	PasswordChangedAt Instant
	Suspended         bool
	ShutOut           bool    // suspended by the sign-in provider, which may lift it again
	Awareness         bool    // hasAwarenessModeAccess
	BreakGlass        bool    // may use a password although the organization signs in by its provider
	InvitedAt         Instant // when the last invitation was sent, 0 = none
	PasswordNoticeAt  Instant // when the last notice of an expiring password was sent
	SignInCount       int64
	LastSignInAt      Instant
	Version           int64
	UpdatedAt         Instant
	DeletedAt         Instant
}

// Session is a family of token pairs that began with one sign-in.
type Session struct {
	ID     string
	UserID string
	// OrganizationID is the user's at sign-in: a user who was moved must sign in again.
	OrganizationID string
	CreatedAt      Instant
	LastUsedAt     Instant
	AbsoluteAt     Instant // end whatever happens, 0 = none (awareness mode)
	Generation     int64
	RotatedAt      Instant
	SuccessorOn    bool // the newest refresh token has been used
	RevokedAt      Instant
	Reason         string
	Awareness      bool
	Network        string
	UserAgent      string
	VerifiedAt     Instant // when the user last proved who they are
	Method         string  // password, totp, passkey, recovery, link, sso
}

// Key is an API key; Hash is SHA-256 of the secret, the secret itself is shown once.
type Key struct {
	ID             string
	OrganizationID string
	UserID         string
	Description    string
	Hash           []byte
	Prefix         string   // first characters, to recognize it
	Scopes         []string // what it may be used for (catalog: keyScopes); none for a key of one asset
	ThingID        string   // the one asset that it reports for
	CreatedAt      Instant
	ExpiresAt      Instant
	LastUsedAt     Instant
	RevokedAt      Instant
	NoticeAt       Instant // when people were last notified that it ends
}

// AuditRow is one mutation or sign-in event.
type AuditRow struct {
	ID             string
	At             Instant
	ActorUserID    string
	ActorKeyID     string
	OrganizationID string
	Network        string
	Verb           string
	Noun           string
	NounID         string
	Before         []byte // JSON, may be empty
	After          []byte // JSON, may be empty
	RequestID      string
	SealNo         int64  // batch of the hash chain, 0 = not sealed yet
	MAC            string // of this row within its batch, hexadecimal
}

// IsVersion reports whether a row contains its record's state from then on: whole, with a version, or removed. A device's
// configuration counts versions of its own.
func (r AuditRow) IsVersion() bool {
	return r.Removes() || (r.Verb != "configure" && bytes.Contains(r.After, []byte(`"version":`)))
}

// IsOfImport reports whether a row is about a file as a whole: imported, or undone.
func (r AuditRow) IsOfImport() bool {
	return r.Noun == "import" || strings.HasSuffix(r.Noun, "_import")
}

// Removes reports whether the record was gone from then on: deleted, or created by what an undo reverted.
func (r AuditRow) Removes() bool {
	return r.Verb == "delete" || r.Verb == "undo" && len(r.After) == 0
}

// VersionMade is the version of its record that a change made; 0 when the row names none.
func (r AuditRow) VersionMade() int64 {
	if r.Removes() {
		return versionIn(r.Before) + 1
	}
	return versionIn(r.After)
}

func versionIn(doc []byte) int64 {
	var said struct {
		Version int64 `json:"version"`
	}
	if json.Unmarshal(doc, &said) != nil {
		return 0
	}
	return said.Version
}
