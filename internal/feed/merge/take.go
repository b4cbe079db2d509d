package merge

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"lightbar/internal/feed/read"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

const (
	overAlready = "over"          // its end lies behind us
	noClosure   = "not_a_closure" // nor a hazard: a detour
	notBegun    = "not_begun"     // its start has passed, and its status is that it has not begun
)

// Read takes the features of a document, by the format of its subscription. zone
// is that of instants without an offset.
func (f *Fetch) Read(ctx context.Context, body io.Reader, s *fleet.FeedSubscription, zone *time.Location) error {
	rows := func(row *file.HazardRow) {
		if row.Reason != "" {
			f.refuse(row.Reason)
		} else {
			f.takeHazard(row.Report)
		}
	}
	how := file.HazardFile{Format: "csv", Columns: s.Columns, Types: s.Types, Zone: zone, TimeFormat: s.TimeFormat, Standing: true}
	if s.Format == "csv" {
		err := read.Hazards(ctx, body, how, f.At, rows)
		f.Usable, f.Whole = err == nil, err == nil && !f.hasMore
		return err
	}
	points := func([]byte) error { return nil }
	if s.Format == read.GeoJSON {
		var err error
		if points, err = file.HazardFeatures(ctx, how, f.At, rows); err != nil {
			return err
		}
	}
	reading := read.NewReading(read.Limits{}, timesOf(s, zone))
	outline, err := read.Walk(ctx, body, read.Limits{}, func(p read.Part) {
		if s.Format == read.GeoJSON && p.Key == "features" && p.Reason == "" && isPoint(ctx, p.JSON) {
			_ = points(p.JSON) // an error is that of ctx, which ends the walk too
			return
		}
		switch zone, reason := reading.Take(p); {
		case reason == read.IDRepeated && zone != nil:
			f.takeAgain(zone)
		case reason != "":
			f.refuse(reason)
		case zone != nil:
			f.takeZone(zone)
		}
	})
	if err != nil {
		return err
	}
	result := reading.Done(outline)
	f.Publisher, f.PublishedAt = result.Info.Publisher, result.Info.UpdatedAt
	f.Usable, f.Whole = true, outline.Broken == "" && !f.hasMore
	if outline.Broken != "" {
		f.Problem = fleet.FeedProblem(outline.Broken)
	}
	return nil
}

// timesOf returns how a feed writes instants. Those of WZDx and CWZ are UTC by their standard if the subscription names no zone.
func timesOf(s *fleet.FeedSubscription, zone *time.Location) read.Times {
	times := read.Times{Zone: zone, Format: s.TimeFormat}
	if s.Timezone == "" && (s.Format == read.WZDx || s.Format == read.CWZ) {
		times.Zone = time.UTC
	}
	return times
}

// isPoint reports whether a feature of GeoJSON is a point, in whatever a program wraps it: those are hazards.
func isPoint(ctx context.Context, feature []byte) bool {
	var of struct{ Geometry json.RawMessage }
	if json.Unmarshal(feature, &of) != nil {
		return false
	}
	kind, _, err := file.Geometry(ctx, of.Geometry)
	return err == nil && kind == "Point"
}

// takeZone takes a work zone as a closure, or an incident as a hazard.
func (f *Fetch) takeZone(z *read.WorkZone) {
	bounds := fleet.Span{From: max(z.StartAt, 1), To: z.EndAt} // without a start it holds already
	switch {
	case z.EndAt != 0 && z.EndAt <= f.At, z.Over, z.Schedule != nil && z.Schedule.EndsBy(f.At, bounds):
		f.refuse(overAlready)
	case z.Pending && z.StartAt <= f.At:
		f.refuse(notBegun)
	case z.IsClosure():
		if f.points += len(z.Route); len(f.Closures) >= MostClosures || f.points > mostPoints {
			f.refuse(read.TooMany)
			return
		}
		c := z.Closure()
		f.Closures, f.byID[z.ID] = append(f.Closures, &c), len(f.Closures)
	default:
		f.takeIncident(z, bounds)
	}
}

// takeAgain takes one whose id was there before: some publishers list each time
// of an event that repeats under one id. The first that is not over counts.
func (f *Fetch) takeAgain(z *read.WorkZone) {
	switch at, isKept := f.byID[z.ID]; {
	case !isKept && z.IsClosure():
		f.takeZone(z)
		return
	case isKept && z.IsClosure() && (z.EndAt == 0 || z.EndAt > f.At) && !z.Over && !z.Pending && z.StartAt < f.Closures[at].StartAt:
		c := z.Closure()
		f.points += len(c.UserRoute) - len(f.Closures[at].UserRoute)
		f.Closures[at] = &c
	}
	f.refuse(read.IDRepeated)
}

func (f *Fetch) takeIncident(z *read.WorkZone, bounds fleet.Span) {
	r := fleet.HazardReport{MarkReport: fleet.MarkReport{ID: z.ID, At: f.At, Lat: z.Route[0].Lat, Lng: z.Route[0].Lng, HasLat: true,
		HasLng: true}, HasKind: true, Kind: z.HazardKind(), HasDescription: true, Description: z.TextUpTo(mostHazardText), StartAt: z.StartAt}
	ends := z.EndAt
	if z.Schedule != nil {
		ends = z.Schedule.At(f.At, bounds).To
	}
	switch {
	case r.Kind == "":
		f.refuse(noClosure)
	case z.StartAt > f.At, z.Schedule != nil && ends == 0: // it is announced, and no danger now
		f.refuse(noClosure)
	case r.Check(f.At) != nil:
		f.refuse(read.Invalid)
	default:
		if ends != 0 {
			r.ExpiresAt = min(ends, r.LatestEnd(f.At))
		}
		f.takeHazard(r)
	}
}

func (f *Fetch) takeHazard(r fleet.HazardReport) {
	if len(f.Hazards) >= mostHazards {
		f.refuse(read.TooMany)
		return
	}
	f.Hazards = append(f.Hazards, r)
}
