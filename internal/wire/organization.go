package wire

// OrganizationRef names an organization inside another noun.
type OrganizationRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

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

// Organization is the wire shape of requirements 3.org.
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
	FeedsPublic               bool             `json:"feeds_public" doc:"everybody may read its feeds of closures, while is_wzdx_org"`
	AlertsPublic              bool             `json:"alerts_public" doc:"everybody may follow its alerts to drivers"`
	FeedLicense               string           `json:"feed_license" doc:"of its feeds of closures: an id of enums.json feedLicenses, the address of its own terms, or empty = not said"`
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

// OrganizationRow is an organization in a list of those in reach.
type OrganizationRow struct {
	Organization
	Relation    string `json:"relation" enum:"own,managed,accessed"`
	UsersCount  int64  `json:"users_count"`
	ThingsCount *int   `json:"things_count,omitempty" doc:"only for those who may see assets"`
}

// OrganizationWrite is the body of PUT /organization and PUT /organization/{id}
// (requirements 7.org); from timezone on ours. Fields left out stay as they are.
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
	EventWording              *string `json:"event_wording,omitempty"`
	VehicleIconActive         *string `json:"vehicle_icon_active,omitempty" doc:"the name of a thing type, or empty"`
	VehicleIconDefault        *string `json:"vehicle_icon_default,omitempty" doc:"the name of a thing type, or empty"`
	LockScreenMs              *int64  `json:"lock_screen_ms,omitempty" doc:"0 = never; later than before needs a fresh proof (step_up_required)"`
	MFARequired               *bool   `json:"mfa_required,omitempty" doc:"false needs a fresh proof"`
	SSOOnly                   *bool   `json:"sso_only,omitempty" doc:"a change needs a fresh proof"`
	FeedsPublic               *bool   `json:"feeds_public,omitempty" doc:"true: its feeds of closures need no key, and it has a public page"`
	AlertsPublic              *bool   `json:"alerts_public,omitempty" doc:"true: its alerts to drivers need no key, and it has a page that warns drivers"`
	FeedLicense               *string `json:"feed_license,omitempty" doc:"CC0-1.0, CC-BY-4.0, ODbL-1.0, an address (https or http), or empty = not said"`
	ShowInfiniteTimeoutOption *bool   `json:"show_infinite_timeout_option,omitempty" at:"InfiniteTimeout" doc:"haas:manage only; true needs a fresh proof"`
	IsWZDxOrg                 *bool   `json:"is_wzdx_org,omitempty" at:"WZDx" doc:"haas:manage only"`
	IsLargeOrg                *bool   `json:"is_large_org,omitempty" doc:"haas:manage only"`
	ACS                       *bool   `json:"acs,omitempty" doc:"haas:manage only"`
	BillingID                 *string `json:"billing_id,omitempty" text:"name" doc:"haas:manage only"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
}

// AssignableOrganization is an organization that users and assets can be put into.
type AssignableOrganization struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	OrganizationType OrganizationType `json:"organization_type"`
}
