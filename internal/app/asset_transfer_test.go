package app_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// lit is a precise point of an asset with its lights on.
func lit(asset string, at fleet.Instant, lat float64) fleet.Report {
	return fleet.Report{Kind: fleet.ReportPoint, Asset: asset, At: at, Lat: lat, Lng: -75.5, HasLat: true, HasLng: true,
		HasAccuracy: true, AccuracyM: 4, HasAlerting: true, Alerting: true}
}

func report(t testing.TB, k *apptest.Kit, organizationID string, reports ...fleet.Report) app.ReportResult {
	t.Helper()
	got, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Reports: reports})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// respond drives an asset with its lights on and lets it stand at an incident.
func respond(t *testing.T, k *apptest.Kit, organizationID, asset string) {
	t.Helper()
	for i, lat := range []float64{39.70, 39.71, 39.72, 39.72, 39.72} {
		if i > 0 {
			k.Pass(40 * time.Second)
		}
		report(t, k, organizationID, lit(asset, k.At(), lat))
	}
}

// transferred is an asset on its way from A to B, that C could read, with history.
type transferred struct {
	*apptest.Kit
	a, b, c fleet.Organization
	id      string
	secret  string // of the asset's own key
	keyID   string
	admin   *access.Actor // of A, reaching B too
	before  wire.Location
}

func newTransferred(t *testing.T, s *store.Store) *transferred {
	t.Helper()
	x := &transferred{Kit: apptest.New(t, s)}
	x.a, x.b, x.c = x.Organization("A"), x.Organization("B"), x.Organization("C")
	x.id = x.Things(x.a.ID, "U", 1)[0].ID
	x.admin = x.User(x.a.ID, "administrator")
	x.admin.Organizations[x.b.ID] = access.Full
	if _, err := x.SetThingAssociations(t.Context(), access.System(), x.id, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(x.c.ID), RelationshipType: "accessor"}}); err != nil {
		t.Fatal(err)
	}
	key, secret, err := x.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(x.a.ID), Description: "phone", ThingID: wire.ID(x.id)})
	if err != nil {
		t.Fatal(err)
	}
	x.keyID, x.secret = key.ID, secret
	respond(t, x.Kit, x.a.ID, "U-0")
	x.before = x.locations(t, x.a.ID)[0]
	if !x.before.IsActive || len(x.before.ThingsActive) != 1 {
		t.Fatalf("no incident before the transfer: %+v", x.before)
	}
	x.Pass(time.Second)
	return x
}

