package app_test

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// countFindings are the findings of all organizations by rules, those that ended too.
func countFindings(t *testing.T, k *apptest.Kit, organizationID string) map[string]int {
	t.Helper()
	rows, _, err := k.ListFindings(t.Context(), k.User(organizationID, "viewer"), app.FindingQuery{})
	must(t, err)
	out := map[string]int{}
	for _, row := range rows {
		out[row.Rule]++
		t.Logf("%s %s from %s to %s", row.Rule, row.ThingName, row.BeganAt, row.EndedAt)
	}
	return out
}

// dayOfFlags are the flags of that day: patrols park with their lights off where they had stopped a car, with the incident
// still open for its five minutes; patrols happen to drive toward incidents; and three scenes lie within a station's 100 m.
var dayOfFlags = map[string]int{fleet.RuleNotAlertingAtIncident: 22, fleet.RuleNotAlertingEnroute: 23, fleet.RuleAlertingAtStation: 3}

// A working day of a simulated fleet whose devices do all as they should: crews drive to calls with their lights on, stand
// there, go home and stand at their stations.
func TestADayOfACleanFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("a day of reports")
	}
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Harbor County")
	rng := rand.New(rand.NewPCG(7, 0))
	cast := simulate.Cast(func(near simulate.LatLng, radius float64) simulate.LatLng {
		return simulate.Roads{}.Place(rng, near, radius)
	})
	rows := make([]app.NewThing, len(cast))
	for i, m := range cast {
		a := m.Vehicle.Asset
		rows[i] = app.NewThing{OrganizationID: o.ID, SystemName: a.HaasID, Nickname: a.Nickname, Type: a.ThingType, DeviceType: a.DeviceType}
	}
	_, err := k.RegisterThings(t.Context(), access.System(), rows)
	must(t, err)
	of, kind := wire.ID(o.ID), wire.ID(stationType)
	for _, s := range simulate.Stations {
		_, _, err := k.Areas.Create(t.Context(), access.System(), wire.AreaWrite{OrganizationID: &of, Name: &s.Name, EZTypeID: &kind,
			PointGeom: &wire.PointGeom{Lat: s.At.Lat, Lon: s.At.Lng}})
		must(t, err)
	}
	until := k.Now().Add(45 * time.Hour) // days of the past begin at 9:00
	past := simulate.NewPast(cast, simulate.Roads{}, 7, 1, until, until)
	said := past.Day(t.Context(), 0)
	slices.SortStableFunc(said, func(x, y simulate.PastReport) int { return x.At.Compare(y.At) })
	sites := drawSites(t, k, o.ID, said)
	k.Pass(said[0].At.Sub(k.Now()))
	for first := 0; first < len(said); {
		k.Pass(15 * time.Second)
		var reports []fleet.Report
		for ; first < len(said) && !said[first].At.After(k.Now()); first++ {
			reports = append(reports, pastReport(&said[first], rows[said[first].Asset].SystemName))
		}
		if len(reports) > 0 {
			heardFrom(t, k, o.ID, reports...)
		}
		must(t, k.Watch(t.Context()))
	}
	found := countFindings(t, k, o.ID)
	t.Logf("%d assets, %d reports, %d drawn closures, false flags: %v", len(cast), len(said), sites, found)
	if sites < 20 {
		t.Errorf("only %d closures", sites)
	}
	for rule, most := range dayOfFlags {
		if found[rule] > most {
			t.Errorf("%s: %d flags, there were %d", rule, found[rule], most)
		}
		delete(found, rule)
	}
	if len(found) > 0 {
		t.Errorf("found where nothing is wrong: %v", found)
	}
}

