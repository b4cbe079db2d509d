package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// imported previews a file and applies what the preview showed.
func imported(t *testing.T, k *apptest.Kit, actor *access.Actor, in app.ThingImport) wire.ImportResult {
	t.Helper()
	preview, err := k.ImportThings(t.Context(), actor, in)
	if err != nil || preview.Applied {
		t.Fatalf("preview: %+v %v", preview, err)
	}
	in.Digest = preview.Digest
	done, err := k.ImportThings(t.Context(), actor, in)
	if err != nil {
		t.Fatalf("apply: %v (preview %+v)", err, preview)
	}
	if changed := done.Create+done.Update > 0; changed != (done.ImportID != "") || changed != (done.UndoUntil != 0) {
		t.Errorf("how to take it back: %q until %s", done.ImportID, done.UndoUntil)
	}
	preview.Applied, preview.ImportID, preview.UndoUntil = true, done.ImportID, done.UndoUntil
	if !reflect.DeepEqual(done, preview) {
		t.Errorf("applied %+v, previewed %+v", done, preview)
	}
	return done
}

func csvOf(t *testing.T, k *apptest.Kit, actor *access.Actor, organizationIDs ...string) string {
	t.Helper()
	rows, err := k.ExportThings(t.Context(), actor, organizationIDs)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := file.WriteAssetCSV(&out, rows); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// threeThings are U-0, U-1 and U-2; U-1 has a profile.
func threeThings(t *testing.T, k *apptest.Kit, admin *access.Actor, organizationID string) {
	t.Helper()
	made := k.Things(organizationID, "U", 3)
	if _, err := k.UpdateThing(t.Context(), admin, made[1].ID, wire.ThingWrite{Nickname: text("Engine 1"), LicensePlateNumber: text("FD 1"),
		ThingSubtypeID: idOf("01900000-0000-7000-8000-200000000001")}); err != nil {
		t.Fatal(err)
	}
}

func byName(t *testing.T, k *apptest.Kit, organizationID, name string) fleet.Thing {
	t.Helper()
	no, ok := k.Live.Find(organizationID, name)
	if !ok {
		t.Fatalf("no asset %s", name)
	}
	id, _ := k.Live.ThingByNo(no)
	asset, _, _, _ := k.Live.Thing(id)
	return asset
}

func TestImportPreviewsAndApplies(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		threeThings(t, k, admin, o.ID)
		in := app.ThingImport{CSV: "haas_id,nickname,thing_type,thing_subtype,plate,in_service\r\n" +
			"u-0,Ladder 0,,,,\r\n" + // another letter case is the same asset
			"U-1,,police,,,false\r\n" + // another type clears the subtype
			"U-2,,fire,,,true\r\n" + // as it is
			"NEW,New one,ems,,'=7,\r\n"}
		before := csvOf(t, k, admin)
		result := imported(t, k, admin, in)
		if result.Create != 1 || result.Update != 2 || result.Unchanged != 1 || result.Refused != 0 || len(result.Rows) != 4 {
			t.Fatalf("%+v", result)
		}
		change := func(pairs ...string) map[string]wire.ImportChange {
			out := map[string]wire.ImportChange{}
			for i := 0; i < len(pairs); i += 3 {
				out[pairs[i]] = wire.ImportChange{From: pairs[i+1], To: pairs[i+2]}
			}
			return out
		}
		for i, want := range []wire.ImportRow{
			{Line: 2, Action: "update", HaasID: "U-0", Changes: change("nickname", "", "Ladder 0")},
			{Line: 3, Action: "update", HaasID: "U-1", Changes: change("thing_type", "fire", "police", "thing_subtype", "fire-engine", "", "in_service", "true", "false")},
			{Line: 4, Action: "unchanged", HaasID: "U-2", Changes: change()},
			{Line: 5, Action: "create", HaasID: "NEW", Changes: change("organization_id", "", o.ID, "haas_id", "", "NEW", "nickname", "", "New one", "thing_type", "", "ambulance",
				"device_type", "", "api", "license_plate_number", "", "=7", "in_service", "", "true")},
		} {
			want.Errors = map[string]string{}
			if !reflect.DeepEqual(result.Rows[i], want) {
				t.Errorf("row %d: %+v", i, result.Rows[i])
			}
		}
		if got := byName(t, k, o.ID, "U-1"); got.Nickname != "Engine 1" || got.Plate != "FD 1" || got.InService || got.SubtypeID != "" || got.Version != 3 {
			t.Errorf("an empty cell leaves a value as it is: %+v", got)
		}
		stored, err := store.ListAllThings(t.Context(), s.Reader())
		if err != nil || len(stored) != 4 || stored[1].InService || stored[3].Plate != "=7" {
			t.Errorf("stored: %+v %v", stored, err)
		}
		checkImportAudit(t, k, o.ID)
		if again := imported(t, k, admin, in); again.Unchanged != 4 || again.Update+again.Create != 0 {
			t.Errorf("the same file again: %+v", again)
		}
		undo := imported(t, k, admin, app.ThingImport{CSV: before}) // the export of before takes back what a file can say
		if undo.Update != 1 || undo.Rows[1].Changes["thing_type"].To != "fire" {
			t.Errorf("the export of before: %+v", undo)
		}
	})
}

