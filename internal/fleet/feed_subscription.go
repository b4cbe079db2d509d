package fleet

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
)

var (
	feedURLMax   = int(catalog.LimitInt("subscription", "urlText"))
	feedTypesMax = int(catalog.LimitInt("subscription", "types"))
	feedCellMax  = int(catalog.LimitInt("text", "name"))
	feedFetches  = int(catalog.LimitInt("subscription", "fetches"))
	feedPeriod   = catalog.Setting("subscription", "periodMs")
	feedFrozen   = catalog.Setting("subscription", "frozenAfterMs")
	feedBackoff  = catalog.LimitMs("subscription", "backoffMs")
	feedPress    = catalog.LimitMs("subscription", "pressMs")
)

// How the feed of a subscription is; the list is catalog/enums.json, feedHealth.
const (
	FeedOff     = "off"     // it is paused
	FeedWaiting = "waiting" // it was not fetched yet
	FeedGood    = "good"
	FeedFailing = "failing" // the last fetch failed
	FeedHeld    = "held"    // much less is in it than before: what is missing is still active
	FeedFrozen  = "frozen"  // it can be fetched, and has contained nothing new for long
)

// FeedSubscription is a feed of someone else's that an organization reads: it
// brings closures and hazards.
type FeedSubscription struct {
	ID, OrganizationID string
	Name               string // also the source of its closures and hazards
	Format             string // catalog/enums.json, feedFormats
	URL                string // the address as it may be read back: its secrets hidden
	Address            string // the whole address, sealed by the server key
	AddressBefore      string // the one before the last edit, sealed, for who takes that back; empty = it is not known
	IsActive           bool
	Columns            HazardColumns
	Types              map[string]string // what the feed calls a type: a type of hazards; never changed in place
	Timezone           string            // of instants without an offset; empty = the organization's
	TimeFormat         string
	State              FeedState
	NextFetchAt        Instant
	Brings             bool // it may still have active closures or hazards
	Version            int64
	UpdatedAt          Instant
	DeletedAt          Instant
}

// FeedState is the result of a feed's fetches.
type FeedState struct {
	LastFetchedAt Instant `json:"last_fetched_at,omitempty"`
	LastGoodAt    Instant `json:"last_good_at,omitempty"`    // of the last complete fetch
	ReadAt        Instant `json:"read_at,omitempty"`         // when a whole document was applied last
	LastChangedAt Instant `json:"last_changed_at,omitempty"` // when its features last changed
	PublishedAt   Instant `json:"said_at,omitempty"`         // when it was made, according to itself; 0 = not given
	// Of the last document that could be read: its features, those refused by reason.
	Kept    int            `json:"kept"`
	Refused int            `json:"refused"`
	Reasons map[string]int `json:"reasons,omitempty"`
	// Closures and Hazards count its active ones, Missing those that are no longer in it and stay active until that is believed.
	Closures int `json:"closures"`
	Hazards  int `json:"hazards"`
	Missing  int `json:"missing,omitempty"`
	Accepted int `json:"accepted,omitempty"` // so many may be missing in the next whole document: someone accepted it
	// HeldSince is when it began to be much smaller than before; 0 = it is not.
	HeldSince Instant `json:"held_since,omitempty"`
	Publisher string  `json:"publisher,omitempty"`
	// Problem is why the last fetch failed (enums.json, feedProblems), Code the HTTP status; empty = it did not.
	Problem  string `json:"problem,omitempty"`
	Code     int    `json:"code,omitempty"`
	Failures int    `json:"failures,omitempty"` // in a row
	// ETag, LastModified and Digest are of the document that was applied last.
	ETag         string      `json:"etag,omitempty"`
	LastModified string      `json:"last_modified,omitempty"`
	Digest       string      `json:"digest,omitempty"`
	Fetches      []FeedFetch `json:"fetches,omitempty"` // the newest first
}

// FeedFetch is one fetch of a feed.
type FeedFetch struct {
	At      Instant `json:"at" nullable:"false"`
	Outcome string  `json:"outcome" doc:"good, unchanged, held, or why it failed"`
	Code    int     `json:"code,omitempty"`
	Kept    int     `json:"kept"`
	Refused int     `json:"refused"`
	Ms      int64   `json:"ms" doc:"how long it took; 0 = unknown"`
}

// closedWord is a word of a closed list of the catalog, else the one that stands for others.
func closedWord(list []catalog.Named, word, otherwise string) string {
	if slices.ContainsFunc(list, func(n catalog.Named) bool { return n.Name == word }) {
		return word
	}
	return otherwise
}

// FeedReason is why a feature was refused, as the catalog has it.
func FeedReason(word string) string {
	return closedWord(catalog.AllEnums().FeedReasons, word, RowInvalid)
}

// FeedProblem is why a fetch failed, as the catalog has it.
func FeedProblem(word string) string {
	return closedWord(catalog.AllEnums().FeedProblems, word, "unreachable")
}

// HealthAt is the health of the feed, as of an instant.
func (s *FeedSubscription) HealthAt(now Instant) string {
	return closedWord(catalog.AllEnums().FeedHealth, s.healthAt(now), FeedFailing)
}

func (s *FeedSubscription) healthAt(now Instant) string {
	switch {
	case !s.IsActive:
		return FeedOff
	case s.State.LastFetchedAt == 0:
		return FeedWaiting
	case s.State.Problem == FeedShrunk:
		return FeedHeld
	case s.State.Problem != "":
		return FeedFailing
	case now.Sub(max(s.State.LastChangedAt, s.State.PublishedAt)) >= feedFrozen.Duration():
		return FeedFrozen
	}
	return FeedGood
}

