package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// An operator who wants incidents to open after 30 s gets them then; the
// standard is a minute.
//
// spec: D.value.11 D.value.06
func TestAnOperatorSetsWhenIncidentsOpen(t *testing.T) {
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	for _, c := range []struct {
		limits map[string]float64
		after  time.Duration
	}{{nil, 60 * time.Second}, {map[string]float64{"incident.openAfterMs": 30_000}, 30 * time.Second}} {
		must(t, catalog.SetLimits(c.limits))
		k := apptest.New(t, storetest.SQLite(t))
		o := k.Organization("A")
		k.Things(o.ID, "U", 1)
		open := func(pass time.Duration) int {
			t.Helper()
			k.Pass(pass)
			_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, true)}})
			must(t, err)
			rows, _, err := k.ActiveLocations(t.Context(), k.User(o.ID, "viewer"), nil)
			must(t, err)
			return len(rows)
		}
		if n := open(0); n != 0 {
			t.Errorf("%v: at once %d", c.limits, n)
		}
		if n := open(c.after - time.Second); n != 0 {
			t.Errorf("%v: a second before %d", c.limits, n)
		}
		if n := open(time.Second); n != 1 {
			t.Errorf("%v: after %v %d", c.limits, c.after, n)
		}
	}
}

// spec: D.value.11
func TestAnOperatorSetsHowManyKeys(t *testing.T) {
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	must(t, catalog.SetLimits(map[string]float64{"session.keysPerUser": 2}))
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	for i := range 3 {
		_, _, err := w.App.CreateKey(t.Context(), administrator, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "x"})
		if i < 2 {
			must(t, err)
		} else {
			refused(t, err, "key_limit")
		}
	}
}

// A refused set changes nothing.
//
// spec: D.value.11
func TestLimitsAreSetAllOrNone(t *testing.T) {
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	keys := catalog.Setting("session", "keysPerUser")
	standard := keys.Int()
	for _, bad := range []map[string]float64{{"session.keysPerUser": 3, "session.nonsense": 1}, {"session.keysPerUser": 0}, {"session.keysPerUser": 1001}, {"session.idleMs": 1}} {
		if err := catalog.SetLimits(bad); err == nil || keys.Int() != standard {
			t.Errorf("%v: %v, now %d", bad, err, keys.Int())
		}
	}
	must(t, catalog.SetLimits(map[string]float64{"session.keysPerUser": 3}))
	must(t, catalog.SetLimits(map[string]float64{"stream.socketsPerUser": 4}))
	if keys.Int() != standard {
		t.Errorf("what is no longer said keeps %d", keys.Int())
	}
}

// Areas, zones, and closures of an organization have an end: what is sent again is no more of them, what was deleted makes room.
func TestAnOrganizationHasOnlySoManyRows(t *testing.T) {
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	const most = 2
	must(t, catalog.SetLimits(map[string]float64{"area.perOrganization": most, "zone.perOrganization": most, "closure.perOrganization": most}))
	k := apptest.New(t, storetest.SQLite(t))
	admin := k.User(k.Organization("A").ID, "administrator")
	id := func(i int) *wire.ID { return ref(wire.ID(fmt.Sprintf("01900000-0000-7000-8000-%012d", i))) }
	for name, noun := range map[string]struct {
		create func(i int) error
		remove func(i int) error
	}{
		"area": {func(i int) error {
			in := newArea(admin.OrganizationID, fmt.Sprint("A ", i))
			in.ID = id(i)
			_, _, err := k.Areas.Create(t.Context(), admin, in)
			return err
		}, func(i int) error { return k.Areas.Remove(t.Context(), admin, string(*id(i))) }},
		"zone": {func(i int) error {
			in := newZone(admin.OrganizationID, hereShape)
			in.ID = id(i)
			_, _, err := k.Zones.Create(t.Context(), admin, in)
			return err
		}, func(i int) error { return k.Zones.Remove(t.Context(), admin, string(*id(i))) }},
		"closure": {func(i int) error {
			in := newClosure(fmt.Sprint("C ", i))
			in.UUID, in.Direction = id(i), ref("N")
			_, _, err := k.Closures.Create(t.Context(), admin, in)
			return err
		}, func(i int) error { return k.Closures.Remove(t.Context(), admin, string(*id(i))) }},
	} {
		for i := range most {
			must(t, noun.create(i))
		}
		if r := refused(t, noun.create(most), "row_limit"); !strings.Contains(r.Message, "2 "+name+"s") {
			t.Errorf("%s: %q", name, r.Message)
		}
		must(t, noun.create(0))
		must(t, noun.remove(0))
		must(t, noun.create(most))
	}
	_, err := k.ImportAreas(t.Context(), admin, wire.AreasImport{Format: "geojson", Content: manyCircles(1), Preview: true})
	refused(t, err, "row_limit")
	// One that comes from another organization is one more, too.
	from := k.Organization("B")
	moved, _, err := k.Areas.Create(t.Context(), access.System(), newArea(from.ID, "From B"))
	must(t, err)
	_, err = k.Areas.Edit(t.Context(), access.System(), moved.ID, 0, wire.AreaWrite{OrganizationID: ref(wire.ID(admin.OrganizationID))})
	refused(t, err, "row_limit")
}
