package demo

import (
	"math"

	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// boardClosure is a closure that an arrow board of the demo drives, over the
// public ingest as every board.
type boardClosure struct {
	board, description, message, direction string
	headingDeg                             float64
}

// The last board was silent for some time when the demo began: its closure is not verified.
var boardClosures = []boardClosure{
	{"Arrow Board 10", "Pothole patching", "Work zone ahead", "N", 0},
	{"Arrow Board 11", "Utility work", "Left lane closed ahead", "E", 90},
	{"Arrow Board 15", "Tree trimming", "Right lane closed ahead", "S", 180},
}

// closureM is how long they are drawn, from where the board stands.
const closureM = 300

func (s *seeding) closures(cast []Member, made []wire.Thing) error {
	for _, b := range boardClosures {
		for i, m := range cast {
			if m.Vehicle.Nickname != b.board {
				continue
			}
			of, thing, kind := wire.ID(s.orgs[m.Tenant].ID), wire.ID(made[i].ID), fleet.ClosureAutomated
			line := b.line(m.Vehicle.Home)
			_, _, err := s.app.CreateClosure(s.ctx, s.actor, wire.ClosureWrite{OrganizationID: &of, ThingID: &thing, ClosureType: &kind,
				Description: &b.description, AlertMessage: &b.message, Direction: &b.direction, UserRoute: &line})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *boardClosure) line(at simulate.LatLng) []fleet.LatLng {
	north, east := math.Cos(b.headingDeg*math.Pi/180), math.Sin(b.headingDeg*math.Pi/180)
	const perDegreeM = 111_195
	return []fleet.LatLng{{Lat: at.Lat, Lng: at.Lng},
		{Lat: at.Lat + closureM*north/perDegreeM, Lng: at.Lng + closureM*east/(perDegreeM*math.Cos(at.Lat*math.Pi/180))}}
}