// drawSites draws a closure of 200 m wherever an asset will stand with its lights on for ten minutes, and lets it end twenty
// minutes after that asset has left: nobody forgot it.
func drawSites(t *testing.T, k *apptest.Kit, organizationID string, said []simulate.PastReport) (drawn int) {
	t.Helper()
	type stay struct{ from, to *simulate.PastReport }
	stays := map[int]*stay{}
	leave := func(s *stay) {
		if s == nil || s.to.At.Sub(s.from.At) < 10*time.Minute {
			return
		}
		at := s.from.Place
		_, _, err := k.Closures.Create(t.Context(), access.System(), wire.ClosureWrite{OrganizationID: ref(wire.ID(organizationID)), Description: ref("Work"),
			UserRoute: &[]fleet.LatLng{{Lat: at.Lat - 0.0009, Lng: at.Lng}, {Lat: at.Lat + 0.0009, Lng: at.Lng}},
			StartTime: ref(fleet.InstantOf(s.from.At)), EndTime: ref(fleet.InstantOf(s.to.At.Add(20 * time.Minute)))})
		must(t, err)
		drawn++
	}
	for i := range said {
		r := &said[i]
		switch s := stays[r.Asset]; {
		case r.Board:
		case r.Lights && r.SpeedMS == 0 && s != nil && fleet.DistanceM(s.from.Place.Lat, s.from.Place.Lng, r.Place.Lat, r.Place.Lng) < 30:
			s.to = r
		case r.Lights && r.SpeedMS == 0:
			leave(s)
			stays[r.Asset] = &stay{r, r}
		default:
			leave(s)
			delete(stays, r.Asset)
		}
	}
	return drawn
}

func pastReport(p *simulate.PastReport, asset string) fleet.Report {
	at := fleet.InstantOf(p.At)
	if p.Board {
		return fleet.Report{Kind: fleet.ReportClosure, Asset: asset, At: at, HasAlerting: true, Alerting: p.BoardOn, Pattern: p.Pattern}
	}
	return fleet.Report{Kind: fleet.ReportPoint, Asset: asset, At: at, HasLat: true, Lat: p.Place.Lat, HasLng: true, Lng: p.Place.Lng, HasAccuracy: true,
		AccuracyM: p.AccuracyM, HasSpeed: true, SpeedMS: p.SpeedMS, HasAlerting: true, Alerting: p.Lights}
}

// Three quarters of an hour of 848 real vehicles of a provider, whose positions say nothing of lights.
func TestARecordedFleetHasNoFindings(t *testing.T) {
	path := filepath.Join(os.Getenv("LIGHTBAR_TESTDATA"), "traces", "cdot_geotab_avl_2022-06-20.json")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("NO RECORDED DATA: %s is missing; set LIGHTBAR_TESTDATA to the folder of test data", path)
	}
	recording, err := simulate.ReadRecording(path)
	must(t, err)
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Harbor County")
	recording.ShiftTo(k.Now().Add(time.Hour))
	var rows []app.NewThing
	for _, a := range recording.Assets {
		rows = append(rows, app.NewThing{OrganizationID: o.ID, SystemName: a.HaasID, Type: a.ThingType, DeviceType: a.DeviceType})
	}
	for group := range slices.Chunk(rows, 100) {
		_, err := k.RegisterThings(t.Context(), access.System(), group)
		must(t, err)
	}
	slices.SortStableFunc(recording.Items, func(x, y simulate.Item) int { return cmp.Compare(x.At, y.At) })
	for first := 0; first < len(recording.Items); {
		k.Pass(15 * time.Second)
		var reports []fleet.Report
		for ; first < len(recording.Items); first++ {
			item := &recording.Items[first]
			at, err := fleet.ParseInstant(item.At)
			if must(t, err); at > k.At() {
				break
			}
			reports = append(reports, fleet.Report{Kind: fleet.ReportPoint, Asset: item.Asset, At: at, HasLat: true, Lat: *item.Lat, HasLng: true, Lng: *item.Lng,
				HasAccuracy: true, AccuracyM: 5, HasSpeed: item.Speed != nil, SpeedMS: deref(item.Speed)})
		}
		if len(reports) > 0 {
			_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports})
			must(t, err)
		}
		must(t, k.Watch(t.Context()))
	}
	if found := countFindings(t, k, o.ID); len(found) > 0 {
		t.Errorf("%d assets, %d reports: %v", len(rows), len(recording.Items), found)
	}
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
