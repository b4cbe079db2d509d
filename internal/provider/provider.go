// Package provider asks fleet-telematics providers (Geotab, Samsara) for vehicles and for what they reported. A client is given an
// account and a cursor and answers reports. It stores nothing and knows no asset: `app` decides who a vehicle is.
package provider

import (
	"context"
	"time"
)

// Account is what a provider is asked with. Its secrets are in no error and no log.
type Account struct {
	Server   string // host, without scheme; empty = the provider's usual one
	Database string // Geotab
	User     string // Geotab
	Secret   string // Geotab's password, Samsara's token
	// Lights are the inputs that mean "emergency lights are on": names of Samsara's auxiliary inputs ("Emergency Lights"), ids of Geotab's
	// diagnostics ("DiagnosticAux1Id"). With none, reports say nothing about lights.
	Lights []string
}

// Vehicle is one that an account has.
type Vehicle struct {
	ExternalID string // the provider's id of it; what an asset's integration carries
	Name       string
	VIN        string // upper case; empty = not said ("?" and the like are not said)
	Serial     string // of the device or gateway
	Plate      string
}

// Report is what one vehicle said at one instant. Units are ours: degrees, m/s.
type Report struct {
	ExternalID string
	At         time.Time
	Lat, Lng   float64
	HasFix     bool     // Lat and Lng are said; a change of lights may come without them
	SpeedMS    *float64 // nil = not said
	CourseDeg  *float64
	Lights     *bool
}

// Page is one answer of a feed.
type Page struct {
	Reports []Report
	// Refused counts what could not be read, by reason (a closed list, catalog/enums.json "providerRefusals").
	Refused map[string]int
	// Cursor is where to go on; opaque text, at most 4 KiB, kept as it is. It is never empty after a page that was answered.
	Cursor string
	// More: ask again at once. Otherwise ask again after Wait at the earliest.
	More bool
	Wait time.Duration
}

// Client asks one account. It is not safe for concurrent use: one poll an account at a time.
type Client interface {
	// Vehicles are all vehicles of the account, each once by ExternalID.
	Vehicles(ctx context.Context) ([]Vehicle, error)
	// Feed is what was reported since cursor; with an empty cursor, from now on (or the last known of each vehicle).
	Feed(ctx context.Context, cursor string) (Page, error)
}

// The reasons of an Error; the list is catalog/enums.json, providerProblems.
const (
	Unauthorized = "unauthorized" // the account's secret is wrong or revoked: only a person can mend it
	OverLimit    = "over_limit"   // asked too often: RetryAfter says when
	Unavailable  = "unavailable"  // unreachable, a failure of the server, no answer in time: it may go on by itself
	Unreadable   = "unreadable"   // the answer is not what the provider documents
	CursorLost   = "cursor_lost"  // the provider no longer knows the cursor: begin anew with an empty one
)

// Error says why a provider was not read. Message is a sentence for people and holds no secret.
type Error struct {
	Reason     string
	Message    string
	RetryAfter time.Duration // with OverLimit and Unavailable; 0 = not said
}

func (e *Error) Error() string { return e.Message }
