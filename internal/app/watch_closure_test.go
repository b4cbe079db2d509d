package app_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// working draws a closure from 39.79 to 39.81, which is active for two hours.
func (d *dog) working() wire.Closure {
	d.t.Helper()
	in := newClosure("Paving")
	in.UserRoute = &[]fleet.LatLng{{Lat: 39.79, Lng: -75.5}, {Lat: 39.81, Lng: -75.5}}
	in.IsActive, in.EndTime = ref(true), ref(d.At().Add(2*time.Hour))
	row, _, err := d.Closures.Create(d.t.Context(), d.admin, in)
	must(d.t, err)
	return row
}

// lasting lets time pass with the same reports.
func (d *dog) lasting(how time.Duration, reports ...fleet.Report) {
	d.t.Helper()
	for range how / (15 * time.Second) {
		d.step(slices.Clone(reports)...)
	}
}

// A crew works on a closure that somebody drew, and leaves it: half an hour later that is found, of no asset, also when the
// server started anew meanwhile; it ends when somebody says that the closure still stands.
func TestAClosureThatItsCrewHasLeft(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDog(t, s)
		d.turn(fleet.RuleClosureLeft, fleet.WatchOn)
		d.wants(d.admin)
		row := d.working()
		d.lasting(6*time.Minute, lights(39.8, true))
		left := d.At()
		d.lasting(29*time.Minute, driving(39.7, false), inE1(driving(39.8, true))) // another one passes by
		if rows := d.found(d.admin, app.FindingQuery{}); len(rows) > 0 {
			t.Fatalf("too early: %+v", rows)
		}
		d.lasting(2*time.Minute, driving(39.7, false))
		rows := d.open(fleet.RuleClosureLeft)
		if len(rows) != 1 || rows[0].ThingID != nil || rows[0].About.ID != row.ID || rows[0].About.Name != "Paving" || rows[0].BeganAt != left {
			t.Fatalf("since %s: %+v", left, rows)
		}
		if to := d.letters(); len(to) != 1 {
			t.Errorf("mailed %v", to)
		}
		d.restart()
		d.lasting(2*time.Minute, driving(39.7, false))
		if again := d.found(d.admin, app.FindingQuery{}); len(again) != 1 || again[0].ID != rows[0].ID || again[0].EndedAt != 0 {
			t.Errorf("after a start: %+v", again)
		}
		_, err := d.ConfirmClosure(t.Context(), d.admin, row.ID, wire.ClosureConfirm{Answer: "still"})
		must(t, err)
		d.lasting(time.Minute, driving(39.7, false))
		if rows := d.open(""); len(rows) > 0 {
			t.Errorf("it still stands: %+v", rows)
		}
		d.lasting(30*time.Minute, driving(39.7, false))
		if rows := d.open(""); len(rows) != 1 {
			t.Errorf("nobody has come since: %+v", rows)
		}
		_, err = d.Closures.Edit(t.Context(), d.admin, row.ID, 0, wire.ClosureWrite{IsActive: ref(false), EndTime: ref(fleet.Instant(0))})
		must(t, err)
		d.lasting(time.Minute, driving(39.7, false))
		if rows := d.open(""); len(rows) > 0 {
			t.Errorf("it has ended: %+v", rows)
		}
	})
}

// What says nothing of the crew: who never stood there, who is there, who was switched off there, and assets of others.
func TestAClosureThatNobodyIsKnownToHaveLeft(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []fleet.Report
		want          int
	}{
		"a crew is there with its lights on":      {[]fleet.Report{lights(39.8, true)}, []fleet.Report{lights(39.8, true)}, 0},
		"it only passed by":                       {[]fleet.Report{driving(39.8, true)}, []fleet.Report{driving(39.7, true)}, 0},
		"it stood beside the line":                {[]fleet.Report{lights(39.812, true)}, []fleet.Report{driving(39.7, true)}, 0},
		"it was switched off there":               {[]fleet.Report{lights(39.8, false)}, []fleet.Report{inE1(lights(39.7, false))}, 0},
		"nobody was there":                        {nil, []fleet.Report{inE1(lights(39.9, false))}, 0},
		"it fell silent there with its lights on": {[]fleet.Report{lights(39.8, true)}, []fleet.Report{inE1(lights(39.7, false))}, 1},
		"another one is there":                    {[]fleet.Report{lights(39.8, true), inE1(lights(39.801, false))}, []fleet.Report{lights(39.7, false), inE1(lights(39.801, false))}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDog(t, storetest.SQLite(t))
			d.turn(fleet.RuleAlertingAtStation, fleet.WatchOff)
			d.working()
			d.lasting(6*time.Minute, c.before...)
			d.lasting(35*time.Minute, c.after...)
			if rows := d.found(d.admin, app.FindingQuery{}); len(rows) != c.want {
				t.Errorf("%+v", rows)
			}
		})
	}
	t.Run("the asset is nobody's whom the organization knows", func(t *testing.T) {
		d := newDog(t, storetest.SQLite(t))
		other := d.Organization("Other")
		d.Things(other.ID, "O", 1)
		d.working()
		for n := range 170 {
			d.step()
			at := 39.8
			if n > 30 {
				at = 39.7
			}
			heardFrom(t, d.Kit, other.ID, standing("O-0", d.At(), at, true))
		}
		if rows := d.found(d.admin, app.FindingQuery{}); len(rows) > 0 {
			t.Errorf("%+v", rows)
		}
	})
}