func (x *transferred) locations(t *testing.T, organizationID string) []wire.Location {
	t.Helper()
	rows, _, err := x.ListLocations(t.Context(), x.User(organizationID, "viewer"), app.LocationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (x *transferred) list(t *testing.T, organizationID string, since fleet.Instant) ([]wire.Thing, fleet.Instant) {
	t.Helper()
	rows, meta, err := x.ListThings(t.Context(), x.User(organizationID, "viewer"), app.ThingQuery{Since: since})
	if err != nil {
		t.Fatal(err)
	}
	return rows, meta.AsOf
}

func (x *transferred) runs(t *testing.T) []fleet.Run {
	t.Helper()
	asset, _, _, _ := x.Live.Thing(x.id)
	runs, err := store.LastRuns(t.Context(), x.Store.Reader(), x.Store.Engine(), []int64{asset.No}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return runs[0]
}

// spec: 7.thing.02
func TestTransferLeavesHistoryWithItsOwner(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		_, sinceA := x.list(t, x.a.ID, 0)
		x.Pass(time.Second)
		got, err := x.TransferThing(t.Context(), x.admin, x.id, x.b.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		moved := x.At()
		if got.Organization.ID != x.b.ID || len(got.OrganizationRelations) != 0 || got.Lat != nil || got.Location != nil || got.RunID != "" ||
			got.HeartbeatAt != 0 || got.Street != "" || !got.IsActive || got.Status != "offline" {
			t.Fatalf("the new owner's asset: %+v", got)
		}
		x.Pass(time.Second)
		if _, err := x.UpdateThing(t.Context(), x.User(x.b.ID, "manager"), x.id, wire.ThingWrite{Nickname: text("Secret of B")}); err != nil {
			t.Fatal(err)
		}
		for _, restarted := range []bool{false, true} {
			if restarted {
				if err := x.Live.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				x.Open(s, live.Options{})
			}
			x.check(t, sinceA, moved)
		}
	})
}

// check looks at the picture of everybody after the transfer.
func (x *transferred) check(t *testing.T, sinceA, moved fleet.Instant) {
	t.Helper()
	for _, org := range []string{x.a.ID, x.c.ID} {
		if rows, _ := x.list(t, org, sinceA); len(rows) != 1 || rows[0].ID != x.id || !rows[0].IsDeleted {
			t.Errorf("the earlier audience is told %+v", rows)
		}
	}
	rows, _ := x.list(t, x.b.ID, sinceA)
	if len(rows) != 1 || rows[0].IsDeleted || rows[0].Lat != nil || rows[0].HeartbeatAt != 0 || !rows[0].IsActive {
		t.Errorf("the new audience: %+v", rows)
	}
	if seen := append(x.locations(t, x.b.ID), x.locations(t, x.c.ID)...); len(seen) != 0 {
		t.Errorf("others see the old incident: %+v", seen)
	}
	old := x.locations(t, x.a.ID)
	if len(old) != 1 || old[0].IsActive || old[0].EndTime != moved || len(old[0].ThingsInactive) != 1 {
		t.Fatalf("the earlier owner's incident: %+v", old)
	}
	if stay := old[0].ThingsInactive[0]; stay.ID != x.id || stay.HaasID != "U-0" || stay.Nickname != "" || stay.EndTime != moved {
		t.Errorf("its stay: %+v", stay)
	}
	runs := x.runs(t)
	if len(runs) != 1 || runs[0].OrganizationID != x.a.ID || runs[0].Points != 3 { // the third point began the stay, and ended the run
		t.Errorf("runs: %+v", runs)
	}
}

func TestAfterATransferTheNewOwnersReportsBeginAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		before := x.runs(t)
		if _, err := x.TransferThing(t.Context(), x.admin, x.id, x.b.ID, 0); err != nil {
			t.Fatal(err)
		}
		moved := x.At()
		x.Pass(2 * time.Second)
		if got := report(t, x.Kit, x.a.ID, lit("U-0", x.At(), 39.8)); got.Accepted != 0 || len(got.Refused) != 1 || got.Refused[0].Error != "asset_unknown" {
			t.Errorf("the earlier owner still reports: %+v", got)
		}
		late := lit("U-0", moved-1500, 39.75) // of the old owner's time, by the new owner's gateway
		silent := lit("U-0", x.At(), 39.8)
		silent.HasAlerting = false // its lights were on when it changed hands
		next := lit("U-0", x.At()+1000, 39.81)
		if got := report(t, x.Kit, x.b.ID, late); got.Accepted != 1 {
			t.Errorf("a late report is stored: %+v", got)
		}
		if _, _, shown, _ := x.Live.Thing(x.id); shown.Lat != nil || shown.HeartbeatAt != 0 {
			t.Errorf("a report of the old owner's time is shown to the new one: %+v", shown.Live)
		}
		x.Pass(time.Second)
		report(t, x.Kit, x.b.ID, next)
		report(t, x.Kit, x.b.ID, silent) // later than it was: runs are computed from what is stored
		for _, restarted := range []bool{false, true} {
			if restarted { // as a crash would: nothing is flushed
				x.Open(s, live.Options{})
			}
			_, _, shown, _ := x.Live.Thing(x.id)
			if shown.Lat == nil || *shown.Lat != 39.81 || !shown.Enroute || shown.RunID == "" || shown.RunPoints != 2 || shown.Status != "active" {
				t.Errorf("restarted %v: %+v", restarted, shown.Live)
			}
		}
		if err := x.Live.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		runs := x.runs(t)
		if len(runs) != 2 || runs[0].OrganizationID != x.b.ID || runs[0].Points != 2 || runs[1] != before[0] {
			t.Errorf("runs %+v, before %+v", runs, before)
		}
	})
}

