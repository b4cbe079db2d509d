package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// stationAt makes a station, a circle of 100 m.
func stationAt(t testing.TB, k *apptest.Kit, organizationID, name string, lat float64) wire.Area {
	t.Helper()
	of, kind := wire.ID(organizationID), wire.ID(stationType)
	row, _, err := k.Areas.Create(t.Context(), access.System(), wire.AreaWrite{OrganizationID: &of, Name: &name, EZTypeID: &kind,
		PointGeom: &wire.PointGeom{Lat: lat, Lon: -75.5}})
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func standing(asset string, at fleet.Instant, lat float64, alerting bool) fleet.Report {
	return fleet.Report{Kind: fleet.ReportPoint, Asset: asset, At: at, HasLat: true, HasLng: true, Lat: lat, Lng: -75.5, HasAccuracy: true,
		AccuracyM: 5, HasAlerting: true, Alerting: alerting}
}

func heardFrom(t *testing.T, k *apptest.Kit, organizationID string, reports ...fleet.Report) {
	t.Helper()
	if r, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Reports: reports}); err != nil || len(r.Refused) > 0 {
		t.Fatalf("%+v %v", r, err)
	}
}

// stays is a station's log, oldest first: "E-0 12:00:01-12:05:00".
func stays(t *testing.T, k *apptest.Kit, actor *access.Actor, areaID string) (out []string) {
	t.Helper()
	rows, _, err := k.Visits(t.Context(), actor, app.VisitQuery{AreaID: areaID, PerPage: 500})
	if err != nil {
		t.Fatal(err)
	}
	clock := func(at fleet.Instant) string {
		if at == 0 {
			return ""
		}
		return at.Time().Format("15:04:05")
	}
	for _, v := range slices.Backward(rows) {
		out = append(out, v.HaasID+" "+clock(v.ArrivedAt)+"-"+clock(v.LeftAt))
	}
	return out
}

// Who came to a station and left it is in its log, with the instants of the
// reports that say so: by its position, by its lights, by an incident, by a
// change of the station, and by the end of its ownership.
//
// spec: 4.station.01 4.station.03 4.station.04
func TestVisits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "E", 2)
		viewer := k.User(o.ID, "viewer")
		station := stationAt(t, k, o.ID, "Station 9", 39.7)
		check := func(when string, want ...string) {
			t.Helper()
			if got := stays(t, k, viewer, station.ID); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", when, got, want)
			}
		}
		at := k.At()
		k.Pass(10 * time.Minute)
		heardFrom(t, k, o.ID, standing("E-0", at, 39.7, false))
		check("there", "E-0 12:00:00-")
		heardFrom(t, k, o.ID, standing("E-0", at+60_000, 39.8, false), standing("E-0", at+120_000, 39.7, false))
		check("a batch tells each of its stays", "E-0 12:00:00-12:01:00", "E-0 12:02:00-")
		heardFrom(t, k, o.ID, standing("E-0", at+180_000, 39.7, true))
		check("lights on", "E-0 12:00:00-12:01:00", "E-0 12:02:00-12:03:00")
		heardFrom(t, k, o.ID, standing("E-0", at+240_000, 39.7, false), fleet.Report{Kind: fleet.ReportHeartbeat, Asset: "E-0", At: at + 250_000})
		check("lights off", "E-0 12:00:00-12:01:00", "E-0 12:02:00-12:03:00", "E-0 12:04:00-")
		heardFrom(t, k, o.ID, standing("E-0", at+30_000, 39.8, false))
		check("a late point says nothing", "E-0 12:00:00-12:01:00", "E-0 12:02:00-12:03:00", "E-0 12:04:00-")

		off, on := false, true
		edit := func(active *bool) {
			t.Helper()
			if _, err := k.Areas.Edit(t.Context(), access.System(), station.ID, 0, wire.AreaWrite{IsActive: active}); err != nil {
				t.Fatal(err)
			}
		}
		edit(&off)
		k.Pass(time.Minute)
		edit(&on)
		check("the station was inactive for a minute", "E-0 12:00:00-12:01:00", "E-0 12:02:00-12:03:00", "E-0 12:04:00-12:10:00", "E-0 12:11:00-")

		rows, meta, err := k.Visits(t.Context(), viewer, app.VisitQuery{AreaID: station.ID, Since: at + 170_000, Page: 2, PerPage: 1})
		if err != nil || meta.Total != 3 || len(rows) != 1 || rows[0].Dwell != 360 {
			t.Errorf("since 12:02:50, page 2: %+v %+v %v", rows, meta, err)
		}
		things, _, _ := k.ListThings(t.Context(), viewer, app.ThingQuery{})
		if err := k.DeleteThing(t.Context(), k.User(o.ID, "administrator"), things[0].ID); err != nil {
			t.Fatal(err)
		}
		if got := stays(t, k, viewer, station.ID); len(got) != 4 || got[3] != "E-0 12:11:00-12:11:00" {
			t.Errorf("deleted: %v", got)
		}
		// Others do not learn of it.
		_, _, err = k.Visits(t.Context(), k.User(k.Organization("B").ID, "administrator"), app.VisitQuery{AreaID: station.ID})
		refused(t, err, "not_found")
		k.Pass(395*24*time.Hour + 2*time.Hour)
		if err := k.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("after 395 days")
	})
}

