package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/wire"
)

var (
	tripSpan       = catalog.LimitMs("trip", "spanMs")
	tripPoints     = catalog.LimitInt("trip", "points")
	exportPoints   = int(catalog.LimitInt("trip", "exportPoints"))
	tripAssets     = int(catalog.LimitInt("trip", "assets"))
	coverageAssets = int(catalog.LimitInt("trip", "coverageAssets"))
)

// TripQuery requests what an asset did in a period.
type TripQuery struct {
	ThingID string
	fleet.Stretch
}

// CoverageQuery requests when there are positions of assets; without a period, from the first one until now.
type CoverageQuery struct {
	ThingIDs []string
	fleet.Stretch
}

// Trips returns what an asset did in a period of at most 24 hours: its runs, its movement outside of them, when it stood still, was
// silent, had its lights on. If an asset changed hands, each owner sees the part that was its own. The request is audited. Requires
// VIEW_TRIPS. Refusals: not_found; validation_failed with section 5's words, or too many points; rate_limited.
func (a *App) Trips(ctx context.Context, actor *access.Actor, q TripQuery) (out wire.Trips, err error) {
	if err := actor.Must("VIEW_TRIPS"); err != nil {
		return out, err
	}
	out.Data = wire.ThingTrips{ThingID: q.ThingID, Runs: []wire.Trip{}, Other: []wire.Trip{}, Spans: []wire.TripSpan{},
		Lights: []wire.Stretch{}, Unreadable: []wire.Stretch{}}
	var owners []string
	// A day is many points: one answer is made at a time, and organizations take turns, so that memory is limited.
	err = a.looking.alone(ctx, actor.OrganizationID, func() error {
		return a.Store.Read(ctx, func(r store.Reader) error {
			parts, err := a.partsOfThing(ctx, r, actor, q.ThingID)
			if err != nil {
				return err
			}
			if err := lawOfTripSpan(q.Stretch, a.now()); err != nil {
				return err
			}
			for _, part := range parts {
				if part = part.clipped(q.Stretch); part.Start >= part.End {
					continue
				}
				owners = append(owners, part.OrganizationID)
				if err := a.tripsOfPart(ctx, r, part, q.Stretch, &out.Data); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return out, err
	}
	for _, owner := range owners {
		a.NoteRead(ctx, actor, "trips", q.ThingID, owner, wire.Stretch(q.Stretch))
	}
	for _, list := range [][]wire.Trip{out.Data.Runs, out.Data.Other} {
		slices.SortStableFunc(list, func(x, y wire.Trip) int { return int(y.RunStart - x.RunStart) })
	}
	return out, nil
}

// ExportTrips returns the trips of 1 to 5 assets, each with its name, for a file. Requires VIEW_TRIPS. Refusals: as Trips;
// validation_failed when they are too many together.
func (a *App) ExportTrips(ctx context.Context, actor *access.Actor, q CoverageQuery) (out []file.AssetTrips, err error) {
	if err := actor.Must("VIEW_TRIPS"); err != nil {
		return nil, err
	}
	switch n := len(q.ThingIDs); {
	case n == 0:
		return nil, fleet.Refuse("validation_failed", "thing_ids[]", "Must select at least 1 Asset")
	case n > tripAssets:
		return nil, fleet.Refuse("validation_failed", "thing_ids[]", fmt.Sprintf("%d Assets max", tripAssets))
	}
	n := 0
	for _, id := range q.ThingIDs {
		parts, err := a.partsOfThing(ctx, a.Store.Reader(), actor, id)
		if err != nil {
			return nil, err
		}
		trips, err := a.Trips(ctx, actor, TripQuery{ThingID: id, Stretch: q.Stretch})
		if err != nil {
			return nil, err
		}
		for _, list := range [][]wire.Trip{trips.Data.Runs, trips.Data.Other} {
			for i := range list {
				n += len(list[i].Points)
			}
		}
		if n > exportPoints {
			return nil, fleet.Refuse("validation_failed", "thing_ids[]",
				fmt.Sprintf("There are more than %d points in this time. Choose fewer assets, or a shorter time.", exportPoints))
		}
		out = append(out, file.AssetTrips{Name: parts[len(parts)-1].name, ThingTrips: trips.Data})
	}
	return out, nil
}

// lawOfTripSpan is section 5's law of a trip's time.
func lawOfTripSpan(s fleet.Stretch, now fleet.Instant) error {
	switch {
	case s.Start == 0:
		return fleet.Refuse("validation_failed", "start_time", "Required")
	case s.End == 0:
		return fleet.Refuse("validation_failed", "end_time", "Required")
	case s.Start > now:
		return fleet.Refuse("validation_failed", "start_time", "Must be past date")
	case s.End > now:
		return fleet.Refuse("validation_failed", "end_time", "Must be past date")
	case s.Start == s.End:
		return fleet.Refuse("validation_failed", "end_time", "Dates must be different")
	case s.End < s.Start:
		return fleet.Refuse("validation_failed", "end_time", "End time must be after Start time")
	case s.End.Sub(s.Start) > tripSpan:
		return fleet.Refuse("validation_failed", "end_time", "Select up to 24 hours")
	}
	return nil
}

// ownedPart is a period of an asset's history that an actor may see.
type ownedPart struct {
	fleet.Stretch
	ThingID, OrganizationID string
	No                      int64
	name                    string // as its owner knew it
	present                 bool   // it has not ended
	state                   fleet.State
}

func (p ownedPart) clipped(to fleet.Stretch) ownedPart {
	p.Start, p.End = max(p.Start, to.Start), min(p.End, to.End)
	return p
}

// partsOfThing returns the periods of an asset's history that an actor may see, oldest first: those of organizations in reach, and
// the present one if the asset is in reach otherwise. Refusal: not_found, without any.
func (a *App) partsOfThing(ctx context.Context, r store.Reader, actor *access.Actor, thingID string) (parts []ownedPart, err error) {
	refused := fleet.Refuse("not_found", "", "Asset not found")
	present, state, _, there := a.Live.Thing(thingID)
	owners, err := store.OwnersOfThing(ctx, r, thingID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refused
	}
	if err != nil {
		return nil, err
	}
	for _, o := range owners {
		part := ownedPart{fleet.Stretch{Start: o.From, End: o.Until}, thingID, o.OrganizationID, present.No,
			cmp.Or(present.Nickname, present.SystemName), o.Until == 0, state}
		seen := actor.Reach(o.OrganizationID) > access.None
		if part.present {
			part.End = fleet.Instant(1 << 62)
			seen = there && reachOfThing(actor, &present) > access.None
		} else if o.Doc != nil {
			part.No, part.name = o.Doc.No, cmp.Or(o.Doc.Nickname, o.Doc.SystemName)
		}
		if seen {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil, refused
	}
	return parts, nil
}

// tripsOfPart adds what an asset did in a part of the requested period.
func (a *App) tripsOfPart(ctx context.Context, r store.Reader, part ownedPart, asked fleet.Stretch, out *wire.ThingTrips) error {
	h, damaged, err := tripHistory(ctx, r, part)
	if err != nil {
		return err
	}
	found := fleet.TripsOf(h)
	told, err := a.driverImpressions(ctx, r, part, found.Runs)
	if err != nil {
		return err
	}
	going, goes := fleet.RunGoesOn(&part.state, a.now())
	goes = goes && part.present
	for i := range found.Runs {
		run := a.tripWire(&found.Runs[i], asked)
		run.IsActive = goes && found.Runs[i].RunID == going.ID
		run.Drivers = told.DriversOfRun(&found.Runs[i])
		out.Runs = append(out.Runs, run)
	}
	for i := range found.Other {
		out.Other = append(out.Other, a.tripWire(&found.Other[i], asked))
	}
	for _, s := range found.Spans {
		out.Spans = append(out.Spans, wire.TripSpan{Stretch: wire.Stretch(s.Stretch), State: s.State})
	}
	for _, s := range found.Lights {
		out.Lights = append(out.Lights, wire.Stretch(s))
	}
	a.nameDamaged(ctx, damaged)
	for _, b := range damaged {
		out.Unreadable = append(out.Unreadable, wire.Stretch{Start: b.Start(), End: b.Start().Add(time.Hour)})
	}
	return nil
}

// driverImpressions reads what determines how many drivers were alerted on runs of a part, for all of them at once.
func (a *App) driverImpressions(ctx context.Context, r store.Reader, part ownedPart, runs []fleet.Trip) (
	h fleet.DriverImpressions, err error) {
	if len(runs) == 0 {
		return h, nil
	}
	// A run may have begun days ago. Alerts are deleted with events, perhaps before runs: if none is left, that does not mean that
	// none was shown.
	h.Since = max(part.Start.Add(-tripSpan), a.now().Add(-fleet.KindOfData(fleet.DataEvents).Retention()))
	reach := fleet.DriversReach(runs, h.Since)
	if h.Alerts, err = store.AlertsShown(ctx, r, part.OrganizationID, part.ThingID, reach); err != nil {
		return h, err
	}
	h.Hours, err = store.ImpressionHours(ctx, r, part.OrganizationID, reach)
	return h, err
}

// tripWire is a trip in JSON, with the streets where it begins and ends.
func (a *App) tripWire(t *fleet.Trip, asked fleet.Stretch) wire.Trip {
	row := wire.TripOf(t, asked)
	if n := len(t.Points); n > 0 {
		row.StreetStart, row.StreetEnd = a.streetOf(&t.Points[0]), a.streetOf(&t.Points[n-1])
	}
	return row
}

func (a *App) streetOf(p *fleet.Point) string {
	heading := -1.0
	if p.HasCourse {
		heading = p.CourseDeg
	}
	return a.Live.Street(p.Lat, p.Lng, heading)
}

// tripHistory reads what determines the trips of a part. Refusal: validation_failed (too many points).
func tripHistory(ctx context.Context, r store.Reader, part ownedPart) (h fleet.TripHistory, damaged []points.Block, err error) {
	h.Stretch = part.Stretch
	own := part.End
	if part.state.Skewed || !part.present { // its own instants may be later than the effective ones
		own += fleet.Instant(fleet.MaxReportAhead().Milliseconds())
	}
	if err := boundPoints(ctx, r, part, own); err != nil {
		return h, nil, err
	}
	in := func(at fleet.Instant) bool { return at >= part.Start && at < part.End }
	h.Points, damaged, err = points.OfThing(ctx, r, part.No, part.Start, own)
	if err != nil {
		return h, nil, err
	}
	h.Points = slices.DeleteFunc(h.Points, func(p fleet.Point) bool { return !in(p.EffectiveAt()) })
	slices.SortStableFunc(h.Points, func(p, q fleet.Point) int { return int(p.EffectiveAt() - q.EffectiveAt()) })
	signals, err := points.SignalsOfThing(ctx, r, part.No, part.Start, own)
	if err != nil {
		return h, nil, err
	}
	for _, s := range signals {
		switch at := s.EffectiveAt(); {
		case !in(at):
		case s.HasAlerting():
			h.Signals = append(h.Signals, fleet.OnOffReport{At: at, On: s.On})
		default:
			h.Heartbeats = append(h.Heartbeats, at)
		}
	}
	slices.SortStableFunc(h.Signals, func(x, y fleet.OnOffReport) int { return int(x.At - y.At) })
	slices.Sort(h.Heartbeats)
	if h.Stays, err = store.StaysOfThing(ctx, r, part.ThingID, part.Start, part.End); err != nil {
		return h, nil, err
	}
	if h.Runs, err = runsOfPart(ctx, r, part); err != nil {
		return h, nil, err
	}
	h.Before, err = points.AlertingBefore(ctx, r, part.No, part.Start)
	return h, damaged, err
}

// boundPoints refuses a request that would take too much memory, before it is read.
func boundPoints(ctx context.Context, r store.Reader, part ownedPart, own fleet.Instant) error {
	hours, err := points.HoursOfThing(ctx, r, part.No, part.Start, own)
	if err != nil {
		return err
	}
	n := int64(0)
	for _, hour := range hours {
		n += hour.Points
	}
	if n > tripPoints {
		return fleet.Refuse("validation_failed", "end_time",
			fmt.Sprintf("There are more than %d points in this time. Choose a shorter one.", tripPoints))
	}
	return nil
}

// runsOfPart reads the runs that touch a part; the current run may not be written yet.
func runsOfPart(ctx context.Context, r store.Reader, part ownedPart) ([]fleet.Run, error) {
	runs, err := store.RunsBetween(ctx, r, part.No, part.Start, part.End-1)
	if err != nil {
		return nil, err
	}
	runs = slices.DeleteFunc(runs, func(run fleet.Run) bool { return run.OrganizationID != part.OrganizationID })
	s := &part.state
	if !part.present || s.RunID == "" || s.RunStartAt >= part.End || s.RunLastAt < part.Start {
		return runs, nil
	}
	newest := fleet.Run{ID: s.RunID, ThingNo: s.No, OrganizationID: part.OrganizationID, StartAt: s.RunStartAt, EndAt: s.RunLastAt}
	if i := slices.IndexFunc(runs, func(run fleet.Run) bool { return run.ID == s.RunID }); i >= 0 {
		runs[i].EndAt = max(runs[i].EndAt, newest.EndAt)
		return runs, nil
	}
	runs = append(runs, newest)
	slices.SortFunc(runs, func(x, y fleet.Run) int { return int(x.StartAt - y.StartAt) })
	return runs, nil
}

// Coverage returns when there are positions of assets, as far as the actor may see them: periods in which every hour has one.
// Requires VIEW_TRIPS. Refusals: not_found; validation_failed (too many assets).
func (a *App) Coverage(ctx context.Context, actor *access.Actor, q CoverageQuery) ([]wire.Coverage, wire.Meta, error) {
	if err := actor.Must("VIEW_TRIPS"); err != nil {
		return nil, wire.Meta{}, err
	}
	if len(q.ThingIDs) > coverageAssets {
		return nil, wire.Meta{}, fleet.Refuse("validation_failed", "thing_ids[]", fmt.Sprintf("Ask for at most %d assets.", coverageAssets))
	}
	now := a.now()
	if q.End == 0 || q.End > now {
		q.End = now + 1
	}
	out := make([]wire.Coverage, 0, len(q.ThingIDs))
	for _, id := range q.ThingIDs {
		row := wire.Coverage{ThingID: id, Spans: []wire.CoverageSpan{}}
		parts, err := a.partsOfThing(ctx, a.Store.Reader(), actor, id)
		if err != nil {
			return nil, wire.Meta{}, err
		}
		for _, part := range parts {
			if part = part.clipped(q.Stretch); part.Start >= part.End {
				continue
			}
			hours, err := points.HoursOfThing(ctx, a.Store.Reader(), part.No, part.Start, part.End-1)
			if err != nil {
				return nil, wire.Meta{}, err
			}
			row.Spans = append(row.Spans, coverageOf(hours)...)
		}
		out = append(out, row)
	}
	return out, wire.SinglePage(len(out), now), nil
}

func coverageOf(hours []points.Hour) (out []wire.CoverageSpan) {
	for i, h := range hours {
		if i > 0 && h.Slot-hours[i-1].Slot == 1 {
			last := &out[len(out)-1]
			last.End, last.Points = h.Last, last.Points+h.Points
			continue
		}
		out = append(out, wire.CoverageSpan{Start: h.First, End: h.Last, Points: h.Points})
	}
	return out
}
