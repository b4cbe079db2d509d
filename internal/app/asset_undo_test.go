package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// undone takes an import back.
func undone(t *testing.T, k *apptest.Kit, actor *access.Actor, importID string) wire.ImportUndo {
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
		threeThings(t, k, admin, o.ID)
		before := csvOf(t, k, admin)
		was := byName(t, k, o.ID, "U-1")
		k.Pass(time.Minute)
		result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id,nickname,thing_type,in_service\r\n" +
			"U-0,EXT,Ladder 0,,\r\n" + "U-1,,Other,police,false\r\n" + "U-2,,,fire,\r\n" + "NEW-1,,New one,fire,\r\n" + "NEW-2,,,tow,\r\n"})
		if result.ImportID == "" || result.UndoUntil != k.At().Add(15*time.Minute) {
			t.Fatalf("%q %s", result.ImportID, result.UndoUntil)
		}
		k.Pass(15 * time.Minute) // the last moment
		_, err := k.UndoImport(t.Context(), admin, result.ImportID)
		refused(t, err, "step_up_required")
		k.Prove(admin)
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
		if r.RequestID == "" || r.RequestID != rows[0].RequestID {
			t.Errorf("the rows of one undo are not one request: %q, %q", r.RequestID, rows[0].RequestID)
		}
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
	admin.Organizations[other.ID] = access.Full
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
		if _, err := k.UpdateThing(t.Context(), admin, ids[name], wire.ThingWrite{Nickname: text("By hand")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.DeleteThing(t.Context(), access.System(), ids["DELETED"]); err != nil {
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
	want := map[string]string{"U-1": "It was changed in the meantime.", "REPORTED": "It has reported in the meantime.", "EDITED": "It was changed in the meantime.",
		"DELETED": "It was deleted in the meantime.", "MOVED": "It belongs to another organization now.",
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
	code := func(actor *access.Actor, id string) string {
		_, err := k.UndoImport(t.Context(), actor, id)
		return refusalOf(t, err).Code
	}
	for _, role := range []string{"viewer", "operator", "manager"} {
		if got := code(k.User(o.ID, role), result.ImportID); got != "forbidden" {
			t.Errorf("%s: %s", role, got)
		}
	}
	reader := k.User(foreign.ID, "administrator")
	reader.Organizations[o.ID] = access.Read
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

// An undo is about profiles: what an asset is doing, its keys and who sees it
// stay. Everybody who saw something of it hears what became of it, at once and
// whenever they ask.
func TestUndoTouchesProfilesAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		result := imported(t, x.Kit, x.admin, app.ThingImport{CSV: "haas_id,nickname,type\nU-0,Ladder,\nNEW,,fire\n"})
		made := byName(t, x.Kit, x.a.ID, "NEW").ID
		x.Pass(time.Second)
		_, since := x.list(t, x.a.ID, 0)
		x.Pass(time.Second)
		said := onTheStream(t, x.Kit, 2, func() {
			if got := undone(t, x.Kit, x.admin, result.ImportID); got.Restored != 1 || got.Deleted != 1 || len(got.Left) != 0 {
				t.Fatalf("%+v", got)
			}
		})
		at := x.At()
		if said[x.a.ID] != "admin removed gone,thing  with position" || said[x.c.ID] != "thing  with position" {
			t.Errorf("the stream says %q", said)
		}
		for _, restarted := range []bool{false, true} {
			if restarted {
				if err := x.Live.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				x.Open(s, live.Options{})
			}
			changed := map[string]string{}
			rows, _ := x.list(t, x.a.ID, since)
			for _, row := range rows {
				changed[row.ID] = fmt.Sprint(row.IsDeleted, row.Nickname)
			}
			if len(changed) != 2 || changed[made] != "true" || changed[x.id] != "false" {
				t.Errorf("restarted %v: A is told %v", restarted, changed)
			}
			if rows, _ := x.list(t, x.c.ID, since); len(rows) != 1 || rows[0].ID != x.id || rows[0].Nickname != "" || rows[0].Lat == nil {
				t.Errorf("restarted %v: C is told %+v", restarted, rows)
			}
			if now := x.locations(t, x.a.ID); len(now) != 1 || !now[0].IsActive || len(now[0].ThingsActive) != 1 {
				t.Errorf("restarted %v: the incident it is at: %+v", restarted, now)
			}
			if _, err := x.AuthenticateKey(t.Context(), x.secret, "192.0.2.1"); err != nil {
				t.Errorf("restarted %v: its key: %v", restarted, err)
			}
		}
		if owned, err := store.OwnersOfThing(t.Context(), s.Reader(), made); err != nil || len(owned) != 1 || owned[0].Until != at {
			t.Errorf("owners %+v %v", owned, err)
		}
		audit, err := store.ListAudit(t.Context(), s.Reader(), x.a.ID, at, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range audit {
			if row.Verb == "update" && (!strings.Contains(string(row.Before), `"nickname":"Ladder"`) || !strings.Contains(string(row.After), `"nickname":""`)) {
				t.Errorf("audit: %s to %s", row.Before, row.After)
			}
			if row.Verb == "undo" { // it is no import to be undone itself
				if _, err := x.UndoImport(t.Context(), x.admin, row.ID); refusalOf(t, err).Code != "not_found" {
					t.Errorf("the undo of an undo: %v", err)
				}
			}
		}
	})
}

// An undo that finds nothing to take back has undone nothing: it may be asked again.
func TestUndoThatFindsNothing(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,type\nNEW,fire\n"})
	hears(t, k, o.ID, "NEW")
	before, err := store.ListAudit(t.Context(), k.Store.Reader(), o.ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := undone(t, k, admin, result.ImportID); got.Deleted != 0 || got.Restored != 0 || len(got.Left) != 1 {
			t.Errorf("%+v", got)
		}
	}
	if after, err := store.ListAudit(t.Context(), k.Store.Reader(), o.ID, 0, 100); err != nil || len(after) != len(before) {
		t.Errorf("%d rows, before %d: %v", len(after), len(before), err)
	}
}

// Assets of an organization that has gone out of full reach since stay, and are not named.
func TestUndoKeepsToItsReach(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	admin := k.User(a.ID, "administrator")
	admin.Organizations[b.ID] = access.Full
	result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,type,organization\nOURS,fire,A\nTHEIRS,fire,B\n"})
	admin.Organizations[b.ID] = access.Read
	if got := undone(t, k, admin, result.ImportID); !reflect.DeepEqual(got, wire.ImportUndo{Deleted: 1, Left: []wire.ImportLeft{}}) {
		t.Errorf("%+v", got)
	}
	byName(t, k, b.ID, "THEIRS")
}

// Several who take the same import back at once: one does.
func TestUndoOfAnImportAtOnce(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,type\nNEW,fire\n"})
	errs := make([]error, 8)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() { _, errs[i] = k.UndoImport(t.Context(), admin, result.ImportID) })
	}
	wait.Wait()
	did := 0
	for _, err := range errs {
		if err == nil {
			did++
		} else if code := refusalOf(t, err).Code; code != "import_undone" {
			t.Error(err)
		}
	}
	if did != 1 {
		t.Errorf("%d have undone it", did)
	}
}
