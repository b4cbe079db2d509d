package live_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

func square(t *testing.T, lat float64) *fleet.Shape {
	t.Helper()
	c := country{}
	s, err := fleet.ParseShape(polygonText(t, c.block(lat, -75.5, 200)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A change of an area settles what stands in it within the same commit, and its
// listeners are told; one that is given up leaves nothing behind; a start after
// a crash finds the same.
//
// spec: 4.station.01 4.station.02 4.station.03 4.station.04
func TestAChangedAreaSettlesWhatStandsInIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		ours, theirs := k.Things(a.ID, "U", 4), k.Things(b.ID, "V", 1)
		send := func(organization string, reports ...fleet.Report) {
			t.Helper()
			if r, err := k.RecordPoints(t.Context(), k.Device(organization), app.ReportBatch{Reports: reports}); err != nil || r.Accepted != len(reports) {
				t.Fatalf("%+v %v", r, err)
			}
		}
		const north = 39.8
		// U-0 in the first place, U-1 in the second, U-2 at an incident in the first, U-3 alerting there.
		onWay := point("U-3", k.At()-1000, 39.7)
		onWay.HasAlerting, onWay.Alerting = true, true
		send(a.ID, point("U-0", k.At()-1000, 39.7), point("U-1", k.At()-1000, north), point("U-2", k.At()-2000, 39.7),
			fleet.Report{Kind: fleet.ReportOnScene, Asset: "U-2", At: k.At() - 1000}, onWay)
		send(b.ID, point("V-0", k.At()-1000, 39.7))

		area := fleet.Area{ID: "01900000-0000-7000-8000-00000000a001", OrganizationID: a.ID, IsStation: true, Shape: square(t, 39.7)}
		check := func(when string, u0, u1 string) {
			t.Helper()
			for id, want := range map[string]string{ours[0].ID: u0, ours[1].ID: u1, ours[2].ID: "", ours[3].ID: "", theirs[0].ID: ""} {
				if _, state, _, ok := k.Live.Thing(id); !ok || state.StationID != want {
					t.Errorf("%s: %s is at %q, want %q", when, state.ThingID, state.StationID, want)
				}
			}
		}
		var told []string
		change := func(do func(c *live.Change, tx *store.Tx) error) error {
			c := k.Live.Begin()
			defer c.Abort()
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				if err := do(c, tx); err != nil {
					return err
				}
				return c.Save(t.Context(), tx)
			})
			told = nil
			if err == nil {
				c.Apply(func(messages []fleet.Message) {
					for _, m := range messages {
						told = append(told, m.Key)
					}
				})
			}
			return err
		}
		put := func(c *live.Change, _ *store.Tx) error { c.PutArea(&area); return nil }
		must := func(do func(c *live.Change, tx *store.Tx) error, wantTold ...string) {
			t.Helper()
			if err := change(do); err != nil || strings.Join(told, " ") != strings.Join(wantTold, " ") {
				t.Errorf("%v, told of %v, want %v", err, told, wantTold)
			}
		}
		check("before", "", "")
		errGivenUp := errors.New("given up")
		if err := change(func(c *live.Change, tx *store.Tx) error { c.PutArea(&area); return errGivenUp }); !errors.Is(err, errGivenUp) {
			t.Error(err)
		}
		send(a.ID, point("U-0", k.At(), 39.7)) // who looks again finds no station either
		check("given up", "", "")

		must(put, ours[0].ID)
		check("put", area.ID, "")
		if got := k.Live.ThingsIn(a.ID, area.Shape); strings.Join(got, " ") != strings.Join([]string{ours[0].ID, ours[2].ID, ours[3].ID}, " ") {
			t.Errorf("in it stand %v", got)
		}
		must(put) // the same again tells nobody
		area.Shape = square(t, north)
		must(put, ours[0].ID, ours[1].ID)
		check("moved", "", area.ID)
		area.Inactive = true
		must(put, ours[1].ID)
		check("not active", "", "")
		area.Inactive, area.Shape, area.HasCenter, area.Lat, area.Lng = false, nil, true, 39.7, -75.5
		must(put, ours[0].ID)
		check("a circle of 100 m", area.ID, "")

		// A start after a crash: the states were not written, the area was.
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := store.Areas.Insert(t.Context(), tx, &area)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		k.Open(s, live.Options{})
		if err := k.AgeDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("after a start", area.ID, "")
		must(func(c *live.Change, _ *store.Tx) error { c.DropArea(area.ID); return nil }, ours[0].ID)
		check("dropped", "", "")

		// A start after an orderly end: all states are read, none is computed.
		if err := k.StopIngest(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.Open(s, live.Options{})
		area.HasCenter, area.Shape = false, square(t, north)
		must(put, ours[1].ID)
		check("put after another start", "", area.ID)
		must(func(c *live.Change, _ *store.Tx) error { c.DropArea(area.ID); return nil }, ours[1].ID)
		must(func(c *live.Change, _ *store.Tx) error { c.DropArea(area.ID); return nil })
	})
}

