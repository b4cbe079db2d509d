package demo

import (
	"fmt"
	"math"
	"slices"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/geo/route"
	"lightbar/internal/simulate"
)

// pastFleet takes the reports of the past, in the order of time, through the
// laws of ingest, as the live picture does with those of now. What they make of
// a day is kept with it.
type pastFleet struct {
	things []*fleet.Thing // beside the cast; nil = it is gone
	states []fleet.State
	around map[string]fleet.Surroundings // by organization
	roads  *route.Roads
	newID  func() string

	active  []*fleet.Location
	boardOn []bool // beside the cast: the board as it was reported last
	lit     map[int][]fleet.RunPoint
	day     *app.PastDay
}

func newPastFleet(things []*fleet.Thing, areas []*fleet.Area, roads *route.Roads, newID func() string) *pastFleet {
	f := &pastFleet{things: things, states: make([]fleet.State, len(things)), boardOn: make([]bool, len(things)), roads: roads, newID: newID,
		around: map[string]fleet.Surroundings{}}
	stations := map[string][]*fleet.Area{}
	for _, a := range areas {
		if a.IsMatched() {
			stations[a.OrganizationID] = append(stations[a.OrganizationID], a)
		}
	}
	for owner, of := range stations {
		f.around[owner] = surroundings(of)
	}
	for i, t := range things {
		if t != nil {
			f.states[i] = fleet.State{ThingID: t.ID, No: t.No}
		}
	}
	return f
}