// An external id of before there was a law of names that look alike does not stop a row about something else.
func TestImportKeepsAnOlderExternalID(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	a := k.Organization("A")
	k.Things(a.ID, "U", 1)
	if err := k.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE thing SET external_id = 'E½Α' WHERE system_name = 'U-0'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := k.StopIngest(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.Open(s, live.Options{})
	in := func(external string) app.ThingImport {
		return app.ThingImport{CSV: "haas_id,external_id,nickname\nU-0," + external + ",Engine 4\n"}
	}
	got, err := k.ImportThings(t.Context(), k.User(a.ID, "administrator"), in("E½Α"))
	if err != nil || len(got.Rows) != 1 || got.Rows[0].Action != "update" || len(got.Rows[0].Errors) > 0 {
		t.Errorf("the one that it has: %+v %v", got.Rows, err)
	}
	if got, err = k.ImportThings(t.Context(), k.User(a.ID, "administrator"), in("E¼Α")); err != nil || len(got.Rows[0].Errors) == 0 {
		t.Errorf("another one: %+v %v", got.Rows, err)
	}
}

// A preview points out numbers that a spreadsheet has saved without their leading zeros.
func TestImportNotesLostZeros(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id,registry_number,thing_type\n0042,000777,0815,fire\nB,,,fire\n"})
	preview, err := k.ImportThings(t.Context(), admin, app.ThingImport{CSV: "haas_id,external_id,registry_number,thing_type\n42,777,,fire\n0042,,815,\nB,99,,\n43,,,fire\n"})
	if err != nil || len(preview.Rows) != 4 {
		t.Fatalf("%+v %v", preview, err)
	}
	for i, want := range []map[string]string{{"haas_id": "0042 exists", "external_id": "000777 exists"}, {"registry_number": "It was 0815"}, {}, {}} {
		got := preview.Rows[i].Notes
		for column, sentence := range want {
			if !strings.HasPrefix(got[column], sentence) {
				t.Errorf("row %d: %v, want %v", i, got, want)
			}
		}
		if len(got) != len(want) || len(preview.Rows[i].Errors) > 0 {
			t.Errorf("row %d: %v %v, want %v", i, got, preview.Rows[i].Errors, want)
		}
	}
}

// A row may name its owner by id or, where only one organization in full reach
// has it, by name; and a new asset may begin out of service.
func TestImportFindsTheOwnerOfARow(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b, read := k.Organization("A"), k.Organization("Harbor"), k.Organization("Harbor")
	admin := k.User(a.ID, "administrator")
	admin.Organizations[b.ID], admin.Organizations[read.ID] = access.Full, access.Read // one of the two Harbors is not one to import into
	imported(t, k, admin, app.ThingImport{CSV: "haas_id,type,organization,in_service\nN-1,fire,Harbor,false\nN-2,fire," + strings.ToUpper(b.ID) + ",true\nN-3,fire,,\n"})
	for name, want := range map[string]struct {
		owner     string
		inService bool
	}{"N-1": {b.ID, false}, "N-2": {b.ID, true}, "N-3": {a.ID, true}} {
		if got := byName(t, k, want.owner, name); got.InService != want.inService {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// The import as a whole names whose assets it changed, under the request that asked for it.
	admin.RequestID = "a request"
	result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,type,organization,nickname\nN-1,fire,Harbor,\nN-3,,,Engine 3\n"})
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), a.ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	last := rows[slices.IndexFunc(rows, func(row fleet.AuditRow) bool { return row.NounID == result.ImportID })]
	if last.Verb != "import" || last.RequestID != "a request" || !strings.Contains(string(last.After), `"organization_ids":["`+a.ID+`"]`) {
		t.Errorf("%+v %s", last, last.After)
	}
}

// checkImportAudit: what every changed asset was before, and no row for the rest.
func checkImportAudit(t *testing.T, k *apptest.Kit, organizationID string) {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), organizationID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-4:] // the import as a whole, and three assets
	if whole := last[0]; whole.Verb != "import" || whole.NounID != whole.ID || !strings.Contains(string(whole.After), `"create":1,"update":2,"unchanged":1`) {
		t.Errorf("the import as a whole: %+v", whole)
	}
	said := map[string]bool{}
	for _, r := range last[1:] {
		var before, after map[string]any
		_ = json.Unmarshal(r.Before, &before)
		_ = json.Unmarshal(r.After, &after)
		said[fmt.Sprint(r.Verb, after["haas_id"], before["nickname"], after["nickname"])] = true
	}
	if !said["updateU-0Ladder 0"] || !said["updateU-1Engine 1Engine 1"] || !said["createNEW<nil>New one"] {
		t.Errorf("audit %v", said)
	}
}

