package fleet

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
)

var (
	integrationServerMax   = int(catalog.LimitInt("integrations", "serverText"))
	integrationTextMax     = int(catalog.LimitInt("integrations", "accountText"))
	integrationSecretMax   = int(catalog.LimitInt("integrations", "secretText"))
	integrationLightsMax   = int(catalog.LimitInt("integrations", "lights"))
	integrationPeriod      = catalog.Setting("integrations", "periodMs")
	integrationPress       = catalog.LimitMs("integrations", "pressMs")
	integrationBackoff     = catalog.LimitMs("integrations", "backoffMs")
	integrationUnauthorize = catalog.LimitMs("integrations", "unauthorizedMs")
	integrationCounted     = catalog.LimitMs("integrations", "countedMs")
)

// The providers; the list is catalog/enums.json, providers.
const (
	ProviderGeotab  = "geotab"
	ProviderSamsara = "samsara"
)

// How an integration is; the list is catalog/enums.json, integrationHealth.
const (
	IntegrationOff          = "off"     // it is paused
	IntegrationWaiting      = "waiting" // its provider was not asked yet
	IntegrationGood         = "good"
	IntegrationFailing      = "failing"      // the last time failed; it may go on by itself
	IntegrationUnauthorized = "unauthorized" // the provider refuses the account: a person must mend it
)

// The problems that decide how to continue; the others only are the reason (catalog/enums.json, providerProblems).
const (
	ProblemUnauthorized = "unauthorized"
	ProblemCursorLost   = "cursor_lost"
)

// Integration is an organization's account at a fleet-telematics provider.
type Integration struct {
	ID, OrganizationID string
	Provider           string // never another one
	Name               string
	Server             string // host; empty = the provider's usual one
	Database, User     string // Geotab
	Secret             string // sealed by the server key, together with the server that it is for
	SecretBefore       string // the one before the last edit, for who takes that back; empty = it is not known
	WebhookSecret      string // what its webhooks are signed with, sealed; empty = it has none. Samsara
	WebhookBefore      string // as SecretBefore
	Lights             []string
	IsActive           bool
	FeedCursor         string // where the provider's feed goes on; empty = from now on
	State              IntegrationState
	NextFetchAt        Instant
	Version            int64
	UpdatedAt          Instant
	DeletedAt          Instant
}

// IntegrationState is the result of polling the provider.
type IntegrationState struct {
	LastFetchedAt Instant `json:"last_fetched_at,omitempty"`
	LastGoodAt    Instant `json:"last_good_at,omitempty"`
	LastReportAt  Instant `json:"last_report_at,omitempty"` // the newest instant of a report that was stored
	FailingSince  Instant `json:"failing_since,omitempty"`
	// Reports since CountedSince: taken, had before, of vehicles that are no asset, and refused by reason.
	CountedSince Instant          `json:"counted_since,omitempty"`
	Kept         int64            `json:"kept,omitempty"`
	Repeated     int64            `json:"repeated,omitempty"`
	Unlinked     int64            `json:"unlinked,omitempty"`
	Refused      map[string]int64 `json:"refused,omitempty"` // never changed in place
	// Webhook are the events that the provider sent by itself.
	Webhook WebhookCounts `json:"webhook,omitzero"`
	// Problem is why the last poll failed (enums.json, providerProblems), Message a sentence; empty = it did not.
	Problem   string  `json:"problem,omitempty"`
	Message   string  `json:"message,omitempty"`
	Failures  int     `json:"failures,omitempty"`   // in a row
	NotBefore Instant `json:"not_before,omitempty"` // the provider asked us not to come sooner
	MailedAt  Instant `json:"told_at,omitempty"`    // when people were mailed that the account is refused; 0 = it is not
}

// IntegrationCounts are the results of reports.
type IntegrationCounts struct {
	Kept, Repeated, Unlinked int64
	Refused                  map[string]int64
	Newest                   Instant
	Webhook                  WebhookCounts
}

// WebhookCounts are a provider's events: those about vehicles, those that are not used, and when the last one came.
type WebhookCounts struct {
	LastAt  Instant `json:"at,omitempty"`
	Events  int64   `json:"events,omitempty"`
	Unknown int64   `json:"unknown,omitempty"`
}

// Add adds later ones.
func (c *WebhookCounts) Add(of WebhookCounts) {
	c.LastAt, c.Events, c.Unknown = max(c.LastAt, of.LastAt), c.Events+of.Events, c.Unknown+of.Unknown
}

// Health is the health of the integration.
func (x *Integration) Health() string {
	return closedWord(catalog.AllEnums().IntegrationHealth, x.health(), IntegrationFailing)
}

func (x *Integration) health() string {
	switch {
	case !x.IsActive:
		return IntegrationOff
	case x.State.Problem == ProblemUnauthorized:
		return IntegrationUnauthorized
	case x.State.Problem != "":
		return IntegrationFailing
	case x.State.LastFetchedAt == 0:
		return IntegrationWaiting
	}
	return IntegrationGood
}

// providerRefusals are the intake's refusals, in the words of enums.json, providerRefusals.
var providerRefusals = map[string]string{"at_missing": "time_invalid", "at_too_old": "too_old", "at_too_far_ahead": "ahead",
	NoFix: "position_invalid", "lat_out_of_range": "position_invalid", "lng_out_of_range": "position_invalid",
	"speed_out_of_range": "range", "course_out_of_range": "range"}

// ProviderRefusal is why a provider's report is not taken, as the catalog has it: a reason of its reader or a code of the intake.
func ProviderRefusal(reason string) string {
	if word, ok := providerRefusals[reason]; ok {
		reason = word
	}
	return closedWord(catalog.AllEnums().ProviderRefusals, reason, "record_invalid")
}