// A run in progress that no row holds yet ends with its owner.
func TestATransferEndsARunInProgress(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	id := k.Things(a.ID, "U", 1)[0].ID
	report(t, k, a.ID, lit("U-0", k.At(), 39.70))
	k.Pass(2 * time.Second)
	report(t, k, a.ID, lit("U-0", k.At(), 39.71))
	last := k.At()
	if _, err := k.TransferThing(t.Context(), access.System(), id, b.ID, 0); err != nil { // within the same millisecond
		t.Fatal(err)
	}
	asset, _, _, _ := k.Live.Thing(id)
	runs, err := store.LastRuns(t.Context(), k.Store.Reader(), k.Store.Engine(), []int64{asset.No}, 10)
	if err != nil || len(runs[0]) != 1 || runs[0][0].OrganizationID != a.ID || runs[0][0].Points != 2 || runs[0][0].EndAt != last || asset.OwnedAt <= last {
		t.Errorf("%+v %v, owned since %v", runs, err, asset.OwnedAt)
	}
}

// Without a run of its own the new owner's asset does not go on with the earlier owner's.
func TestTheNewOwnerNeverExtendsTheEarlierOwnersRun(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	id := k.Things(a.ID, "U", 1)[0].ID
	report(t, k, a.ID, lit("U-0", k.At(), 39.70))
	if _, err := k.TransferThing(t.Context(), access.System(), id, b.ID, 0); err != nil {
		t.Fatal(err)
	}
	k.Pass(10 * time.Second)
	off, late, on := lit("U-0", k.At()-6000, 39.71), lit("U-0", k.At()-7000, 39.71), lit("U-0", k.At(), 39.72)
	off.Alerting = false
	dark := late
	dark.At, dark.Alerting = k.At()-8000, false
	late.HasAlerting = false
	report(t, k, b.ID, dark, off)
	report(t, k, b.ID, late) // runs are computed from what is stored: there is none
	report(t, k, b.ID, on)
	if err := k.Live.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	asset, _, _, _ := k.Live.Thing(id)
	runs, err := store.LastRuns(t.Context(), k.Store.Reader(), k.Store.Engine(), []int64{asset.No}, 10)
	if err != nil || len(runs[0]) != 2 || runs[0][0].OrganizationID != b.ID || runs[0][0].Points != 1 || runs[0][1].OrganizationID != a.ID || runs[0][1].EndAt >= asset.OwnedAt || runs[0][1].Points != 1 {
		t.Errorf("%+v %v", runs, err)
	}
}

// Who sees the incident by another asset does not learn what the earlier owner knew of this one.
func TestAFormerAssetIsShownToItsOwnerOfThenAlone(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b, c := k.Organization("A"), k.Organization("B"), k.Organization("C")
	things := k.Things(a.ID, "U", 2)
	if _, err := k.SetThingAssociations(t.Context(), access.System(), things[1].ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(c.ID), RelationshipType: "accessor"}}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		report(t, k, a.ID, lit("U-0", k.At(), 39.7), lit("U-1", k.At(), 39.7))
		k.Pass(40 * time.Second)
	}
	if _, err := k.TransferThing(t.Context(), access.System(), things[0].ID, b.ID, 0); err != nil {
		t.Fatal(err)
	}
	for org, want := range map[string]int{a.ID: 1, b.ID: -1, c.ID: 0} {
		rows, _, err := k.ListLocations(t.Context(), k.User(org, "viewer"), app.LocationQuery{})
		if err != nil || len(rows) != min(1, want+1) {
			t.Fatalf("%s: %+v %v", org, rows, err)
		}
		if want >= 0 && (len(rows[0].ThingsInactive) != want || len(rows[0].ThingsActive) != 1 || rows[0].ThingsActive[0].ID != things[1].ID) {
			t.Errorf("%s sees %+v", org, rows[0])
		}
	}
}