// spec: 5.asset.02 5.asset.03 5.asset.04 5.asset.05
func TestImportRefusesRowsByTheLawsOfAssets(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, foreign, read := k.Organization("A"), k.Organization("Foreign"), k.Organization("Read")
	admin := k.User(a.ID, "administrator")
	admin.Organizations[read.ID] = access.Read
	for range 2 {
		admin.Organizations[k.Organization("Twin").ID] = access.Full
	}
	k.Things(a.ID, "U", 2)
	k.Things(foreign.ID, "F", 1)
	if _, err := k.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: a.ID, SystemName: "X1", ExternalID: "EXT-1", Type: "fire"}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("ä", 51)
	for _, c := range []struct{ name, header, row, field, says string }{
		{"nickname", "haas_id,nickname", "U-0," + long, "nickname", "Must be 50 or fewer characters"},
		{"plate", "haas_id,plate", "U-0," + long, "license_plate_number", "Must be 50 or fewer characters"},
		{"registry", "haas_id,registry", "U-0," + long, "registry_number", "Must be 50 or fewer characters"},
		{"VIN", "haas_id,vin", "U-0,AB-1", "vin_number", "Please only use numbers or letters"},
		{"type of a new asset", "haas_id", "N1", "thing_type", "Required"},
		{"unknown type", "haas_id,type", "N1,tank", "thing_type", "Unknown type."},
		{"unknown type of a known asset", "haas_id,type", "U-0,tank", "thing_type", "Unknown type."},
		{"subtype of another kind", "haas_id,subtype", "U-0,maintenance-plow", "thing_subtype", "The subtype doesn't match the type."},
		{"unknown subtype", "haas_id,subtype", "U-0,x", "thing_subtype", "Unknown subtype."},
		{"device of a known asset", "haas_id,device_type", "U-0,api", "device_type", "The type of a device cannot be changed; this one is ha7."},
		{"unknown device", "haas_id,type,device_type", "N1,fire,ha9", "device_type", "Unknown device type."},
		{"external id", "haas_id,external_id", "U-0," + strings.Repeat("x", 101), "external_id", "100 Max Characters"},
		{"long name", "haas_id,type", strings.Repeat("x", 101) + ",fire", "haas_id", "100 Max Characters"},
		{"another's external id", "haas_id,type", "EXT-1,fire", "haas_id", "This is the external ID of X1."},
		{"foreign organization by id", "haas_id,type,organization_id", "F-0,fire," + foreign.ID, "organization_id", "Organization not found"},
		{"foreign organization by name", "haas_id,type,organization", "F-0,fire,Foreign", "organization_id", "Organization not found"},
		{"organization that is only read", "haas_id,type,organization", "N1,fire," + read.ID, "organization_id", "Organization not found"},
		{"a name that two organizations have", "haas_id,type,organization", "N1,fire,Twin", "organization_id", "Organization not found"},
		{"no such organization", "haas_id,type,organization", "N1,fire,x", "organization_id", "Organization not found"},
		{"cells", "haas_id,type", "U-0", "row", "The row has 1 cells, the header has 2."},
		{"in service", "haas_id,in_service", "U-0,perhaps", "in_service", "Must be true or false"},
	} {
		in := app.ThingImport{CSV: c.header + "\n" + c.row + "\n"}
		got, err := k.ImportThings(t.Context(), admin, in)
		if err != nil || got.Refused != 1 || got.Rows[0].Action != "refused" || got.Rows[0].Errors[c.field] != c.says || len(got.Rows[0].Changes) != 0 {
			t.Errorf("%s: %+v %v", c.name, got, err)
			continue
		}
		in.Digest = got.Digest
		if _, err := k.ImportThings(t.Context(), admin, in); refusalOf(t, err).Code != "import_refused" {
			t.Errorf("%s: applied: %v", c.name, err)
		}
	}
	in := app.ThingImport{CSV: "haas_id,nickname\nU-0,One\nU-1,Two\nu-0,Three\n"}
	got, err := k.ImportThings(t.Context(), admin, in)
	if err != nil || got.Refused != 1 || got.Rows[2].Errors["haas_id"] != "Line 2 already has this asset." || got.Update != 2 {
		t.Errorf("a name twice: %+v %v", got, err)
	}
	in.Digest = got.Digest
	if _, err := k.ImportThings(t.Context(), admin, in); refusalOf(t, err).Code != "import_refused" || byName(t, k, a.ID, "U-0").Nickname != "" {
		t.Errorf("one bad row must stop all: %v", err)
	}
	for _, actor := range []*access.Actor{k.User(a.ID, "manager"), k.User(a.ID, "viewer")} {
		if _, err := k.ImportThings(t.Context(), actor, in); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("imported: %v", err)
		}
		if _, err := k.ExportThings(t.Context(), actor, nil); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("exported: %v", err)
		}
	}
	if _, err := k.ExportThings(t.Context(), admin, []string{foreign.ID}); refusalOf(t, err).Code != "not_found" {
		t.Errorf("a foreign organization: %v", err)
	}
	in = app.ThingImport{OrganizationID: foreign.ID, CSV: "haas_id,nickname\nF-0,Mine\n"}
	if _, err := k.ImportThings(t.Context(), admin, in); refusalOf(t, err).Code != "organization_not_found" {
		t.Errorf("into a foreign organization: %v", err)
	}
}