// ProviderProblem is why a provider could not be read, as the catalog has it.
func ProviderProblem(word string) string {
	return closedWord(catalog.AllEnums().ProviderProblems, word, "unavailable")
}

// Count adds the results of reports. The counts start over once they are a day old, so that they show the recent state.
func (s *IntegrationState) Count(c IntegrationCounts, now Instant) {
	if now.Sub(s.CountedSince) >= integrationCounted {
		s.CountedSince, s.Kept, s.Repeated, s.Unlinked, s.Refused = now, 0, 0, 0, nil
		s.Webhook.Events, s.Webhook.Unknown = 0, 0
	}
	s.Webhook.Add(c.Webhook)
	s.Kept, s.Repeated, s.Unlinked = s.Kept+c.Kept, s.Repeated+c.Repeated, s.Unlinked+c.Unlinked
	s.LastReportAt = max(s.LastReportAt, c.Newest)
	refused := make(map[string]int64, len(s.Refused)+len(c.Refused))
	for _, of := range []map[string]int64{s.Refused, c.Refused} {
		for reason, n := range of {
			refused[reason] += n
		}
	}
	s.Refused = refused
}

// Worked notes that the provider answered, and that it is polled again after wait.
func (x *Integration) Worked(now Instant, wait time.Duration) {
	s := &x.State
	s.LastFetchedAt, s.LastGoodAt = now, now
	s.FailingSince, s.Problem, s.Message, s.Failures, s.NotBefore, s.MailedAt = 0, "", "", 0, 0, 0
	x.NextFetchAt = now.Add(max(integrationPeriod.Duration(), min(wait, integrationUnauthorize)))
}

// Failed notes why the provider could not be read, and when it is asked again:
// later each time, not before it asked us to come again, and once an hour while it
// refuses the account.
func (x *Integration) Failed(now Instant, problem, message string, retryAfter time.Duration) {
	s := &x.State
	s.LastFetchedAt, s.Problem, s.Message = now, problem, message
	if s.FailingSince == 0 {
		s.FailingSince = now
	}
	wait := min(integrationPeriod.Duration()<<min(s.Failures, 12), max(integrationBackoff, integrationPeriod.Duration()))
	s.Failures++
	if problem == ProblemUnauthorized {
		wait = integrationUnauthorize
	} else {
		s.MailedAt = 0
	}
	if problem == ProblemCursorLost {
		x.FeedCursor = ""
	}
	retryAfter = min(retryAfter, integrationUnauthorize) // a server's wrong value must not stop it for days
	s.NotBefore = now.Add(retryAfter)
	x.NextFetchAt = now.Add(max(wait, retryAfter))
}

// Press lets the provider be asked soon: at once, but not again within moments, nor before it asked us to come again.
func (x *Integration) Press(now Instant) {
	x.NextFetchAt = min(x.NextFetchAt, max(now, x.State.LastFetchedAt.Add(integrationPress), x.State.NotBefore))
}

// Begin lets the provider be polled soon after an edit. The position in its feed is dropped if it is another feed, or was paused:
// what happened in the meantime is not fetched.
func (x *Integration) Begin(now Instant, isAnother bool) {
	s := &x.State
	s.Problem, s.Message, s.Failures, s.FailingSince, s.MailedAt, s.LastFetchedAt = "", "", 0, 0, 0, 0
	if x.NextFetchAt = max(now, s.NotBefore); isAnother {
		x.FeedCursor = ""
	}
}

// SameFeed reports whether two integrations are of the same account of a provider.
func (x *Integration) SameFeed(o *Integration) bool {
	return x.Provider == o.Provider && x.Server == o.Server && x.Database == o.Database
}

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:[0-9]{1,5})?$`)

// CheckServer judges the host of a provider. An address pasted from a browser is taken for its host.
func CheckServer(said string) (host, sentence string) {
	host = strings.ToLower(strings.TrimSpace(said))
	host = strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	if host != "" && (len(host) > integrationServerMax || !hostName.MatchString(host)) {
		return host, "Use a host such as my.geotab.com"
	}
	return host, ""
}

// CheckSecret judges a password or token; pasted ones have spaces around them.
func CheckSecret(said string) (secret, sentence string) {
	secret, sentence = CheckText(said, integrationSecretMax)
	if sentence == "" && secret == "" {
		sentence = "Required"
	}
	return secret, sentence
}

// Check checks the integration by its law and notes what is wrong by the names of the wire.
func (x *Integration) Check(wrong map[string]string) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	note("provider", "Unknown provider.", !slices.Contains(catalog.AllEnums().Providers, x.Provider))
	note("name", "Required", x.Name == "")
	isGeotab := x.Provider == ProviderGeotab
	for _, text := range []struct{ field, is string }{{"database", x.Database}, {"user", x.User}} {
		_, sentence := CheckText(text.is, integrationTextMax)
		note(text.field, sentence, sentence != "")
		note(text.field, "Required", isGeotab && text.is == "")
		note(text.field, "Only Geotab has it", x.Provider == ProviderSamsara && text.is != "")
	}
	note("secret", "Required", x.Secret == "")
	note("webhook_secret", "Only Samsara has it", isGeotab && x.WebhookSecret != "")
	note("lights", "At most "+strconv.Itoa(integrationLightsMax)+" inputs", len(x.Lights) > integrationLightsMax)
	for i, name := range x.Lights {
		_, sentence := CheckText(name, integrationTextMax)
		note("lights", sentence, sentence != "")
		note("lights", "Required", name == "")
		note("lights", "Name each input once", slices.Contains(x.Lights[:i], name))
	}
}
