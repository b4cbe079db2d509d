package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// fieldsOf are the fields that an error refuses, with their sentences.
func fieldsOf(err error) map[string]string {
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		return refusal.Fields
	}
	return nil
}

// A name that devices use is one asset's, whichever way it comes in.
func TestNamesThatDevicesUseAreOneAssets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin := k.User(a.ID, "administrator")
		asset := func(org, name, external string) app.NewThing {
			return app.NewThing{OrganizationID: org, SystemName: name, ExternalID: external, Type: "fire", Nickname: "Unit " + name}
		}
		made, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{asset(a.ID, "T-1", "IMEI777"), asset(a.ID, "T-2", ""), asset(b.ID, "B-1", "IMEI777"), asset(a.ID, "T-3", "T-3")})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			rows         []app.NewThing
			field, wants string
		}{
			{[]app.NewThing{asset(a.ID, "N-1", "IMEI777")}, "external_id", "Unit T-1 (T-1)"}, {[]app.NewThing{asset(a.ID, "N-1", "imei777")}, "external_id", "Unit T-1 (T-1)"},
			{[]app.NewThing{asset(a.ID, "N-1", "t-2")}, "external_id", "system name of Unit T-2"}, {[]app.NewThing{asset(a.ID, "imei777", "")}, "haas_id", "external ID of Unit T-1"},
			{[]app.NewThing{asset(a.ID, "t-1", "")}, "haas_id", "already in use"},
			{[]app.NewThing{asset(a.ID, "N-1", "x"), asset(a.ID, "N-2", "X")}, "1.external_id", "Row 1"}, {[]app.NewThing{asset(a.ID, "N-1", "x"), asset(a.ID, "X", "")}, "1.haas_id", "already in use"},
		} {
			_, err := k.RegisterThings(t.Context(), access.System(), c.rows)
			if got := fieldsOf(err)[c.field]; !strings.Contains(got, c.wants) {
				t.Errorf("%+v: %v %v", c.rows, err, fieldsOf(err))
			}
			if _, err := k.RegisterByKey(t.Context(), k.Device(a.ID), c.rows); c.field != "haas_id" || !strings.Contains(c.wants, "in use") { // by key, one that is known is
				if got := fieldsOf(err)[c.field]; !strings.Contains(got, c.wants) {
					t.Errorf("by key %+v: %v %v", c.rows, err, fieldsOf(err))
				}
			}
		}
		if _, err := k.TransferThing(t.Context(), access.System(), made[2].ID, a.ID, 0); !strings.Contains(fieldsOf(err)["organization_id"], "same external ID") {
			t.Errorf("a transfer: %v", err)
		}
		head := "haas_id,nickname,thing_type,external_id\n"
		preview := func(rows string) map[string]string {
			t.Helper()
			got, err := k.ImportThings(t.Context(), admin, app.ThingImport{CSV: head + rows})
			if err != nil {
				t.Fatal(err)
			}
			wrong := map[string]string{}
			for _, row := range got.Rows {
				for field, sentence := range row.Errors {
					wrong[fmt.Sprint(row.Line, " ", field)] = sentence
				}
			}
			return wrong
		}
		for rows, want := range map[string]string{
			"I-1,Tanker A,fire,IMEI9\nI-2,Tanker B,fire,imei9\n": "3 external_id: Line 2 already has this external ID.",
			"I-1,Tanker A,fire,IMEI777\n":                        "2 external_id: This external ID is already in use by Unit T-1 (T-1).",
			"T-2,,,IMEI777\n":                                    "2 external_id: This external ID is already in use by Unit T-1 (T-1).",
			"T-2,,,T-1\n":                                        "2 external_id: This is the system name of Unit T-1 (T-1).",
			"imei777,Tanker A,fire,\n":                           "2 haas_id: This is the external ID of Unit T-1 (T-1).",
			"T-1,,,IMEI8\nT-2,,,IMEI777\n":                       "", // a tracker that moves to another unit
			"T-2,,,IMEI777\nT-1,,,IMEI8\n":                       "",
			"T-1,Other,fire,IMEI777\n":                           "",
			"T-1,,,t-1\n":                                        "", // its own
		} {
			var got []string
			for field, sentence := range preview(rows) {
				got = append(got, field+": "+sentence)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: %q, want %q", rows, got, want)
			}
		}
		moved := imported(t, k, admin, app.ThingImport{CSV: head + "T-2,,,IMEI777\nT-1,,,IMEI8\n"})
		if no, ok := k.Live.Find(a.ID, "IMEI777"); !ok || no != thingNo(k, made[1].ID) {
			t.Errorf("after the move it is asset %d", no)
		}
		if undone, err := k.UndoImport(t.Context(), admin, moved.ImportID); err != nil || undone.Restored != 2 {
			t.Errorf("undone: %+v %v", undone, err)
		}
		if no, ok := k.Live.Find(a.ID, "IMEI777"); !ok || no != thingNo(k, made[0].ID) {
			t.Errorf("after the undo it is asset %d", no)
		}
		again := imported(t, k, admin, app.ThingImport{CSV: head + "T-1,,,IMEI8\n"})
		if _, err := k.RegisterThing(t.Context(), access.System(), asset(a.ID, "N-9", "IMEI777")); err != nil {
			t.Fatal(err)
		}
		if undone, err := k.UndoImport(t.Context(), admin, again.ImportID); err != nil || undone.Restored != 0 || len(undone.Left) != 1 || !strings.Contains(undone.Left[0].Reason, "external ID") {
			t.Errorf("undone although another has it: %+v %v", undone, err)
		}
	})
}