// The digest holds the file and the assets: a change of either needs another look.
func TestImportIsBoundToItsPreview(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, other := k.Organization("A"), k.Organization("B")
	admin := k.User(o.ID, "administrator")
	admin.Organizations[other.ID] = access.Full
	k.Things(o.ID, "U", 3)
	in := app.ThingImport{CSV: "haas_id,nickname,type\nU-0,One,\nNEW,New,fire\n"}
	previewed := func() app.ThingImport {
		t.Helper()
		got, err := k.ImportThings(t.Context(), admin, in)
		if err != nil {
			t.Fatal(err)
		}
		out := in
		out.Digest = got.Digest
		return out
	}
	rename := func(name string) {
		t.Helper()
		if _, err := k.UpdateThing(t.Context(), admin, byName(t, k, o.ID, name).ID, wire.ThingWrite{RegistryNumber: text("R" + k.NewID()[30:])}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		make func(in *app.ThingImport)
		want string
	}{
		{"an asset of the file was edited", func(*app.ThingImport) { rename("U-0") }, "import_changed"},
		{"another file", func(in *app.ThingImport) { in.CSV = strings.Replace(in.CSV, "One", "Two", 1) }, "import_changed"},
		{"a file that says the same otherwise", func(in *app.ThingImport) { in.CSV += "\r\n" }, "import_changed"},
		{"another owner", func(in *app.ThingImport) { in.OrganizationID = other.ID }, "import_changed"},
		{"an invented digest", func(in *app.ThingImport) { in.Digest = strings.Repeat("0", 64) }, "import_changed"},
		{"an asset beside the file was edited", func(*app.ThingImport) { rename("U-2") }, ""},
		{"the new one exists meanwhile", func(*app.ThingImport) {}, "import_changed"},
	} {
		want := previewed()
		if c.name == "the new one exists meanwhile" {
			in.CSV = strings.ReplaceAll(in.CSV, "NEW", "NEWER")
			want = previewed()
			if _, err := k.RegisterThing(t.Context(), admin, app.NewThing{OrganizationID: o.ID, SystemName: "NEWER", Type: "fire"}); err != nil {
				t.Fatal(err)
			}
		}
		c.make(&want)
		_, err := k.ImportThings(t.Context(), admin, want)
		if c.want == "" && err != nil || c.want != "" && refusalOf(t, err).Code != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Whatever assets there are, their export changes nothing when it comes back.
func TestExportComesBackUnchanged(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B, \"the other\"")
	admin := k.User(a.ID, "administrator")
	admin.Organizations[b.ID] = access.Full
	made := 0
	rapid.Check(t, func(rt *rapid.T) {
		cell := func(most int) string {
			s := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
				if fleet.Invisible(r) || r == '\ufffd' {
					return -1
				}
				return r
			}, rapid.OneOf(rapid.String(), rapid.StringMatching(`['=+@\-",;a-c ]{1,8}`)).Draw(rt, "cell"))))
			text := strings.TrimSpace(string(s[:min(len(s), most)]))
			if fleet.CheckLookAlike("x"+text) != "" || fleet.CheckTextCell(text) != "" {
				return ""
			}
			return text
		}
		kind := rapid.SampledFrom(catalog.AllEnums().ThingTypes).Draw(rt, "type")
		in := app.NewThing{OrganizationID: rapid.SampledFrom([]string{a.ID, b.ID}).Draw(rt, "owner"), SystemName: fmt.Sprintf("%d%s", made, cell(40)), ExternalID: fmt.Sprintf("%dx%s", made, cell(50)),
			Nickname: cell(50), Plate: cell(50), Registry: cell(50), VIN: rapid.StringMatching(`[A-Z0-9]{0,17}`).Draw(rt, "vin"), Type: kind.ID,
			DeviceType: rapid.SampledFrom(catalog.AllEnums().DeviceTypes).Draw(rt, "device")}
		for _, sub := range catalog.AllEnums().ThingSubtypes {
			if sub.ThingType == kind.Name && rapid.Bool().Draw(rt, "subtype") {
				in.Subtype = sub.ID
			}
		}
		if _, err := k.RegisterThing(t.Context(), access.System(), in); err != nil {
			rt.Fatalf("%+v: %v", in, err)
		}
		made++
		got, err := k.ImportThings(t.Context(), admin, app.ThingImport{CSV: csvOf(t, k, admin, a.ID, b.ID)})
		if err != nil || got.Unchanged != made || len(got.Rows) != made {
			for _, row := range got.Rows {
				if row.Action != "unchanged" {
					rt.Errorf("%+v", row)
				}
			}
			rt.Fatalf("%d of %d unchanged: %v", got.Unchanged, made, err)
		}
	})
}
