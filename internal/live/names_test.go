package live_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Databases from before names were unique hold names of several assets. A name
// that several have finds none of them, but for the one that alone spells it so;
// when all but one have gone it finds that one, as after a start.
func TestANameOfSeveralAssetsFindsNone(t *testing.T) {
	registered := []app.NewThing{{SystemName: "OLD", ExternalID: "ENGINE 7"}, {SystemName: "NEW", ExternalID: "x1"},
		{SystemName: "THIRD", ExternalID: "x2"}, {SystemName: "FOURTH", ExternalID: "FOURTH"}}
	doubles := map[string]string{"NEW": "ENGINE 7", "THIRD": "old"} // external ids as an earlier version let them be
	for name, c := range map[string]struct {
		leave func(k *apptest.Kit, id, other string) error
		want  map[string]string // name → system name of the asset, "" = none
	}{
		"nothing": {func(*apptest.Kit, string, string) error { return nil },
			map[string]string{"ENGINE 7": "", "engine 7": "", "old": "THIRD", "OLD": "OLD", "Old": "", "NEW": "NEW", "fourth": "FOURTH", "FOURTH": "FOURTH", "": "", "x": ""}},
		"deleted": {func(k *apptest.Kit, id, _ string) error { return k.DeleteThing(t.Context(), access.System(), id) },
			map[string]string{"ENGINE 7": "NEW", "Engine 7": "NEW", "old": "THIRD", "OLD": "THIRD", "OLDER": ""}},
		"given away": {func(k *apptest.Kit, id, other string) error {
			_, err := k.TransferThing(t.Context(), access.System(), id, other, 0)
			return err
		}, map[string]string{"ENGINE 7": "NEW", "old": "THIRD", "OLD": "THIRD"}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				k := apptest.New(t, s)
				o, other := k.Organization("A"), k.Organization("B")
				rows := make([]app.NewThing, len(registered))
				for i, r := range registered {
					r.OrganizationID, r.Type, r.DeviceType = o.ID, "fire", "ha7"
					rows[i] = r
				}
				made, err := k.RegisterThings(t.Context(), access.System(), rows)
				if err != nil {
					t.Fatal(err)
				}
				numbers := map[string]int64{}
				for _, m := range made {
					asset, _, _, _ := k.Live.Thing(m.ID)
					numbers[m.HaasID] = asset.No
				}
				for systemName, externalID := range doubles {
					must(t, s.Write(t.Context(), func(tx *store.Tx) error {
						_, err := tx.ExecContext(t.Context(), `UPDATE thing SET external_id = $1 WHERE system_name = $2`, externalID, systemName)
						return err
					}))
				}
				k.Open(s, live.Options{})
				if _, a := k.Live.Find(o.ID, "ENGINE 7"); a {
					t.Error("a name of two finds one")
				}
				if err := c.leave(k, made[0].ID, other.ID); err != nil {
					t.Fatal(err)
				}
				for _, when := range []string{"before", "after"} {
					for name, want := range c.want {
						if no, ok := k.Live.Find(o.ID, name); no != numbers[want] || ok != (want != "") {
							t.Errorf("%s a start %q is asset %d, want %q (%d)", when, name, no, want, numbers[want])
						}
					}
					k.Open(s, live.Options{})
				}
			})
		})
	}
}

// A change that is given up names no street: the next one does.
func TestTheStreetAfterAFailedCommit(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.NewWith(t, s, live.Options{Street: func(_, _, _ float64) string { return "Main St" }})
	o := k.Organization("A")
	id := k.Things(o.ID, "U", 1)[0].ID
	do := func(sql string) {
		t.Helper()
		if err := s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.ExecContext(t.Context(), sql); return err }); err != nil {
			t.Fatal(err)
		}
	}
	send := func(at fleet.Instant) error {
		_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point("U-0", at, 39.7)}})
		return err
	}
	do(`CREATE TRIGGER no_states BEFORE INSERT ON thing_state BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
	if err := send(k.At() - 120_000); err == nil { // so old that its state is written with it
		t.Fatal("taken")
	}
	do(`DROP TRIGGER no_states`)
	k.Pass(time.Second)
	if err := send(k.At()); err != nil {
		t.Fatal(err)
	}
	if _, state, _, _ := k.Live.Thing(id); state.Street != "Main St" {
		t.Errorf("the street is %q", state.Street)
	}
}

// A unit that moves a little is never quite where it was: what its receiver wanders by is no other street.
func TestTheStreetOfAStandingUnit(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.NewWith(t, s, live.Options{Street: func(lat, _, _ float64) string {
		if lat < 39.70005 {
			return "McCabe Ave"
		}
		return "W 22nd St"
	}})
	o := k.Organization("A")
	id := k.Things(o.ID, "U", 1)[0].ID
	device := k.Device(o.ID)
	for _, c := range []struct {
		lat  float64
		want string
	}{{39.7, "McCabe Ave"}, {39.7001, "McCabe Ave"}, {39.69995, "McCabe Ave"}, {39.7002, "W 22nd St"}, {39.7001, "W 22nd St"}} {
		k.Pass(10 * time.Second)
		if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point("U-0", k.At(), c.lat)}}); err != nil {
			t.Fatal(err)
		}
		if _, state, _, _ := k.Live.Thing(id); state.Street != c.want {
			t.Errorf("at %v the street is %q, want %q", c.lat, state.Street, c.want)
		}
	}
}

// At a corner, one that says that it stands keeps the street that it was given where it stopped, also past a start.
func TestTheStreetOfAUnitAtACorner(t *testing.T) {
	s := storetest.SQLite(t)
	street := live.Options{Street: func(lat, _, _ float64) string {
		if lat < 39.70005 {
			return "McCabe Ave"
		}
		return "W 22nd St"
	}}
	k := apptest.NewWith(t, s, street)
	o := k.Organization("A")
	id := k.Things(o.ID, "U", 1)[0].ID
	device := k.Device(o.ID)
	for i, c := range []struct {
		lat, speed float64
		want       string
	}{
		{39.7, 8, "McCabe Ave"}, {39.7001, 0, "W 22nd St"}, // it drove by the one and stopped in the other
		{39.7, 0.4, "W 22nd St"}, {39.7002, 0, "W 22nd St"}, {39.69995, 0, "W 22nd St"},
		{39.6996, 0, "McCabe Ave"}, // farther than noise
	} {
		k.Pass(10 * time.Second)
		report := point("U-0", k.At(), c.lat)
		report.HasSpeed, report.SpeedMS = true, c.speed
		if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{report}}); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			must(t, k.Live.Flush(t.Context()))
			k.Open(s, street)
		}
		if _, state, _, _ := k.Live.Thing(id); state.Street != c.want {
			t.Errorf("report %d, at %v: the street is %q, want %q", i, c.lat, state.Street, c.want)
		}
	}
}