// What a batch brings of hours ago is matched by the status of then: lights
// that were on in the station kept the asset from being there until they count no more.
func TestALateBatchIsMatchedByTheStatusOfThen(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "E", 1)
	station := stationAt(t, k, o.ID, "Station 9", 39.7)
	heardFrom(t, k, o.ID, standing("E-0", k.At()-3*3_600_000, 39.7, true))
	if got := stays(t, k, k.User(o.ID, "viewer"), station.ID); !slices.Equal(got, []string{"E-0 12:00:00-"}) {
		t.Errorf("%v", got)
	}
}

// An asset that goes to another owner ends its stay; the log of before stays
// with the organization, under the name of then, and is not the next one's.
func TestVisitsStayWithTheOwnerOfTheirTime(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	thing := k.Things(a.ID, "E", 1)[0]
	ours, theirs := stationAt(t, k, a.ID, "Station 9", 39.7), stationAt(t, k, b.ID, "Station 10", 39.7)
	heardFrom(t, k, a.ID, standing("E-0", k.At(), 39.7, false))
	admin := k.User(a.ID, "administrator")
	admin.Organizations[b.ID] = access.Full
	k.Pass(time.Minute)
	if _, err := k.TransferThing(t.Context(), admin, thing.ID, b.ID, 0); err != nil {
		t.Fatal(err)
	}
	k.Pass(time.Minute)
	heardFrom(t, k, b.ID, standing("E-0", k.At(), 39.7, false))
	if got := stays(t, k, k.User(a.ID, "viewer"), ours.ID); !slices.Equal(got, []string{"E-0 12:00:00-12:01:00"}) {
		t.Errorf("A: %v", got)
	}
	if got := stays(t, k, k.User(b.ID, "viewer"), theirs.ID); !slices.Equal(got, []string{"E-0 12:02:00-"}) {
		t.Errorf("B: %v", got)
	}
	// The area itself goes to B: who was there for A is not B's to know.
	of := wire.ID(b.ID)
	if _, err := k.Areas.Edit(t.Context(), admin, ours.ID, 0, wire.AreaWrite{OrganizationID: &of}); err != nil {
		t.Fatal(err)
	}
	if got := stays(t, k, k.User(b.ID, "viewer"), ours.ID); slices.Contains(got, "E-0 12:00:00-12:01:00") {
		t.Errorf("B reads A's log: %v", got)
	}
}

