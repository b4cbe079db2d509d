package wire

import "lightbar/internal/fleet"

// Key is an API key as lists show it: never its secret.
type Key struct {
	ID             string        `json:"id"`
	Description    string        `json:"description"`
	Prefix         string        `json:"prefix" doc:"the first characters of the secret, to recognize it"`
	Scope          string        `json:"scope" enum:"ingest,thing" doc:"thing: a key of one asset; ingest: one of an organization, which may do what scopes says"`
	Scopes         []string      `json:"scopes" doc:"ingest: sends reports and fetches device configurations; register: adds assets; feeds: reads feeds of closures and devices; alerts: reads alerts to drivers. Empty for a single-asset key, which only reports"`
	ThingID        *string       `json:"thing_id" doc:"the one asset that it reports for; null for an organization key"`
	ThingName      string        `json:"thing_name"`
	UserID         *string       `json:"user_id" doc:"who created it; null if created on the server"`
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
	Description    string   `json:"description" text:"description,required"`
	Scope          string   `json:"scope,omitempty" doc:"ingest or thing; may be left out, as thing_id says it"`
	Scopes         []string `json:"scopes,omitempty" doc:"ingest alone when left out. Not for a key of one asset"`
	ThingID        ID       `json:"thing_id,omitempty" doc:"makes a key that reports for this asset alone"`
	ExpiresAt      *string  `json:"expires_at,omitempty" doc:"when it ends; a year ahead when left out"`
	NeverEnds      bool     `json:"never_ends,omitempty" doc:"it works until somebody revokes it; then without expires_at"`
	OrganizationID ID       `json:"organization_id,omitempty" doc:"the asset's, or the caller's own, when left out"`
	// Once is the Idempotency-Key of the header; empty = each request makes a key.
	Once string `json:"-"`
}
