package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// undone takes an import back.
func undone(t *testing.T, k *apptest.Kit, actor *app.Actor, importID string) wire.ImportUndo {
	t.Helper()
	got, err := k.UndoImport(t.Context(), actor, importID)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func hears(t *testing.T, k *apptest.Kit, organizationID, asset string) {
	t.Helper()
	k.Pass(time.Second)
	if got := report(t, k, organizationID, fleet.Report{Kind: fleet.ReportHeartbeat, Asset: asset, At: k.At()}); got.Accepted != 1 {
		t.Fatalf("%+v", got)
	}
}

func TestUndoOfAnImport(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		k.Things(o.ID, "U", 3)
		if _, err := k.UpdateThing(t.Context(), admin, byName(t, k, o.ID, "U-1").ID, app.ThingEdit{Nickname: text("Engine 1"), LicensePlateNumber: text("FD 1"),
			ThingSubtypeID: text("01900000-0000-7000-8000-200000000001")}); err != nil {
			t.Fatal(err)
		}
		before := csvOf(t, k, admin)
		was := byName(t, k, o.ID, "U-1")
		k.Pass(time.Minute)
		result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id,nickname,thing_type,in_service\r\n" +
			"U-0,EXT,Ladder 0,,\r\n" + "U-1,,Other,police,false\r\n" + "U-2,,,fire,\r\n" + "NEW-1,,New one,fire,\r\n" + "NEW-2,,,tow,\r\n"})
		if result.ImportID == "" || result.UndoUntil != k.At().Add(15*time.Minute) {
			t.Fatalf("%q %s", result.ImportID, result.UndoUntil)
		}
		k.Pass(15 * time.Minute) // the last moment
		if got := undone(t, k, admin, result.ImportID); !reflect.DeepEqual(got, wire.ImportUndo{Deleted: 2, Restored: 2, Left: []wire.ImportLeft{}}) {
			t.Errorf("%+v", got)
		}
		if after := csvOf(t, k, admin); after != before {
			t.Errorf("after the undo:\n%s\nbefore the import:\n%s", after, before)
		}
		if got := byName(t, k, o.ID, "U-1"); got.SubtypeID != was.SubtypeID || got.Version != was.Version+2 {
			t.Errorf("%+v", got)
		}
		checkUndoAudit(t, k, o.ID, result.ImportID)
		if _, err := k.UndoImport(t.Context(), admin, result.ImportID); refusalOf(t, err).Code != "import_undone" {
			t.Errorf("twice: %v", err)
		}
		// The names are free again, and a start reads the same from the database.
		k.Open(s, live.Options{})
		if again := imported(t, k, admin, app.ThingImport{CSV: "haas_id,thing_type\r\nNEW-1,fire\r\n"}); again.Create != 1 {
			t.Errorf("%+v", again)
		}
		if got := byName(t, k, o.ID, "U-0"); got.Nickname != "" || got.ExternalID != "" {
			t.Errorf("stored: %+v", got)
		}
	})
}

func checkUndoAudit(t *testing.T, k *apptest.Kit, organizationID, importID string) {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), organizationID, k.At(), 100)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	for _, r := range rows {
		said[r.Verb+" "+r.Noun]++
		if r.Noun == "thing" && r.Verb == "delete" && (len(r.After) != 0 || len(r.Before) == 0) {
			t.Errorf("%s %s", r.Before, r.After)
		}
		var after map[string]int
		if r.Noun == "import" && (r.NounID != importID || json.Unmarshal(r.After, &after) != nil || after["deleted"] != 2 || after["restored"] != 2) {
			t.Errorf("%s %s", r.NounID, r.After)
		}
	}
	if !reflect.DeepEqual(said, map[string]int{"update thing": 2, "delete thing": 2, "undo import": 1}) {
		t.Errorf("audit %v", said)
	}
}