func thingNo(k *apptest.Kit, id string) int64 {
	t, _, _, _ := k.Live.Thing(id)
	return t.No
}

// Until somebody changes one of them, a report by a name of several assets is refused by name, and so is an asset's configuration.
// Two names that people cannot tell apart are refused by name, and one name is found however its letters are put together.
func TestNamesThatLookTheSame(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		asset := func(name, external string) app.NewThing {
			return app.NewThing{OrganizationID: o.ID, SystemName: name, ExternalID: external, Type: "fire"}
		}
		if _, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{asset("TOP-1", ""), asset("СОТ-2", ""), asset("RÄUM-3", "ΚΑΤ")}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			row   app.NewThing
			field string
			says  string
		}{
			{asset("ТОР-1", ""), "haas_id", "looks the same"}, // Cyrillic throughout
			{asset("тор-1", ""), "haas_id", "looks the same"},
			{asset("COT-2", ""), "haas_id", "looks the same"}, // Latin, beside a Cyrillic one
			{asset("N", "TOP-1"), "external_id", "system name of"},
			{asset("N", "KAT"), "external_id", "looks the same"},
			{asset("TОP-1", ""), "haas_id", "Cyrillic"}, // one letter of another alphabet
			{asset("pump а", ""), "haas_id", "Cyrillic"},
			{asset("N", "Κilo"), "external_id", "Greek"},
			{asset("ＴＯＰ-1", ""), "haas_id", "looks like TOP-1"},
			{asset("TOP-①", ""), "haas_id", "looks like TOP-1"},
			{asset("TOP\u00a01", ""), "haas_id", "plain characters"},
			{asset("TOP\u20131", ""), "haas_id", "looks like TOP-1"}, // what phones and word processors make of a hyphen
			{asset("N", "TOP\u22121"), "external_id", "looks like TOP-1"},
			{asset("TOP\u20111", ""), "haas_id", "looks like TOP-1"},
			{asset("CHIEF\u2019S", ""), "haas_id", "looks like CHIEF'S"},
			{asset("TOP-1\ufe0f", ""), "haas_id", "looks like TOP-1"},
			{asset("TOP  1", ""), "haas_id", "looks like TOP 1"}, // pages show one blank
			{asset("TO\u200bP-1", ""), "haas_id", "printable"},
			{asset("RA\u0308UM-3", ""), "haas_id", "already in use"}, // decomposed
		} {
			_, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{c.row})
			if got := fieldsOf(err)[c.field]; !strings.Contains(got, c.says) {
				t.Errorf("%q %q: %v", c.row.SystemName, c.row.ExternalID, err)
			}
		}
		if _, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{asset("MOP-9", ""), asset("МОР-9", "")}); !strings.Contains(fieldsOf(err)["1.haas_id"], "in use") {
			t.Errorf("two rows of one request: %v", err)
		}
		if _, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{asset("Машина 7", ""), asset("Ζώνη 1", ""), asset("Łódź-3", ""), asset("消防車-1", "")}); err != nil {
			t.Errorf("names in their own alphabets: %v", err)
		}
		result, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: "ra\u0308um-3", At: k.At()}}})
		if err != nil || result.Accepted != 1 {
			t.Errorf("a report by the decomposed name: %+v %v", result, err)
		}
	})
}

func TestReportsByANameOfSeveralAreRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 2)
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE thing SET external_id = 'IMEI777'`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		k.Open(s, live.Options{})
		report := func(asset string) fleet.Report {
			return fleet.Report{Asset: asset, At: k.At(), HasLat: true, HasLng: true, Lat: 39.7, Lng: -75.5}
		}
		send := func() app.ReportResult {
			t.Helper()
			got, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{report("IMEI777"), report("imei777"), report("U-0")}})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		got := send()
		if got.Accepted != 1 || len(got.Refused) != 2 || got.Refused[0].Error != "asset_ambiguous" || !strings.Contains(got.Refused[0].Message, "administrator") {
			t.Errorf("%+v", got)
		}
		if _, err := k.DeviceConfigForKey(t.Context(), k.Device(o.ID), "IMEI777"); err == nil || !strings.Contains(err.Error(), "asset_ambiguous") {
			t.Errorf("a configuration: %v", err)
		}
		admin := k.User(o.ID, "administrator")
		imported(t, k, admin, app.ThingImport{CSV: "haas_id,nickname\nU-0,Engine\n"}) // about something else: the doubles stop nothing
		imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id\nU-0,IMEI778\n"})
		if got = send(); got.Accepted != 1 || got.Duplicates != 2 || len(got.Refused) != 0 {
			t.Errorf("after the change: %+v", got)
		}
	})
}

// No name and no id may look like another one.
func TestInvisibleCharactersAreInNoName(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	for _, r := range "\u200b\u200c\u200d\u200e\u200f\u2060\u00ad\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u2028\u034f\u061c\u115f\u180e\u2800\u3164\uffa0\U000e0041\x01\x7f\u0085" {
		for i, name := range []string{"ZW" + string(r) + "-1", string(r) + "ZW-1", "ZW-1" + string(r)} {
			if strings.TrimSpace(name) == "ZW-1" {
				continue // white space at the ends is taken off
			}
			for field, in := range map[string]app.NewThing{"haas_id": {SystemName: name}, "external_id": {SystemName: "A", ExternalID: name}, "nickname": {SystemName: "A", Nickname: name},
				"license_plate_number": {SystemName: "A", Plate: name}, "registry_number": {SystemName: "A", Registry: name}} {
				in.OrganizationID, in.Type = o.ID, "fire"
				if _, err := k.RegisterThing(t.Context(), access.System(), in); fieldsOf(err)[field] == "" {
					t.Errorf("%q in %s: %v", name, field, err)
				}
			}
			if i == 0 && r != '\x01' {
				got, err := k.ImportThings(t.Context(), admin, app.ThingImport{CSV: "haas_id,nickname,thing_type\n" + name + ",a,fire\nB," + name + ",fire\n"})
				if err != nil || got.Refused != 2 {
					t.Errorf("%q in a file: %+v %v", name, got, err)
				}
			}
		}
	}
	if _, err := k.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: o.ID, SystemName: "Räum-7", Nickname: "Räumfahrzeug 7 🚒 消防", Type: "fire"}); err != nil {
		t.Errorf("a name that can be read: %v", err)
	}
}
