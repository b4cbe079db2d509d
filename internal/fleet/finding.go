package fleet

import (
	"regexp"
	"slices"
	"time"

	"lightbar/catalog"
)

// The rules of the watchdog; the list is catalog/enums.json, watchdogRules.
const (
	RuleNotAlertingAtIncident = "not_alerting_at_incident"
	RuleNotAlertingOnClosure  = "not_alerting_on_closure"
	RuleNotAlertingEnroute    = "not_alerting_enroute"
	RuleAlertingAtStation     = "alerting_at_station"
	RulePositionWithoutLights = "position_without_lights"
	RuleLightsWithoutPosition = "lights_without_position"
	RuleOldConfiguration      = "old_configuration"
	RuleProviderSilent        = "provider_silent"
	RuleClosureLeft           = "closure_left"
)

// The modes of a rule: it is off; it is on trial, and the findings show what it would have reported; it reports.
const (
	WatchOff   = "off"
	WatchTrial = "trial"
	WatchOn    = "on"
)

// What a finding can be about.
const (
	AboutIncident      = "incident"
	AboutClosure       = "closure"
	AboutStation       = "station"
	AboutIntegration   = "integration"
	AboutConfiguration = "configuration"
)

// Finding is what the watchdog found about an asset; about an integration or a closure as a whole it has no ThingID.
type Finding struct {
	ID             string
	Rule           string
	ThingID        string
	OrganizationID string // whose the asset was when it was found
	About          FindingAbout
	BeganAt        Instant // since when it was so
	FoundAt        Instant
	EndedAt        Instant // since when it is so no longer; 0 = it still is
	Trial          bool    // nobody is notified: its rule is on trial
	Mailed         []FindingMail
	Held           bool // it is mailed when the quiet hours end, if it is still so
}

// FindingAbout is the subject of a finding; its name is as it was then. Type "" = about nothing but the asset.
type FindingAbout struct{ Type, ID, Name string }

// FindingMail is that somebody was mailed.
type FindingMail struct {
	UserID string  `json:"user_id"`
	At     Instant `json:"at"`
}

// Watchdog is an organization's settings of the watchdog.
type Watchdog struct {
	OrganizationID string
	Modes          map[string]string // by rule; never changed in place
	// QuietFrom and QuietTo are the hours in which nobody is mailed, as 22:00 by the clocks of the organization; empty = none.
	QuietFrom, QuietTo string
	Version            int64
	UpdatedAt          Instant
}

// WatchdogRules are all rules, in the order of lists.
func WatchdogRules() []string {
	var out []string
	for _, r := range catalog.AllEnums().WatchdogRules {
		out = append(out, r.Name)
	}
	return out
}

// IsWatchdogRule reports whether there is such a rule.
func IsWatchdogRule(rule string) bool { return slices.Contains(WatchdogRules(), rule) }

// NewWatchdog is the watchdog of an organization without settings: each rule on trial, so that nobody is notified before people
// have seen what they would get.
func NewWatchdog(organizationID string) Watchdog {
	return Watchdog{OrganizationID: organizationID, Modes: map[string]string{}, Version: 1}
}

// Mode is the mode of a rule.
func (w *Watchdog) Mode(rule string) string {
	if mode := w.Modes[rule]; slices.Contains(catalog.AllEnums().WatchdogModes, mode) {
		return mode
	}
	return WatchTrial
}

// Same reports whether two have the same settings.
func (w *Watchdog) Same(other *Watchdog) bool {
	for _, rule := range WatchdogRules() {
		if w.Mode(rule) != other.Mode(rule) {
			return false
		}
	}
	return w.QuietFrom == other.QuietFrom && w.QuietTo == other.QuietTo
}

var clockTime = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

// CheckQuiet notes what is wrong with quiet hours.
func (w *Watchdog) CheckQuiet(wrong map[string]string) {
	for field, text := range map[string]string{"quiet_from": w.QuietFrom, "quiet_to": w.QuietTo} {
		if text != "" && !clockTime.MatchString(text) {
			wrong[field] = "Must be a time such as 22:00"
		}
	}
	switch {
	case len(wrong) > 0:
	case w.QuietFrom == "" && w.QuietTo != "":
		wrong["quiet_from"] = "Required"
	case w.QuietFrom != "" && w.QuietTo == "":
		wrong["quiet_to"] = "Required"
	case w.QuietFrom != "" && w.QuietFrom == w.QuietTo:
		wrong["quiet_to"] = "Must differ from the beginning"
	}
}

// IsQuiet reports whether an instant lies in the quiet hours by the local time of a zone. They follow the clock on the wall: where
// an hour comes twice it is quiet twice, and where it is skipped there is none of it.
func (w *Watchdog) IsQuiet(at Instant, zone *time.Location) bool {
	if w.QuietFrom == "" {
		return false
	}
	clock := at.Time().In(zone).Format("15:04")
	if w.QuietFrom < w.QuietTo {
		return w.QuietFrom <= clock && clock < w.QuietTo
	}
	return clock >= w.QuietFrom || clock < w.QuietTo // across midnight
}
