// Package read reads other publishers' work zones: WZDx 4.0 to 4.2, CWZ 1.0, CIFS (JSON and XML), and plain GeoJSON, with or
// without gzip. It is lenient: good features are accepted, bad ones are counted by reason. A document is read part by part and
// never held as a whole. It is pure: a reader comes in, values go out.
package read

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"lightbar/internal/fleet"
)

// Why a feature is refused; the list is closed (also TooLarge).
const (
	Invalid        = "invalid"         // no JSON, or no feature
	TooDeep        = "too_deep"        // nested too deeply
	TooMany        = "too_many"        // behind the last one that is looked at
	NotAWorkZone   = "not_a_work_zone" // a device, a restriction, something else
	IDMissing      = "id_missing"
	IDTooLong      = "id_too_long"
	IDRepeated     = "id_repeated" // the first of them is accepted
	NoGeometry     = "geometry_missing"
	BadGeometry    = "geometry_invalid"
	OutOfRange     = "out_of_range"
	NoFix          = fleet.NoFix
	Swapped        = fleet.RowSwapped
	TooManyPoints  = "too_many_points"
	TimeMissing    = "time_missing"
	TimeInvalid    = "time_invalid"
	EndBeforeStart = "end_before_start"
	ScheduleWrong  = "schedule_invalid" // when within its times it holds cannot be read
	Cancelled      = "cancelled"        // by its own status it is not valid
	VersionUnknown = "version_unknown"  // WZDx before 4.0
)

// Formats of documents.
const (
	WZDx    = "wzdx"
	CWZ     = "cwz"
	CIFS    = "cifs"
	GeoJSON = "geojson"
)

// Info is what a document contains about itself.
type Info struct {
	Publisher       string
	Version         string // such as "4.2"; empty = not given
	License         string
	UpdatedAt       fleet.Instant // 0 = not given
	UpdateFrequency int           // seconds; 0 = not given, -1 = irregular
	Sources         []Source
}

// Source is one of the sources of a document.
type Source struct {
	ID, Name  string
	UpdatedAt fleet.Instant
}

// Result is the result of reading a document. Kept and Refused together are its features.
type Result struct {
	Outline
	Format  string // of the list above
	Info    Info
	Kept    int
	Refused int
	Reasons map[string]int // how many were refused, by reason
}

// Total is how many features the document has, as far as it could be read.
func (r *Result) Total() int { return r.Kept + r.Refused }

// Read hands on the work zones of a document one by one. A refused error
// (*Unreadable) means that nothing counts, also not what was handed on before.
// A Result that is Broken misses what came behind the break.
func Read(ctx context.Context, in io.Reader, limits Limits, visit func(*WorkZone)) (*Result, error) {
	r := NewReading(limits, Times{})
	outline, err := Walk(ctx, in, limits, func(p Part) {
		if zone, reason := r.Take(p); zone != nil && reason == "" {
			visit(zone)
		}
	})
	return r.Done(outline), err
}

// Reading judges the parts of one document.
type Reading struct {
	result Result
	limits Limits
	clock  clock
	seen   *seen
	plain  bool // a feature was of no standard
}

// NewReading begins a document whose publisher writes instants in a way.
func NewReading(limits Limits, times Times) *Reading {
	return &Reading{result: Result{Reasons: map[string]int{}}, limits: limits.filled(), clock: times.clock(), seen: newSeen()}
}

// Take judges a part: it returns an accepted work zone, or the reason why not; a zone with a repeated id comes with its reason. For
// a part that is not a feature it returns neither.
func (r *Reading) Take(p Part) (*WorkZone, string) {
	if p.Index < 0 {
		r.head(p)
		return nil, ""
	}
	zone, reason := r.zoneOf(p)
	if reason == "" && r.seen.add(zone.ID) {
		reason = IDRepeated
	}
	if reason != "" {
		r.result.Refused++
		r.result.Reasons[reason]++
		return zone, reason
	}
	r.result.Kept++
	return zone, ""
}

// Done is the result, once all parts were taken.
func (r *Reading) Done(outline Outline) *Result {
	out := &r.result
	out.Outline = outline
	switch {
	case out.Format == CIFS, outline.List == incidents:
		out.Format = CIFS
	case out.Info.Version == "1.0":
		out.Format = CWZ
	case out.Info.Version == "" && r.plain || out.Format == "":
		out.Format = GeoJSON
	}
	return out
}

func (r *Reading) zoneOf(p Part) (*WorkZone, string) {
	if p.Reason != "" {
		return nil, p.Reason
	}
	if p.Key == incidents {
		r.result.Format = CIFS
		return incidentZone(p.JSON, r.limits, r.clock)
	}
	var f feature
	if json.Unmarshal(p.JSON, &f) != nil || f.Type != "Feature" || len(f.Properties) == 0 {
		return nil, Invalid
	}
	var e event
	if json.Unmarshal(f.Properties, &e) != nil {
		return nil, Invalid
	}
	if e.Core == nil {
		r.plain = true
		return plainZone(&f, r.limits, r.clock)
	}
	r.result.Format = WZDx
	return eventZone(&f, &e, r.limits, r.clock)
}

// head reads what a document contains about itself; both names of it are in use.
func (r *Reading) head(p Part) {
	if p.Key == "timestamp" { // of CIFS
		var at moment
		_ = json.Unmarshal(p.JSON, &at)
		r.result.Info.UpdatedAt = r.clock.known(at)
		return
	}
	if p.Key != "feed_info" && p.Key != "road_event_feed_info" || p.Reason != "" {
		return
	}
	var h struct {
		Publisher text   `json:"publisher"`
		Version   text   `json:"version"`
		License   text   `json:"license"`
		Updated   moment `json:"update_date"`
		Frequency number `json:"update_frequency"`
		Sources   list[struct {
			ID      text   `json:"data_source_id"`
			Name    text   `json:"organization_name"`
			Updated moment `json:"update_date"`
		}] `json:"data_sources"`
	}
	if json.Unmarshal(p.JSON, &h) != nil {
		return
	}
	info := Info{Publisher: shortened(string(h.Publisher), nameRunes), License: shortened(string(h.License), nameRunes),
		Version: shortened(strings.TrimPrefix(string(h.Version), "v"), 10)}
	info.UpdatedAt = r.clock.known(h.Updated)
	info.UpdateFrequency = int(max(-1, min(float64(h.Frequency), 1<<30)))
	for _, s := range h.Sources[:min(len(h.Sources), 100)] {
		info.Sources = append(info.Sources, Source{shortened(string(s.ID), nameRunes), shortened(string(s.Name), nameRunes),
			r.clock.known(s.Updated)})
	}
	if r.result.Info.Version == "" {
		r.result.Info = info
	}
	if r.result.Format == "" {
		r.result.Format = WZDx
	}
}