func surroundings(stations []*fleet.Area) fleet.Surroundings {
	slices.SortFunc(stations, func(a, b *fleet.Area) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	var shapes []*fleet.Shape
	for _, a := range stations {
		shapes = append(shapes, a.Outline())
	}
	index := fleet.NewShapeIndex(shapes)
	return fleet.Surroundings{
		Station: func(lat, lng float64) string {
			first := len(stations)
			index.At(lat, lng, func(n int) { first = min(first, n) })
			if first == len(stations) {
				return ""
			}
			return stations[first].ID
		},
		Near: func(lat, lng, withinM float64) (near bool) {
			index.Near(lat, lng, withinM, func(int) bool { near = true; return false })
			return near
		},
	}
}

// begin begins a day.
func (f *pastFleet) begin(day *app.PastDay) {
	f.day, f.lit = day, map[int][]fleet.RunPoint{}
}

// reportOf is a report as its device sent it.
func reportOf(thing *fleet.Thing, r *simulate.PastReport) fleet.Report {
	return fleet.Report{Kind: fleet.ReportPoint, Asset: thing.SystemName, At: fleet.InstantOf(r.At), HasLat: true, Lat: r.Place.Lat,
		HasLng: true, Lng: r.Place.Lng, HasSpeed: true, SpeedMS: r.SpeedMS, HasCourse: r.CourseDeg >= 0, CourseDeg: math.Max(0, r.CourseDeg),
		HasAccuracy: true, AccuracyM: r.AccuracyM, HasAlerting: !r.Board, Alerting: r.Lights}
}

// take takes a report in.
func (f *pastFleet) take(r *simulate.PastReport) error {
	at, thing := fleet.InstantOf(r.At), f.things[r.Asset]
	f.age(at)
	if thing == nil {
		return nil
	}
	received := at.Add(r.Delay)
	report := reportOf(thing, r)
	if refusal := report.Check(received); refusal != nil {
		return fmt.Errorf("a report of the past is refused: %w", refusal)
	}
	p := report.Point(thing.No, received)
	s, around := &f.states[r.Asset], f.around[thing.OrganizationID]
	o := fleet.AdvancePoint(s, &p, around)
	f.day.Points = append(f.day.Points, p)
	if !r.Board {
		f.lit[r.Asset] = append(f.lit[r.Asset], fleet.RunPoint{At: at, HasAlerting: true, Alerting: r.Lights})
	} else if r.BoardOn != f.boardOn[r.Asset] {
		f.boardOn[r.Asset] = r.BoardOn
		board := fleet.Report{Kind: fleet.ReportClosure, At: at, HasAlerting: true, Alerting: r.BoardOn, Pattern: r.Pattern}
		g := board.Signal(thing.No, received)
		fleet.AdvanceSignal(s, &g)
		f.day.Signals = append(f.day.Signals, g)
	}
	if o.LeaveID != "" {
		f.depart(o.LeaveID, thing.ID, o.LeaveAt, received)
	}
	if o.Arrive {
		f.arrive(thing, s, &o, received)
	}
	f.match(thing, s, around, at)
	return nil
}

// age lets the clock end stays, as it does between reports.
func (f *pastFleet) age(now fleet.Instant) {
	if len(f.active) == 0 {
		return
	}
	for i := range f.states {
		if s := &f.states[i]; s.LocationID != "" && s.LightsOffAt != 0 {
			if o := fleet.Age(s, now); o.LeaveID != "" {
				f.depart(o.LeaveID, s.ThingID, o.LeaveAt, o.LeaveAt)
			}
		}
	}
}

// arrive puts an asset at the nearest incident of its owner within reach, or opens one.
func (f *pastFleet) arrive(thing *fleet.Thing, s *fleet.State, o *fleet.Outcome, now fleet.Instant) {
	var best *fleet.Location
	near := 0.0
	for _, l := range f.active {
		if l.OrganizationID != thing.OrganizationID || !l.Joins(o.ArriveLat, o.ArriveLng) {
			continue
		}
		if d := fleet.DistanceM(o.ArriveLat, o.ArriveLng, l.Lat, l.Lng); best == nil || d < near {
			best, near = l, d
		}
	}
	if best == nil {
		best = f.open(thing.OrganizationID, s, o)
		f.active, f.day.Incidents = append(f.active, best), append(f.day.Incidents, best)
	} else {
		best.Version++
	}
	best.Join(thing.ID, thing.OrganizationID, o.ArriveAt)
	best.UpdatedAt = now
	best.Learn(now)
	fleet.Arrive(s, best, o.ArriveAt)
}

func (f *pastFleet) open(owner string, s *fleet.State, o *fleet.Outcome) *fleet.Location {
	l := fleet.NewLocation(f.newID(), owner, "", o.ArriveLat, o.ArriveLng, o.ArriveAt)
	if f.roads == nil {
		return l
	}
	heading := math.NaN()
	if s.HasCourse {
		heading = s.CourseDeg
	}
	if street, ok := f.roads.Nearest(l.Lat, l.Lng, heading); ok {
		l.Street = street.Label()
	}
	l.RoadwayHeading, l.HasHeading = f.roads.Roadway(l.Lat, l.Lng, heading)
	return l
}

func (f *pastFleet) depart(id, thingID string, at, now fleet.Instant) {
	i := slices.IndexFunc(f.active, func(l *fleet.Location) bool { return l.ID == id })
	if i < 0 {
		return
	}
	l := f.active[i]
	l.Depart(thingID, at)
	l.Version++
	l.UpdatedAt = now
	if l.Learn(now); !l.IsActive {
		f.active = slices.Delete(f.active, i, i+1)
	}
}

// match notes when an asset came to a station, and when it left one. All were in service and heard of all the time.
func (f *pastFleet) match(thing *fleet.Thing, s *fleet.State, around fleet.Surroundings, at fleet.Instant) {
	if left := s.StationID; fleet.MatchStation(s, around, at) {
		ended, _ := s.Moved(left, at)
		f.visited(thing, ended)
	}
}

func (f *pastFleet) visited(thing *fleet.Thing, v fleet.Visit) {
	if v.AreaID != "" {
		v.OrganizationID, v.ThingTypeID = thing.OrganizationID, thing.TypeID
		f.day.Visits = append(f.day.Visits, v)
	}
}

// end ends a day; ends tells when an asset reported last. What is at a station
// then has left it as far as the past goes: the live picture knows the rest.
func (f *pastFleet) end(at fleet.Instant, ends func(asset int) fleet.Instant) error {
	if f.age(at); len(f.active) > 0 {
		return fmt.Errorf("an incident of the past lasts when its day ends, at %s", at)
	}
	stays := map[string][]fleet.Presence{}
	for _, l := range f.day.Incidents {
		for _, p := range l.Presences {
			stays[p.ThingID] = append(stays[p.ThingID], p)
		}
	}
	for i, thing := range f.things {
		if thing == nil {
			continue
		}
		runs := fleet.RunsOf(fleet.RunHistory{Points: f.lit[i], Stays: stays[thing.ID]})
		for _, r := range runs {
			r.ID, r.ThingNo, r.OrganizationID = f.newID(), thing.No, thing.OrganizationID
			f.day.Runs = append(f.day.Runs, r)
		}
		if s := &f.states[i]; s.StationID != "" && ends(i) <= at {
			left := s.StationID
			s.StationID = ""
			ended, _ := s.Moved(left, ends(i))
			f.visited(thing, ended)
		}
	}
	f.day.EndAt = at
	return nil
}