func TestATransferEndsTheAssetsOwnKeys(t *testing.T) {
	x := newTransferred(t, storetest.SQLite(t))
	if _, err := x.AuthenticateKey(t.Context(), x.secret, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.TransferThing(t.Context(), x.admin, x.id, x.b.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := x.AuthenticateKey(t.Context(), x.secret, "192.0.2.1"); refusalOf(t, err).Code != "invalid_key" {
		t.Errorf("the key lives on: %v", err)
	}
	said := map[string]int{}
	for _, org := range []string{x.a.ID, x.b.ID} {
		rows, err := store.ListAudit(t.Context(), x.Store.Reader(), org, x.At(), 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			said[string(org[len(org)-1])+" "+r.Verb+" "+r.Noun]++
			if r.Verb == "revoke" && r.NounID != x.keyID {
				t.Errorf("revoked %s", r.NounID)
			}
			if org == x.b.ID && strings.Contains(string(r.After)+string(r.Before), x.a.ID) {
				t.Errorf("the new owner reads of the old one: %s %s", r.Before, r.After)
			}
		}
	}
	a, b := x.a.ID[len(x.a.ID)-1:], x.b.ID[len(x.b.ID)-1:]
	if said[a+" transfer thing"] != 1 || said[a+" revoke key"] != 1 || said[b+" transfer thing"] != 1 || len(said) != 3 {
		t.Errorf("audit %v", said)
	}
}

// The stream tells the earlier audience that the asset and its incident have
// gone, the new one that it came, and the earlier owner how its incident ended.
func TestTransferOnTheStream(t *testing.T) {
	x := newTransferred(t, storetest.SQLite(t))
	said := onTheStream(t, x.Kit, 3, func() {
		if _, err := x.TransferThing(t.Context(), x.admin, x.id, x.b.ID, 0); err != nil {
			t.Fatal(err)
		}
	})
	for org, want := range map[string]string{x.a.ID: "admin removed gone,location ", x.b.ID: "admin added", x.c.ID: "admin removed gone,location  gone"} {
		if said[org] != want {
			t.Errorf("%s hears %q, want %q", org, said[org], want)
		}
	}
}

// onTheStream is what organizations hear of what is done, in words and sorted,
// once so many of them have heard something.
func onTheStream(t *testing.T, k *apptest.Kit, organizations int, do func()) map[string]string {
	t.Helper()
	said := map[string]string{}
	for org, items := range itemsOnTheStream(t, k, organizations, do) {
		var words []string
		for _, item := range items {
			if !strings.HasSuffix(string(item.Type), "/part") { // the same message for who may only read the organization
				words = append(words, wordOf(t, item))
			}
		}
		slices.Sort(words)
		said[org] = strings.Join(words, ",")
	}
	return said
}

// itemsOnTheStream is what so many organizations hear of what is done.
func itemsOnTheStream(t *testing.T, k *apptest.Kit, organizations int, do func()) map[string][]bus.Item {
	t.Helper()
	ticks := make(chan time.Time)
	b, err := bus.Open(bus.Options{Ticks: ticks, Now: k.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close(context.Background()) })
	k.App.Bus = b
	frames := make(chan bus.Frame, 16)
	defer b.Frames(func(f bus.Frame) { frames <- f })()
	do()
	heard := map[string][]bus.Item{}
	for len(heard) < organizations {
		ticks <- time.Time{}
		select {
		case f := <-frames:
			if len(f.Items) > 0 {
				heard[f.Organization] = append(heard[f.Organization], f.Items...)
			}
		case <-time.After(time.Minute): // only guards against hanging
			t.Fatalf("of %d organizations these have heard something: %v", organizations, heard)
		}
	}
	return heard
}

func wordOf(t *testing.T, item bus.Item) string {
	t.Helper()
	var m struct {
		Type, Action string
		Thing        *wire.Thing
		Location     *wire.Location
	}
	if err := json.Unmarshal(item.Body, &m); err != nil {
		t.Fatal(err)
	}
	word := m.Type + " " + m.Action
	switch {
	case m.Thing != nil && m.Thing.IsDeleted, m.Location != nil && m.Location.IsDeleted:
		return word + " gone"
	case m.Thing != nil && m.Thing.Lat != nil:
		return word + " with position"
	case m.Location != nil && m.Location.IsActive:
		return word + " active"
	}
	return word
}
