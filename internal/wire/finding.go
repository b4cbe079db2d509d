package wire

import "lightbar/internal/fleet"

// Watchdog is what an organization asks of the watchdog.
type Watchdog struct {
	Rules     []WatchdogRule `json:"rules" doc:"all, in the catalog's order (watchdogRules)"`
	QuietFrom *string        `json:"quiet_from" doc:"as 22:00, by the clocks of the organization's time zone: from then on nobody is mailed until quiet_to; null: no quiet hours"`
	QuietTo   *string        `json:"quiet_to"`
	Mail      bool           `json:"mail" doc:"whether the caller is mailed what is found about assets of their own organization; false for another one"`
	Version   int64          `json:"version" doc:"counts edits of the rules and the quiet hours"`
}

// WatchdogRule is a rule, and whether it is looked at.
type WatchdogRule struct {
	Rule    string `json:"rule"`
	Mode    string `json:"mode" enum:"off,trial,on" doc:"trial: what is found says what it would have told, and nobody is mailed"`
	Found7d int    `json:"found_7d" doc:"how often it was found in the last 7 days"`
}

// WatchdogWrite is the body of PUT /organization/watchdog: what is left out stays as it is.
type WatchdogWrite struct {
	Rules     *[]WatchdogMode `json:"rules,omitempty" doc:"rules that are left out stay as they are"`
	QuietFrom *string         `json:"quiet_from,omitempty" doc:"as 22:00; empty = no quiet hours"`
	QuietTo   *string         `json:"quiet_to,omitempty"`
	Version   int64           `json:"version,omitempty" doc:"the version that the caller has, as If-Match; a different one answers 409 with the current state"`
}

// WatchdogMode is a rule and its mode.
type WatchdogMode struct {
	Rule string `json:"rule"`
	Mode string `json:"mode"`
}

// WatchdogMail says whether the caller is mailed what is found.
type WatchdogMail struct {
	Mail bool `json:"mail"`
}

// Finding is what the watchdog found about an asset.
type Finding struct {
	ID             string        `json:"id"`
	Rule           string        `json:"rule" doc:"watchdogRules in the catalog"`
	ThingID        *string       `json:"thing_id" doc:"null: it is about an integration or a closure as a whole"`
	ThingName      string        `json:"thing_name" doc:"empty where thing_id is null"`
	OrganizationID string        `json:"organization_id" doc:"whose the asset, integration, or closure was when it was found"`
	About          *FindingAbout `json:"about" doc:"null: about nothing but the asset, or not told to those who may only read the organization"`
	BeganAt        fleet.Instant `json:"began_at" nullable:"false" doc:"since when it was so"`
	FoundAt        fleet.Instant `json:"found_at" nullable:"false"`
	EndedAt        fleet.Instant `json:"ended_at" doc:"since when it is so no longer; null: it still is"`
	Trial          bool          `json:"trial" doc:"its rule is on trial: nobody is mailed"`
	Mailed         []FindingMail `json:"mailed" doc:"who was mailed; empty for those who may only read the organization"`
	Held           bool          `json:"held" doc:"found in the quiet hours: it is mailed when they end, if it is still so"`
}

// FindingAbout is what a finding is about.
type FindingAbout struct {
	Type string `json:"type" enum:"incident,closure,station,integration,configuration"`
	ID   string `json:"id"`
	Name string `json:"name" doc:"as it was when it was found"`
}

// FindingMail is someone who was mailed.
type FindingMail struct {
	UserID string        `json:"user_id"`
	Name   string        `json:"name"`
	At     fleet.Instant `json:"at" nullable:"false"`
}