// A position is matched as it is stored, also where the box of an area, kept
// less exactly, ends between the two.
func TestAPositionIsMatchedAsItIsStored(t *testing.T) {
	p := live.New(nil, live.Options{})
	tried := 0
	for edge := float32(-75.5); edge < -75.499; edge = math.Nextafter32(edge, 0) {
		// half of what lies between two numbers of the tree: to its west the tree rounds down
		half := (float64(edge) + float64(math.Nextafter32(edge, 0))) / 2
		west := math.Ceil(half*1e7) / 1e7
		lng := half - 1e-9
		if fleet.FromFixed(fleet.ToFixed(lng)) != fleet.FromFixed(fleet.ToFixed(west)) {
			continue
		}
		tried++
		s, err := fleet.ParseShape(polygonText(t, [][2]float64{{west, 39.7}, {west + 0.001, 39.7}, {west + 0.001, 39.701}, {west, 39.701}, {west, 39.7}}))
		if err != nil {
			t.Fatal(err)
		}
		p.SetAreas([]*fleet.Area{{ID: "s", OrganizationID: "A", IsStation: true, Shape: s}})
		if got := p.Around("A").Station(39.7005, lng); got != "s" || !s.Contains(39.7005, lng) {
			t.Fatalf("%v of a box from %v: %q", lng, west, got)
		}
	}
	if tried < 20 {
		t.Errorf("only %d positions: is this test blind?", tried)
	}
}

// What is matched: stations with an inside that are active and still there.
func TestWhatIsNoActiveStationIsNotMatched(t *testing.T) {
	line, err := fleet.ParseShape([]byte(`{"type":"LineString","coordinates":[[-75.5,39.7],[-75.5,39.71]]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		area fleet.Area
		want bool
	}{
		"a circle":          {fleet.Area{IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5}, true},
		"a polygon":         {fleet.Area{IsStation: true, Shape: square(t, 39.7)}, true},
		"not active":        {fleet.Area{IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5, Inactive: true}, false},
		"removed":           {fleet.Area{IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5, DeletedAt: 1}, false},
		"no station":        {fleet.Area{HasCenter: true, Lat: 39.7, Lng: -75.5}, false},
		"a line":            {fleet.Area{IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5, Shape: line}, false},
		"without any place": {fleet.Area{IsStation: true}, false},
	} {
		c.area.ID, c.area.OrganizationID = "s", "A"
		p := live.New(nil, live.Options{})
		p.SetAreas([]*fleet.Area{&c.area})
		around := p.Around("A")
		if got := around.Station != nil && around.Station(39.7, -75.5) == "s"; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		for accuracy, usable := range map[float64]bool{30: true, 31: !c.want, 100: !c.want, 101: false} {
			if got := fleet.Usable(&fleet.Point{Lat: 39.7, Lng: -75.5, HasAccuracy: true, AccuracyM: accuracy}, around); got != usable {
				t.Errorf("%s: a point of %v m is usable: %v", name, accuracy, got)
			}
		}
	}
}
