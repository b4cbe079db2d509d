package demo

import (
	"encoding/json"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// boardClosure is a closure that an arrow board of the demo drives, over the
// public ingest as every board.
type boardClosure struct{ board, description, message string }

// The last board was silent for some time when the demo began: its closure is not verified.
var boardClosures = []boardClosure{
	{"Arrow Board 10", "Pothole patching", "Work zone ahead"},
	{"Arrow Board 11", "Utility work", "Left lane closed ahead"},
	{"Arrow Board 15", "Tree trimming", "Right lane closed ahead"},
}

// drawnClosure is one that a person of the fire department has drawn, published.
type drawnClosure struct {
	id, description, message, direction string
	road, from, to, impact              string
	line                                []fleet.LatLng
	lanes                               []int
	total                               int
	// days of a pattern (1 = Monday), from 21:00 for eight hours; none: it stands now, for six.
	days []int
}

var drawnClosures = []drawnClosure{
	{id: "WFD-1001", description: "Water main repair", message: "Right lane closed ahead", direction: "N", road: "North Walnut Street",
		from: "East 9th Street", to: "East 14th Street", impact: "some-lanes-closed", lanes: []int{2}, total: 2,
		line: []fleet.LatLng{{Lat: 39.743556, Lng: -75.5456777}, {Lat: 39.744422, Lng: -75.5450914}, {Lat: 39.7453615, Lng: -75.5444493},
			{Lat: 39.746225, Lng: -75.5438666}, {Lat: 39.7470582, Lng: -75.5433025}, {Lat: 39.7478935, Lng: -75.5427392}}},
	{id: "WFD-1002", description: "Night paving", message: "Road closed at night", direction: "E", road: "Maryland Avenue",
		from: "Cedar Street", to: "South Madison Street", impact: "all-lanes-closed", days: []int{1, 2, 3, 4, 5},
		line: []fleet.LatLng{{Lat: 39.7366172, Lng: -75.569133}, {Lat: 39.737545, Lng: -75.5667956}, {Lat: 39.7387028, Lng: -75.5638785},
			{Lat: 39.7394236, Lng: -75.5620461}, {Lat: 39.7405082, Lng: -75.5592967}}},
}

// closureM is how long the boards' closures are drawn, along the street from where the board stands.
const closureM = 300

func (s *seeding) closures(cast []Member, made []wire.Thing) error {
	for _, b := range boardClosures {
		for i, m := range cast {
			if m.Vehicle.Nickname != b.board {
				continue
			}
			of, thing, kind := wire.ID(s.orgs[m.Tenant].ID), wire.ID(made[i].ID), fleet.ClosureAutomated
			line, direction := lineFrom(&m)
			_, _, err := s.app.Closures.Create(s.ctx, s.actor, wire.ClosureWrite{OrganizationID: &of, ThingID: &thing, ClosureType: &kind,
				Description: &b.description, AlertMessage: &b.message, Direction: &direction, UserRoute: &line})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// drawn makes the closures that people drew.
func (s *seeding) drawn() error {
	now, zone := time.Now(), s.orgs[0].Timezone
	for i := range drawnClosures {
		d := &drawnClosures[i]
		yes, method := true, "other"
		write := wire.ClosureWrite{Description: &d.description, AlertMessage: &d.message, Direction: &d.direction, UserRoute: &d.line,
			RoadName: &d.road, StreetStart: &d.from, StreetEnd: &d.to, VehicleImpact: &d.impact, LocationMethod: &method,
			ImpactedLanes: &d.lanes, TotalLanes: &d.total, IsWZDxCompliant: &yes, ExternalID: &d.id}
		of := wire.ID(s.orgs[0].ID)
		write.OrganizationID = &of
		if d.days == nil {
			end := fleet.InstantOf(now.Add(6 * time.Hour))
			write.IsActive, write.EndTime = &yes, &end
		} else {
			pattern, err := json.Marshal(fleet.Recurrence{Days: d.days, Start: "21:00", Minutes: 480, From: now.Format(time.DateOnly),
				Until: now.AddDate(0, 0, 28).Format(time.DateOnly), Except: []string{}, Timezone: zone})
			if err != nil {
				return err
			}
			write.Recurrence = pattern
		}
		if _, _, err := s.app.Closures.Create(s.ctx, s.actor, write); err != nil {
			return err
		}
	}
	return nil
}

// lineFrom is where the closure of a board lies, and which way the traffic goes that it stands before: along the
// board's street, or due north where no streets are known.
func lineFrom(board *Member) (line []fleet.LatLng, direction string) {
	way := board.Ahead
	if way == nil {
		at := board.Vehicle.Home
		way = []simulate.LatLng{at, {Lat: at.Lat + closureM/111_195.0, Lng: at.Lng}}
	}
	for _, at := range way {
		line = append(line, fleet.LatLng{Lat: at.Lat, Lng: at.Lng})
	}
	return line, directionOf(way)
}

// directionOf is the direction of the compass in which a line leads.
func directionOf(way []simulate.LatLng) string {
	return []string{"N", "E", "S", "W"}[int(geo.HeadingDeg(way[0], way[len(way)-1])+45)/90%4]
}