// The log is what a slow replay of the reports gives, one by one, however they
// were batched and wherever the server crashed.
func TestTheLogIsWhatASlowReplayGives(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 22))
			batched, slow := k.Organization(fmt.Sprint("batched", seed)), k.Organization(fmt.Sprint("slow", seed))
			var logs [2][]string // ids of areas
			for i, o := range []fleet.Organization{batched, slow} {
				k.Things(o.ID, "E", 4)
				for n, lat := range []float64{39.7, 39.7012, 39.72} { // the first two overlap
					logs[i] = append(logs[i], stationAt(t, k, o.ID, fmt.Sprint("Station ", n), lat).ID)
				}
			}
			viewers := [2]*access.Actor{k.User(batched.ID, "viewer"), k.User(slow.ID, "viewer")}
			places := []float64{39.7, 39.7009, 39.7012, 39.72, 39.76, 39.8}
			for range 40 {
				k.Pass(time.Duration(1+r.IntN(90)) * time.Second)
				var batch []fleet.Report
				for range 1 + r.IntN(6) {
					at := k.At() - fleet.Instant(r.IntN(20_000))
					if r.IntN(15) == 0 {
						at -= fleet.Instant(r.IntN(4 * 3_600_000)) // an old one
					}
					one := standing(fmt.Sprint("E-", r.IntN(4)), at, places[r.IntN(len(places))], r.IntN(4) == 0)
					switch r.IntN(9) {
					case 0:
						one = fleet.Report{Kind: fleet.ReportAlert, Asset: one.Asset, At: at, HasAlerting: true, Alerting: r.IntN(2) == 0}
					case 1:
						one = fleet.Report{Kind: fleet.ReportOnScene, Asset: one.Asset, At: at}
					}
					batch = append(batch, one)
				}
				heardFrom(t, k, batched.ID, batch...)
				for _, one := range batch {
					heardFrom(t, k, slow.ID, one)
				}
				if r.IntN(6) == 0 {
					k.Open(s, live.Options{}) // after a crash
				}
				if err := k.AgeDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				for i := range logs[0] {
					got, want := stays(t, k, viewers[0], logs[0][i]), stays(t, k, viewers[1], logs[1][i])
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("seed %d, station %d, one by one - and batched +:\n%s", seed, i, diff)
					}
				}
			}
			total := 0
			for _, id := range logs[0] {
				total += len(stays(t, k, viewers[0], id))
			}
			if total < 20 {
				t.Errorf("only %d stays: is this test blind?", total)
			}
		}
	})
}

// A start makes the open stays those of the assets that are at stations: one
// without its asset ends, and one that nobody wrote begins.
func TestAStartHasNoStayWithoutItsAsset(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		thing := k.Things(o.ID, "E", 1)[0]
		viewer, station, other := k.User(o.ID, "viewer"), stationAt(t, k, o.ID, "Station 9", 39.7), stationAt(t, k, o.ID, "Station 10", 39.8)
		heardFrom(t, k, o.ID, standing("E-0", k.At(), 39.7, false))
		put := func(areaID string, arrived, left fleet.Instant) {
			t.Helper()
			must(t, s.Write(t.Context(), func(tx *store.Tx) error {
				return tx.PutVisit(t.Context(), &fleet.Visit{AreaID: areaID, ThingID: thing.ID, OrganizationID: o.ID, ArrivedAt: arrived, LeftAt: left})
			}))
		}
		put(other.ID, k.At(), 0)
		put(station.ID, k.At(), k.At()) // as if its arrival had been lost
		k.Pass(time.Minute)
		k.Open(s, live.Options{})
		if got := stays(t, k, viewer, other.ID); !slices.Equal(got, []string{"E-0 12:00:00-12:01:00"}) {
			t.Errorf("where it is not: %v", got)
		}
		if got := stays(t, k, viewer, station.ID); !slices.Equal(got, []string{"E-0 12:00:00-12:00:00", "E-0 12:01:00-"}) {
			t.Errorf("where it is: %v", got)
		}
		k.Open(s, live.Options{})
		k.Pass(time.Minute)
		heardFrom(t, k, o.ID, standing("E-0", k.At(), 39.9, false))
		if got := stays(t, k, viewer, station.ID); !slices.Equal(got, []string{"E-0 12:00:00-12:00:00", "E-0 12:01:00-12:02:00"}) {
			t.Errorf("left: %v", got)
		}
	})
}
