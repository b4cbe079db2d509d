package wire

import "encoding/json"

// TokenRequest is the body of POST /user_token (specification section 7).
type TokenRequest struct {
	GrantType     string `json:"grant_type" doc:"password, refresh_token, mfa or link"`
	Application   string `json:"application,omitempty" doc:"dashboard"`
	Username      string `json:"username,omitempty" doc:"password grant: the e-mail address"`
	Password      string `json:"password,omitempty"`
	UnlockToken   string `json:"unlock_token,omitempty" doc:"password grant: from an unlock mail"`
	RefreshToken  string `json:"refresh_token,omitempty" doc:"refresh grant; with cookie delivery the cookie counts"`
	TokenDelivery string `json:"token_delivery,omitempty" doc:"cookie: the refresh token travels as an HttpOnly cookie instead of in the body"`
	AwarenessMode *bool  `json:"awareness_mode,omitempty" doc:"asks for (or leaves) the situational-awareness mode: neither idle nor absolute end"`
	AccessToken   string `json:"access_token,omitempty" doc:"link grant, with refresh_token: the two texts of the address"`

	Challenge  string          `json:"challenge,omitempty" doc:"mfa grant: of the answer mfa_required or mfa_setup_required"`
	Method     string          `json:"method,omitempty" doc:"mfa grant: totp, recovery, passkey or totp_setup"`
	Code       string          `json:"code,omitempty" doc:"mfa grant: six digits, or a recovery code"`
	Credential json.RawMessage `json:"credential,omitempty" doc:"mfa grant: a passkey's answer as JSON (WebAuthn AuthenticationResponseJSON)"`
}

// TokenText is the body of POST /revoke_token; access or refresh token.
type TokenText struct {
	Token string `json:"token"`
}

// AccessTokenText is the body of POST /verify_token.
type AccessTokenText struct {
	AccessToken string `json:"access_token"`
}

// VerifiedToken is the answer of POST /verify_token.
type VerifiedToken struct {
	TokenType string `json:"token_type"`
	ExpiresIn int64  `json:"expires_in" doc:"seconds from created_at"`
	CreatedAt int64  `json:"created_at" doc:"seconds since the epoch"`
	UserID    string `json:"user_id"`
}

// Version is the answer of GET /version.
type Version struct {
	Version string `json:"version"`
}

// Brand is how the installation presents itself; open to everybody, because the sign-in screen shows it.
type Brand struct {
	Name           string `json:"name"`
	SupportEmail   string `json:"support_email"`
	SupportPhone   string `json:"support_phone"`
	HelpURL        string `json:"help_url"`
	LicenseURL     string `json:"license_url" doc:"end-user license agreement"`
	TermsURL       string `json:"terms_url"`
	ReferURL       string `json:"refer_url" doc:"Refer a Fleet"`
	CopyrightOwner string `json:"copyright_owner"`
	Environment    string `json:"environment" doc:"as set, else derived from the host: local, dev, staging, test, production, production-uk or production-eu"`
}

// MapConfig is the answer of GET /map/config.
type MapConfig struct {
	Brand     Brand         `json:"brand"`
	Region    *MapRegion    `json:"region" doc:"the imported streets; null when there are none"`
	Base      MapSource     `json:"base" doc:"the embedded world"`
	Providers []MapProvider `json:"providers"`
	MapTypes  []string      `json:"map_types" doc:"what may be offered: roadmap always, satellite and hybrid only with a provider"`
}

// MapSource is one tile file this server serves at /map/{source}/{z}/{x}/{y}.mvt.
type MapSource struct {
	Available   bool   `json:"available"`
	Tiles       string `json:"tiles" doc:"address template, relative to the server"`
	MinZoom     int    `json:"min_zoom"`
	MaxZoom     int    `json:"max_zoom"`
	Attribution string `json:"attribution"`
}

// MapRegion is the region's tile file and where it lies (degrees).
type MapRegion struct {
	MapSource
	MinLat    float64 `json:"min_lat"`
	MinLng    float64 `json:"min_lng"`
	MaxLat    float64 `json:"max_lat"`
	MaxLng    float64 `json:"max_lng"`
	CenterLat float64 `json:"center_lat"`
	CenterLng float64 `json:"center_lng"`
}

// MapProvider is an on-line map an administrator has configured.
type MapProvider struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	MapType     string `json:"map_type" enum:"roadmap,satellite,hybrid"`
	Kind        string `json:"kind" enum:"style,raster"`
	URL         string `json:"url" doc:"style document, or raster template with {z}, {x} and {y}"`
	Attribution string `json:"attribution"`
	MaxZoom     int    `json:"max_zoom"`
}

// Lists and single resources as they leave the server (decisions.md, "Wire").
type (
	// Things is a page of assets.
	Things struct {
		Data []Thing    `json:"data"`
		Meta ThingsMeta `json:"meta"`
	}
	// ThingsSnapshot is the compact picture of an organization.
	ThingsSnapshot struct {
		Data Snapshot `json:"data"`
	}
	// Count is a number of resources.
	Count struct {
		Count int `json:"count"`
	}
	// ThingsCount is the answer of things_count.
	ThingsCount struct {
		Data Count `json:"data"`
	}
)

// ThingWrite is the update payload of an asset (specification section 3);
// the two switches are always said, other fields left out stay as they are, and
// an empty text clears an optional one.
type ThingWrite struct {
	ID                  *ID                       `json:"id,omitempty"`
	InService           *bool                     `json:"in_service" nullable:"false"`
	IsPubliclyAlerting  *bool                     `json:"is_publicly_alerting" nullable:"false"`
	Nickname            *string                   `json:"nickname,omitempty" text:"nickname,required"`
	ThingTypeID         *ID                       `json:"thing_type_id,omitempty"`
	ThingSubtypeID      *ID                       `json:"thing_subtype_id,omitempty"`
	VINNumber           *string                   `json:"vin_number,omitempty" text:"vehicleId" at:"VIN"`
	LicensePlateNumber  *string                   `json:"license_plate_number,omitempty" text:"plate" at:"Plate"`
	RegistryNumber      *string                   `json:"registry_number,omitempty" text:"registry" at:"Registry"`
	ExternalIdentifiers []ExternalIdentifierWrite `json:"external_identifiers,omitempty"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
}

// ExternalIdentifierWrite sets or (is_deleted) removes an integration of an asset.
type ExternalIdentifierWrite struct {
	IdentifierID string `json:"identifier_id"`
	SystemName   string `json:"system_name"`
	IsDeleted    bool   `json:"is_deleted,omitempty"`
}

// RelationshipWrite sets or removes an organization's relation to an asset.
type RelationshipWrite struct {
	OrganizationUUID ID     `json:"organization_uuid"`
	OrganizationName string `json:"organization_name,omitempty" doc:"accepted and not used"`
	RelationshipType string `json:"relationship_type" doc:"manager, accessor or delete"`
}

// AssociationsWrite is the body of PUT /things/{thingId}/associations.
type AssociationsWrite struct {
	OrganizationRelationships []RelationshipWrite `json:"organization_relationships"`
}
