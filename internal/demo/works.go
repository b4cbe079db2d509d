package demo

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// What was done at the work zones of the past, in turn.
var worksDone = []struct{ description, message, impact string }{
	{"Milling and paving", "Right lane closed ahead", "some-lanes-closed"},
	{"Gas main replacement", "Road closed ahead", "all-lanes-closed"},
	{"Signal maintenance", "Crew beside the road", "all-lanes-open-shift-left"},
	{"Storm drain repair", "Right lane closed ahead", "some-lanes-closed"},
	{"Sidewalk ramps", "Work zone ahead", "some-lanes-closed"},
}

// works makes the closures of the work zones of the past, each at its time, as a
// person did then: it was confirmed on the way, extended, ended by hand, or ended by the clock.
func (s *seeding) works(works []simulate.Work) error {
	type deed struct {
		at time.Time
		do func() error
	}
	var deeds []deed
	for i := range works {
		w, id := &works[i], new(string)
		half := w.From.Add(w.To.Sub(w.From) / 2).Truncate(time.Minute)
		deeds = append(deeds, deed{w.From, func() (err error) { *id, err = s.work(i, w); return err }})
		switch i % 4 {
		case 0, 1:
			deeds = append(deeds, deed{half, func() error {
				_, err := s.app.ConfirmClosure(s.ctx, s.actor, *id, wire.ClosureConfirm{Answer: "still"})
				return err
			}})
		case 2:
			deeds = append(deeds, deed{half, func() error {
				active, end := true, fleet.InstantOf(w.To.Add(2*time.Hour))
				_, err := s.app.Closures.Edit(s.ctx, s.actor, *id, 0, wire.ClosureWrite{IsActive: &active, EndTime: &end})
				return err
			}})
		}
		if i%3 != 0 {
			deeds = append(deeds, deed{w.To.Add(-40 * time.Minute), func() error {
				none := false
				_, err := s.app.Closures.Edit(s.ctx, s.actor, *id, 0, wire.ClosureWrite{IsActive: &none})
				return err
			}})
		}
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return a.at.Compare(b.at) })
	for _, d := range deeds {
		s.clock.turn(d.at)
		if err := d.do(); err != nil {
			return fmt.Errorf("a closure of the past: %w", err)
		}
	}
	return nil
}

// work begins the closure of a work zone; its id.
func (s *seeding) work(i int, w *simulate.Work) (id string, err error) {
	done, of := worksDone[i%len(worksDone)], wire.ID(s.orgs[simulate.PublicWorks].ID)
	line := make([]fleet.LatLng, len(w.Line))
	for i, at := range w.Line {
		line[i] = fleet.LatLng{Lat: at.Lat, Lng: at.Lng}
	}
	direction := directionOf(w.Line)
	yes, method, external, road := true, "other", fmt.Sprintf("DPW-%d", 2000+i), cmp.Or(w.Road, "Wilmington")
	end := fleet.InstantOf(w.To)
	row, _, err := s.app.Closures.Create(s.ctx, s.actor, wire.ClosureWrite{OrganizationID: &of, Description: &done.description,
		AlertMessage: &done.message, Direction: &direction, UserRoute: &line, RoadName: &road, VehicleImpact: &done.impact,
		LocationMethod: &method, IsWZDxCompliant: &yes, ExternalID: &external, IsActive: &yes, EndTime: &end})
	return row.ID, err
}
