// Package feed makes the public feeds of an organization's closures, for
// navigation apps, state DOTs, and connected vehicles: WZDx 4.2, CWZ 1.0, Waze
// CIFS, and GeoJSON. It is pure: nouns in, bytes out. A document is its head, its
// features, and its foot. A feature's bytes depend only on its closure and its
// phase, so that a change to one closure rebuilds only one feature.
package feed

import (
	"bytes"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Source is the publisher of a document.
type Source struct {
	ID        string // of the organization, a UUID
	Name      string
	UpdatedAt fleet.Instant // the newest change of its data; 0 = there was none yet
	MadeAt    fleet.Instant // when somebody last looked whether there was one
	Timezone  string        // of the tz database: for the times in documents for people
	Base      string        // address of the server, without a trailing slash
	License   string        // the address of the terms under which it publishes; empty = none were set
}

// Address is where a document of the source is read.
func (s Source) Address(path string) string { return s.Base + "/feeds/" + s.ID + "/" + path }

// Page is where everyone may read the source's closures.
func (s Source) Page() string { return s.Base + "/closures/" + s.ID }

// Phase is the state of a closure between its start and its leaving the documents.
type Phase uint8

const (
	Absent    Phase = iota // not published, or ended long ago
	Scheduled              // it has not begun
	Active
	Ended // it stays for a while with its end, so that every consumer sees the end
)

// endedStays is how long an ended closure stays in the documents (WZDx,
// "Creating a WZDx Feed": an hour, or one refresh).
var endedStays = catalog.LimitMs("closure", "endedStaysMs")

// PhaseOf is a closure's phase at an instant. Those that are out of service,
// have no times, or break a rule of publishing are absent.
func PhaseOf(c *fleet.Closure, now fleet.Instant) Phase {
	is := c.SpanAt(now)
	switch {
	case !c.IsPublished || c.OutOfService || c.DeletedAt != 0 || len(Problems(c)) > 0:
		return Absent
	case is.IsActive:
		return Active
	case is.EndedAt != 0 && now.Sub(is.EndedAt) < endedStays:
		return Ended
	case is.From > now:
		return Scheduled
	}
	return Absent
}

// KnownSince is the instant at which a closure last got the state that documents show now: its last change, or the last change of
// its phase by the clock.
func KnownSince(c *fleet.Closure, now fleet.Instant) fleet.Instant {
	at, is := c.UpdatedAt, c.SpanAt(now)
	turns := []fleet.Instant{is.From, is.To, is.Last.From, is.Last.To, is.EndedAt}
	if is.EndedAt != 0 {
		turns = append(turns, is.EndedAt.Add(endedStays))
	}
	for _, turn := range turns {
		if turn <= now {
			at = max(at, turn)
		}
	}
	return at
}

// NextPhase is when the clock next changes what documents show of a closure; 0 = never.
func NextPhase(c *fleet.Closure, now fleet.Instant) fleet.Instant {
	next, gone := c.NextChange(now), c.LastEndedAt(now).Add(endedStays)
	if gone > now && (next == 0 || gone < next) {
		return gone
	}
	return next
}

// span is when a closure is active, as documents show it; the closure has one time (Closure.At).
func span(c *fleet.Closure, phase Phase) (from, to fleet.Instant) {
	if phase == Ended && c.EndedAt != 0 {
		return c.LastStartAt, c.EndedAt
	}
	return c.StartAt, c.EndAt
}

// Route is the line that documents show: along the road where that is known.
func Route(c *fleet.Closure) []fleet.LatLng {
	for _, route := range [][]fleet.LatLng{c.CalculatedRoute, c.GeocodedRoute} {
		if len(route) > 1 {
			return route
		}
	}
	return c.UserRoute
}

// Format is a kind of document.
type Format struct {
	Path      string // below /feeds/{organizationId}/
	MediaType string
	head      func(Source) []byte
	feature   func(*fleet.Closure, Phase) []byte
	separator string
	foot      string
	// forPeople: words instead of features, made as a whole, and only where the organization's feeds are public.
	forPeople bool
	render    func(Source, []Entry) []byte
}

// ForPeople reports whether a document is in words, which Render makes, and is public or not at all.
func (f *Format) ForPeople() bool { return f.forPeople }

// Render makes a document in words.
func (f *Format) Render(s Source, entries []Entry) []byte { return f.render(s, entries) }

// Formats are all documents of closures in the order that settings list them; the page is none of them.
func Formats() []Format { return formats[:len(formats)-1] }

// FormatAt finds the document of a path below /feeds/{organizationId}/; nil when there is none.
func FormatAt(path string) *Format {
	for i := range formats {
		if formats[i].Path == path {
			return &formats[i]
		}
	}
	return nil
}

// formats are all documents of closures.
var formats = []Format{wzdx, cwz, cifsJSON, cifsXML, geoJSON, rss, ical, page}

// Feature is a closure's part of a document: of one as it is at an instant (Closure.At), in its phase then.
func (f *Format) Feature(c *fleet.Closure, phase Phase) []byte { return f.feature(c, phase) }

// Document puts the features of a source together.
func (f *Format) Document(s Source, features [][]byte) []byte {
	out := append([]byte(nil), f.head(s)...)
	out = append(out, bytes.Join(features, []byte(f.separator))...)
	return append(out, f.foot...)
}

// updatedAt is the date of a document: a feed that is quiet, or empty, is up to date, too.
func (s Source) updatedAt() fleet.Instant { return max(s.UpdatedAt, s.MadeAt) }

// utc is an instant as WZDx and CWZ want it: RFC 3339, UTC, whole seconds.
func utc(at fleet.Instant) string { return at.Time().Format(time.RFC3339) }
