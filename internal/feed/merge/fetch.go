// Package merge decides what a fetch of another publisher's feed changes: it takes the closures and hazards of a document, compares
// them with the stored ones, and returns the subscription's new state. Pure: it writes nothing, and every instant is passed in.
package merge

import (
	"time"

	"lightbar/catalog"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

var (
	// MostClosures is how many closures one feed can have.
	MostClosures = int(catalog.LimitInt("subscription", "closures"))

	mostPoints  = int(catalog.LimitInt("subscription", "points"))
	mostHazards = int(catalog.LimitInt("hazard", "active"))
	// mostHazardText is how much of a text a hazard may have: others write more, and lose no hazard by it.
	mostHazardText = int(catalog.LimitInt("text", "description"))
)

// Fetch is the result of a fetch; make one with Begin.
type Fetch struct {
	At         fleet.Instant
	Took       time.Duration // to fetch and to read
	Unchanged  bool          // the document is the one that was applied last
	Whole      bool          // all of it was read, and nothing of it was too much
	Usable     bool          // what was read counts
	Problem    string        // why it failed, or why only a part of it was read
	Code       int           // of HTTP
	RetryAfter time.Duration
	// Kept and Refused count features, Reasons those refused by reason.
	Kept, Refused int
	Reasons       map[string]int
	Publisher     string
	PublishedAt   fleet.Instant // when the document was made, according to itself
	// ETag, LastModified and Digest are of the document.
	ETag, LastModified, Digest string

	Closures []*fleet.Closure
	Hazards  []fleet.HazardReport

	byID    map[string]int // where in Closures they are
	points  int            // of its closures
	hasMore bool           // there were more features than are taken
}

// Begin is a fetch of which nothing is known yet.
func Begin(at fleet.Instant) *Fetch {
	return &Fetch{At: at, Reasons: map[string]int{}, byID: map[string]int{}}
}

// Fail notes why nothing of the document counts.
func (f *Fetch) Fail(problem string) {
	f.Problem, f.Usable, f.Whole = fleet.FeedProblem(problem), false, false
}

// Cut notes that the connection was interrupted before the end of the document.
func (f *Fetch) Cut() { f.Problem, f.Whole = read.Truncated, false }

// refuse counts a feature that is not taken.
func (f *Fetch) refuse(reason string) {
	f.Refused++
	f.Reasons[fleet.FeedReason(reason)]++
	f.hasMore = f.hasMore || reason == read.TooMany
}

// Count returns how much of the document was accepted. A document of which nothing can be read counts as failed.
func (f *Fetch) Count() {
	f.Kept = len(f.Closures) + len(f.Hazards)
	readable := f.Kept
	for _, reason := range []string{overAlready, noClosure, notBegun, read.Cancelled} { // what these are refused for was read
		readable += f.Reasons[reason]
	}
	if readable == 0 && f.Refused > 0 {
		f.Problem, f.Whole = "all_refused", false
	}
}