// What somebody has touched since stays as they left it, and is named.
func TestUndoLeavesWhatWasTouchedSince(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, other := k.Organization("A"), k.Organization("B")
	admin := k.User(o.ID, "administrator")
	admin.Organizations[other.ID] = app.ReachFull
	k.Things(o.ID, "U", 3)
	var csv strings.Builder
	csv.WriteString("haas_id,thing_type,nickname,device_type\r\n")
	for i, name := range []string{"U-0", "U-1", "U-2", "REPORTED", "EDITED", "DELETED", "MOVED", "KEYED", "WIRED", "FINE"} {
		fmt.Fprintf(&csv, "%s,fire,Name %d,ha7\r\n", name, i)
	}
	result := imported(t, k, admin, app.ThingImport{CSV: csv.String()})
	id := func(name string) string { return byName(t, k, o.ID, name).ID }
	ids := map[string]string{}
	for _, name := range []string{"U-1", "REPORTED", "EDITED", "DELETED", "MOVED", "KEYED", "WIRED"} {
		ids[name] = id(name)
	}
	hears(t, k, o.ID, "REPORTED")
	hears(t, k, o.ID, "U-0") // an asset that was there may report: its profile goes back all the same
	for _, name := range []string{"EDITED", "U-1"} {
		if _, err := k.UpdateThing(t.Context(), admin, ids[name], app.ThingEdit{Nickname: text("By hand")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.DeleteThing(t.Context(), app.SystemActor(), ids["DELETED"]); err != nil {
		t.Fatal(err)
	}
	if _, err := k.TransferThing(t.Context(), admin, ids["MOVED"], other.ID, 0); err != nil {
		t.Fatal(err)
	}
	k.Key(o.ID, ids["KEYED"])
	if _, err := k.SetDeviceConfig(t.Context(), admin, ids["WIRED"], app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: "HA5", Platform: "linux",
		FileName: "a.bin", HeartbeatIntervalS: 60, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}}); err != nil {
		t.Fatal(err)
	}
	got := undone(t, k, admin, result.ImportID)
	reasons := map[string]string{}
	for _, left := range got.Left {
		if reasons[left.HaasID] = left.Reason; left.ThingID != ids[left.HaasID] {
			t.Errorf("%+v", left)
		}
	}
	want := map[string]string{"U-1": "It has been changed since.", "REPORTED": "It has reported since.", "EDITED": "It has been changed since.",
		"DELETED": "It has been deleted since.", "MOVED": "It belongs to another organization now.",
		"KEYED": "It has an API key or a device configuration.", "WIRED": "It has an API key or a device configuration."}
	if got.Deleted != 1 || got.Restored != 2 || !reflect.DeepEqual(reasons, want) {
		t.Errorf("%+v", got)
	}
	if _, there := k.Live.Find(o.ID, "FINE"); there {
		t.Error("FINE is there")
	}
	if byName(t, k, o.ID, "U-0").Nickname != "" || byName(t, k, o.ID, "U-1").Nickname != "By hand" || byName(t, k, o.ID, "KEYED").DeletedAt != 0 {
		t.Error("the undo touched what it should leave")
	}
}

func TestUndoIsRefused(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, foreign := k.Organization("A"), k.Organization("Foreign")
	admin, stranger := k.User(o.ID, "administrator"), k.User(foreign.ID, "administrator")
	k.Things(o.ID, "U", 1)
	in := app.ThingImport{CSV: "haas_id,nickname\r\nU-0,One\r\n"}
	result := imported(t, k, admin, in)
	code := func(actor *app.Actor, id string) string {
		_, err := k.UndoImport(t.Context(), actor, id)
		return refusalOf(t, err).Code
	}
	for _, role := range []string{"viewer", "operator", "manager"} {
		if got := code(k.User(o.ID, role), result.ImportID); got != "forbidden" {
			t.Errorf("%s: %s", role, got)
		}
	}
	reader := k.User(foreign.ID, "administrator")
	reader.Organizations[o.ID] = app.ReachRead
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), o.ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"a foreign organization's import": code(stranger, result.ImportID),
		"one that may only be read":       code(reader, result.ImportID),
		"no import":                       code(admin, k.NewID()),
		"an audit row that is no import":  code(admin, rows[0].ID),
	} {
		if got != "not_found" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if again := imported(t, k, admin, in); again.ImportID != "" || again.UndoUntil != 0 {
		t.Errorf("an import that changes nothing: %+v", again)
	}
	k.Pass(15*time.Minute + time.Millisecond)
	if got := code(admin, result.ImportID); got != "import_final" {
		t.Error(got)
	}
	if byName(t, k, o.ID, "U-0").Nickname != "One" {
		t.Error("a refused undo has changed something")
	}
}