// FeedShrunk is the problem of a feed that is much smaller than before.
const FeedShrunk = "shrunk"

// Note puts a fetch before the earlier ones.
func (s *FeedState) Note(f FeedFetch) {
	s.Fetches = slices.Insert(slices.Clone(s.Fetches[:min(len(s.Fetches), feedFetches-1)]), 0, f)
}

// Press lets the feed be fetched soon: at once, but not again within moments.
func (s *FeedSubscription) Press(now Instant) {
	s.NextFetchAt = min(s.NextFetchAt, max(now, s.State.LastFetchedAt.Add(feedPress)))
}

// Next is when the feed is fetched after a fetch: after its period, longer each
// time that it fails, and not before its server asked us to come again.
func (s *FeedSubscription) Next(now Instant, retryAfter time.Duration) Instant {
	wait := feedPeriod.Duration()
	if s.State.Failures > 1 {
		wait = max(wait, min(wait<<min(s.State.Failures-1, 10), feedBackoff))
	}
	return now.Add(max(wait, retryAfter))
}

// IsRefreshDue reports whether the document must be read even if it has not changed: that confirms what is active, hazards sooner
// than closures.
func (s *FeedSubscription) IsRefreshDue(now Instant) bool {
	every := feedConfirm
	if s.State.Hazards > 0 {
		every = hazardLife / 2
	}
	return now.Sub(s.State.ReadAt) >= every
}

// feedOverduePeriods is for how many periods a feed may be due: after that, the places for fetches do not suffice.
const feedOverduePeriods = 2

// FeedOverdueSince is since when a feed must have been due to be overdue.
func FeedOverdueSince(now Instant) Instant {
	return now.Add(-feedOverduePeriods * feedPeriod.Duration())
}

// Begin resets what is known about the feed: it is another one, or read in another way.
func (s *FeedSubscription) Begin(now Instant) {
	s.State.ETag, s.State.LastModified, s.State.Digest, s.State.ReadAt = "", "", "", 0
	s.State.HeldSince, s.State.Missing, s.State.Accepted = 1, 0, 0 // what is missing in another document is believed at once
	s.State.Problem, s.State.Code, s.State.Failures, s.State.LastFetchedAt = "", 0, 0, 0
	s.NextFetchAt = now
}

// Check checks the subscription by its law and notes what is wrong by the names of the wire.
func (s *FeedSubscription) Check(wrong map[string]string) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	formats := catalog.AllEnums().FeedFormats
	note("name", "Required", s.Name == "")
	note("url", "Required", s.URL == "")
	note("format", "Use wzdx, cwz, cifs, geojson or csv",
		!slices.ContainsFunc(formats, func(f catalog.Named) bool { return f.Name == s.Format }))
	for _, c := range s.Columns.Named() {
		_, sentence := CheckText(c.As, feedCellMax)
		note("columns."+c.Field, sentence, sentence != "")
	}
	note("types", "At most "+strconv.Itoa(feedTypesMax)+" words", len(s.Types) > feedTypesMax)
	for text, kind := range s.Types {
		_, sentence := CheckText(text, feedCellMax)
		note("types", sentence, sentence != "")
		note("types."+text, "Unknown type", HazardKind(kind) != kind)
	}
	if s.Timezone != "" {
		_, err := time.LoadLocation(s.Timezone)
		note("timezone", "Unknown time zone", err != nil || s.Timezone == "Local")
	}
	_, sentence := CheckText(s.TimeFormat, feedCellMax)
	note("time_format", sentence, sentence != "")
	note("time_format", "Use iso, unix, unix_ms or a pattern such as yyyy/MM/dd HH:mm:ss", TimeReader(s.TimeFormat, time.UTC) == nil)
}

// ReadsLike reports whether two subscriptions read the same document in the same way.
func (s *FeedSubscription) ReadsLike(o *FeedSubscription) bool {
	return s.Address == o.Address && s.Format == o.Format && s.Columns == o.Columns && s.Timezone == o.Timezone &&
		s.TimeFormat == o.TimeFormat && sameTypes(s.Types, o.Types)
}

func sameTypes(a, b map[string]string) bool {
	for text, kind := range a {
		if b[text] != kind {
			return false
		}
	}
	return len(a) == len(b)
}

// hiddenPart replaces the parts of an address that are not returned.
const hiddenPart = "***"

// CheckFeedURL checks the text of an address. It returns what may be shown of it, with its user and the values of its query hidden,
// or a sentence about what is wrong.
func CheckFeedURL(said string) (whole, shown, sentence string) {
	const form = "Use an address such as https://example.org/feed.geojson"
	said, _, _ = strings.Cut(said, "#") // a fragment is for browsers alone
	said = strings.TrimSpace(said)
	if len(said) > feedURLMax {
		return "", "", "At most " + strconv.Itoa(feedURLMax) + " characters"
	}
	at, err := url.Parse(said)
	if err != nil || at.Opaque != "" || at.Hostname() == "" || at.Scheme != "http" && at.Scheme != "https" {
		return "", "", form
	}
	whole = at.String()
	shown = at.Scheme + "://"
	if at.User != nil {
		shown += hiddenPart + "@"
	}
	shown += at.Host + at.EscapedPath()
	for i, part := range strings.Split(at.RawQuery, "&") {
		if part == "" {
			continue
		}
		name, _, named := strings.Cut(part, "=")
		if !named {
			name = ""
		} else {
			name += "="
		}
		shown += map[bool]string{true: "?", false: "&"}[i == 0] + name + hiddenPart
	}
	if strings.Contains(said, hiddenPart) {
		sentence = "Enter the whole address. The hidden parts can't be reused in a different one"
	}
	return whole, shown, sentence
}
