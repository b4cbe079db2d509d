package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

const fireType = "01900000-0000-7000-8000-100000000001"

// registered makes an asset without the API.
func registered(t *testing.T, w *testkit.World, organizationID, name, device string) string {
	t.Helper()
	made, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: organizationID, SystemName: name, Type: "fire", DeviceType: device})
	must(t, err)
	return made.ID
}

// spec: 5.asset.02 5.asset.03 5.asset.04 5.asset.05
func TestRegisterAnAsset(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("administrator").AccessToken
		post := func(body map[string]any) testkit.Response {
			return w.Do(testkit.Request{Method: "POST", Path: "/api/things", Token: token, Body: body})
		}
		r := post(map[string]any{"haas_id": "HA7-1", "nickname": "Engine 1", "thing_type_id": fireType, "thing_subtype_id": "01900000-0000-7000-8000-200000000001",
			"device_type": "ha7", "vin_number": "1FTEW1E5", "license_plate_number": "FD 1", "registry_number": "R1", "external_id": "X1"})
		made := testkit.Decode[wire.One[wire.Thing]](t, r).Data
		if r.Status != 201 || made.Organization.ID != w.Own.ID || made.HaasID != "HA7-1" || made.Nickname != "Engine 1" || made.ExternalID != "X1" ||
			made.DeviceType != "ha7" || !made.InService || !made.IsResponder || !made.Features.R2R {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		// The tag of an answer that is long enough to be compressed is another, and the version all the same.
		for _, want := range []int{200, 409} {
			edit := testkit.Request{Method: "PUT", Path: "/api/things/" + made.ID, Token: token, Headers: map[string]string{"If-Match": r.Header.Get("ETag")},
				Body: map[string]any{"nickname": "Engine 1", "in_service": true, "is_publicly_alerting": want == 409}}
			if got := w.Do(edit); got.Status != want {
				t.Errorf("edited by the tag %s: %d %s", r.Header.Get("ETag"), got.Status, got.Text)
			}
		}
		if got := w.Get("/api/things/"+made.ID, token); got.Status != 200 || !strings.Contains(got.Text, `"Engine 1"`) {
			t.Errorf("read back: %d %s", got.Status, got.Text)
		}
		if r := post(map[string]any{"haas_id": "M-1", "thing_type_id": fireType, "organization_id": strings.ToUpper(w.Managed.ID)}); r.Status != 201 {
			t.Errorf("for a managed organization: %d %s", r.Status, r.Text)
		}
		for _, c := range []struct {
			name, field, says string
			edit              map[string]any
		}{
			{"name taken", "haas_id", "This system name is already in use.", map[string]any{"haas_id": "ha7-1"}},
			{"no name", "haas_id", "Required", map[string]any{"haas_id": "  "}},
			{"name left out", "haas_id", "Required", map[string]any{"haas_id": nil}},
			{"no type", "thing_type_id", "Required", map[string]any{"thing_type_id": ""}},
			{"unknown type", "thing_type_id", "Unknown type.", map[string]any{"thing_type_id": someID}},
			{"long nickname", "nickname", "Must be 50 or fewer characters", map[string]any{"nickname": strings.Repeat("x", 51)}},
			{"VIN", "vin_number", "Please only use numbers or letters", map[string]any{"vin_number": "AB-1"}},
			{"plate", "license_plate_number", "Must be 50 or fewer characters", map[string]any{"license_plate_number": strings.Repeat("x", 51)}},
			{"device", "device_type", "Unknown device type.", map[string]any{"device_type": "ha9"}},
			{"unknown field", "in_service", "Unknown field.", map[string]any{"in_service": true}},
			{"foreign organization", "organization_id", "Organization not found", map[string]any{"organization_id": w.Foreign.ID}},
			{"accessed organization", "organization_id", "Organization not found", map[string]any{"organization_id": w.Accessed.ID}},
			{"no organization", "organization_id", "Organization not found", map[string]any{"organization_id": "x"}},
		} {
			body := map[string]any{"haas_id": "N-1", "thing_type_id": fireType}
			for k, v := range c.edit {
				if body[k] = v; v == nil {
					delete(body, k)
				}
			}
			f := testkit.Decode[wire.Failure](t, post(body))
			if f.Fields[c.field] != c.says {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
	})
}

// Every id position of the room with an id from elsewhere, for every role.
//
// spec: 6.thing.01 8.asset.02 D.wire.08
func TestAssetAdministrationWalk(t *testing.T) {
	w := testkit.New(t)
	own, accessed, foreign := registered(t, w, w.Own.ID, "OWN", "ha7"), registered(t, w, w.Accessed.ID, "ACC", "ha7"), registered(t, w, w.Foreign.ID, "SECRET-FOREIGN", "ha7")
	config := map[string]any{"model": "m", "platform": "p", "file_name": "f", "heartbeat_interval": 60, "warning_light_pin": 1, "indicator_pin": 2, "location_type": "gps"}
	for _, role := range []string{"viewer", "operator", "manager", "engineer", "administrator"} {
		token := w.SignIn(role).AccessToken
		admin := role == "administrator"
		for _, c := range []struct {
			method, path string
			body         any
			code         string
		}{
			{"POST", "/api/things", map[string]any{"haas_id": "N", "thing_type_id": fireType, "organization_id": w.Foreign.ID}, "organization_not_found"},
			{"PUT", "/api/things/" + foreign + "/organization", map[string]any{"organization_id": w.Own.ID}, "thing_not_found"},
			{"PUT", "/api/things/" + accessed + "/organization", map[string]any{"organization_id": w.Own.ID}, "thing_not_found"},
			{"PUT", "/api/things/" + own + "/organization", map[string]any{"organization_id": w.Foreign.ID}, "organization_not_found"},
			{"PUT", "/api/things/" + own + "/organization", map[string]any{"organization_id": w.Accessed.ID}, "organization_not_found"},
			{"PUT", "/api/things/" + someID + "/organization", map[string]any{"organization_id": w.Own.ID}, "thing_not_found"},
			{"DELETE", "/api/things/" + foreign, nil, "not_found"},
			{"DELETE", "/api/things/" + accessed, nil, "not_found"},
			{"DELETE", "/api/things/" + someID, nil, "not_found"},
			{"POST", "/api/organization/things/import", map[string]any{"csv": "haas_id\nX\n", "organization_id": w.Foreign.ID}, "organization_not_found"},
			{"POST", "/api/organization/things/import", map[string]any{"csv": "haas_id\nX\n", "organization_id": w.Accessed.ID}, "organization_not_found"},
			{"GET", "/api/organization/things/export?org_ids[]=" + w.Foreign.ID, nil, "not_found"},
			{"GET", "/api/organization/things/export?org_ids[]=" + w.Own.ID + "&org_ids[]=" + w.Foreign.ID, nil, "not_found"},
			{"GET", "/api/things/" + foreign + "/device_config", nil, "not_found"},
			{"PUT", "/api/things/" + foreign + "/device_config", config, "thing_not_found"},
			{"PUT", "/api/things/" + accessed + "/device_config", config, "thing_not_found"},
		} {
			want := "forbidden"
			if admin {
				want = c.code
			}
			r := w.Do(testkit.Request{Method: c.method, Path: c.path, Token: token, Body: c.body})
			if f := testkit.Decode[wire.Failure](t, r); f.Error != want || strings.Contains(r.Text, "SECRET") || strings.Contains(r.Text, "Foreign Fleet") {
				t.Errorf("%s %s %s: %d %s, want %s", role, c.method, c.path, r.Status, r.Text, want)
			}
		}
		row := w.Do(testkit.Request{Method: "POST", Path: "/api/organization/things/import", Token: token,
			Body: map[string]any{"csv": "haas_id,nickname,organization\nSECRET-FOREIGN,x," + w.Foreign.ID + "\nSECRET-FOREIGN,x,Foreign Fleet\n"}})
		if admin && (row.Status != 200 || strings.Count(row.Text, "Organization not found") != 2 || strings.Contains(row.Text, foreign)) || !admin && row.Status != 403 {
			t.Errorf("%s imports rows of a foreign organization: %d %s", role, row.Status, row.Text)
		}
	}
	if got := w.Get("/api/things/"+foreign, w.SignIn("outsider").AccessToken); got.Status != 200 || testkit.Decode[wire.One[wire.Thing]](t, got).Data.Version != 1 {
		t.Errorf("the foreign asset was touched: %s", got.Text)
	}
}

func TestTransferAndDeleteOverHTTP(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		id := registered(t, w, w.Own.ID, "OWN", "ha7")
		token := w.SignIn("administrator").AccessToken
		put := func(to, ifMatch string) testkit.Response {
			return w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + id + "/organization", Token: token, Body: map[string]any{"organization_id": to},
				Headers: map[string]string{"If-Match": ifMatch}})
		}
		wants(t, put(w.Managed.ID, `"7"`), 409, "conflict", "")
		r := put(w.Managed.ID, `"1"`)
		if got := testkit.Decode[wire.One[wire.Thing]](t, r).Data; r.Status != 200 || got.Organization.ID != w.Managed.ID || r.Header.Get("ETag") != `"2"` {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		list := w.Get("/api/organization/things?org_ids[]="+w.Managed.ID, token)
		if rows := testkit.Decode[api.Things](t, list).Data; len(rows) != 1 || rows[0].ID != id {
			t.Errorf("the new owner's list: %s", list.Text)
		}
		w.Clock.Advance(10 * time.Minute)
		remove := testkit.Request{Method: "DELETE", Path: "/api/things/" + id, Token: token}
		wants(t, w.Do(remove), 403, "step_up_required", "")
		remove.Token = w.SignIn("administrator").AccessToken
		if r := w.Do(remove); r.Status != 200 || strings.TrimSpace(r.Text) != "{}" {
			t.Errorf("deleted: %d %s", r.Status, r.Text)
		}
		wants(t, w.Do(remove), 404, "not_found", "Asset not found")
		wants(t, w.Get("/api/things/"+id, token), 404, "not_found", "Asset not found")
		if !hasAudit(t, w, w.Own.ID, "transfer") || !hasAudit(t, w, w.Managed.ID, "transfer") || !hasAudit(t, w, w.Managed.ID, "delete") {
			t.Error("not audited")
		}
	})
}

func TestImportAndExportOverHTTP(t *testing.T) {
	w := testkit.New(t)
	registered(t, w, w.Own.ID, "=CMD()", "api")
	registered(t, w, w.Managed.ID, "M1", "ha5")
	token := w.SignIn("administrator").AccessToken
	both := "?org_ids[]=" + w.Own.ID + "&org_ids[]=" + strings.ToUpper(w.Managed.ID)
	file := w.Get("/api/organization/things/export"+both, token)
	if file.Status != 200 || file.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" || file.Header.Get("Cache-Control") != "no-store" ||
		file.Header.Get("Content-Disposition") != `attachment; filename="assets-2026-11-21.csv"` || !strings.Contains(file.Text, w.Own.ID+",'=CMD(),") || strings.Count(file.Text, "\r\n") != 3 {
		t.Fatalf("%d %v\n%s", file.Status, file.Header, file.Text)
	}
	send := func(csv, digest string) testkit.Response {
		body := map[string]any{"csv": csv}
		if digest != "" {
			body["digest"] = digest
		}
		return w.Do(testkit.Request{Method: "POST", Path: "/api/organization/things/import", Token: token, Body: body})
	}
	back := testkit.Decode[wire.One[wire.ImportResult]](t, send(file.Text, ""))
	if back.Data.Unchanged != 2 || back.Data.Refused+back.Data.Create+back.Data.Update != 0 {
		t.Errorf("the export came back: %+v", back.Data)
	}
	csv := "haas_id,thing_type\nN1,fire\n"
	preview := testkit.Decode[wire.One[wire.ImportResult]](t, send(csv, "")).Data
	if preview.Create != 1 || preview.Applied || len(preview.Digest) != 64 {
		t.Fatalf("%+v", preview)
	}
	if n := testkit.Decode[api.ThingsCount](t, w.Get("/api/organization/things_count", token)).Data.Count; n != 1 {
		t.Errorf("a preview wrote: %d assets", n)
	}
	wants(t, send(csv+"N2,fire\n", preview.Digest), 409, "import_changed", "")
	if done := testkit.Decode[wire.One[wire.ImportResult]](t, send(csv, preview.Digest)).Data; !done.Applied || done.Create != 1 {
		t.Errorf("%+v", done)
	}
	wants(t, send(csv, preview.Digest), 409, "import_changed", "") // it is there now
	bad := testkit.Decode[wire.One[wire.ImportResult]](t, send("haas_id,vin\nN1,A-B\n", "")).Data
	wants(t, send("haas_id,vin\nN1,A-B\n", bad.Digest), 422, "import_refused", "")
	f := wants(t, send("haas_id,color\nN1,red\n", ""), 422, "validation_failed", "")
	if !strings.Contains(f.Fields["csv"], `"color" is unknown`) {
		t.Errorf("%+v", f)
	}
}

func TestUndoOfAnImportOverHTTP(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	send := func(csv, digest string) wire.ImportResult {
		return testkit.Decode[wire.One[wire.ImportResult]](t, w.Do(testkit.Request{Method: "POST", Path: "/api/organization/things/import", Token: token,
			Body: map[string]any{"csv": csv, "digest": digest}})).Data
	}
	const csv = "haas_id,thing_type\nUNDO-1,fire\n"
	done := send(csv, send(csv, "").Digest)
	if !done.Applied || done.ImportID == "" || done.UndoUntil == 0 {
		t.Fatalf("%+v", done)
	}
	undo := func(id, token string) testkit.Response {
		return w.Do(testkit.Request{Method: "POST", Path: "/api/organization/things/import/" + id + "/undo", Token: token})
	}
	wants(t, undo(done.ImportID, w.SignIn("outsider").AccessToken), 404, "not_found", "Import not found")
	wants(t, undo(done.ImportID, w.SignIn("manager").AccessToken), 403, "forbidden", "")
	wants(t, undo(someID, token), 404, "not_found", "Import not found")
	wants(t, undo("x", token), 422, "validation_failed", "")
	r := undo(strings.ToUpper(done.ImportID), token)
	if got := testkit.Decode[wire.One[wire.ImportUndo]](t, r).Data; r.Status != 200 || got.Deleted != 1 || got.Restored != 0 || !strings.Contains(r.Text, `"left":[]`) {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, undo(done.ImportID, token), 409, "import_undone", "This import was already undone.")
	late := send(csv, send(csv, "").Digest)
	w.Clock.Advance(15*time.Minute + time.Second)
	wants(t, undo(late.ImportID, token), 422, "import_final", "Imports can only be undone for 15 minutes.")
}

// A file of 1 MiB fits although JSON makes it longer; what is larger is refused by name.
func TestImportLimits(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	send := func(csv string, once string) testkit.Response {
		headers := map[string]string{}
		if once != "" {
			headers["Idempotency-Key"] = once
		}
		return w.Do(testkit.Request{Method: "POST", Path: "/api/organization/things/import", Token: token, Body: map[string]any{"csv": csv}, Headers: headers})
	}
	var csv strings.Builder
	csv.WriteString("haas_id,thing_type,nickname\r\n")
	for i := 0; i < 8_900; i++ {
		fmt.Fprintf(&csv, "\"N-%05d\",\"fire\",\"%s\"\r\n", i, strings.Repeat("\"\"", 48))
	}
	if csv.Len() > 1<<20 || csv.Len() < 1_000_000 {
		t.Fatalf("the file has %d bytes", csv.Len())
	}
	for _, once := range []string{"", "key-1"} {
		if r := send(csv.String(), once); r.Status != http.StatusOK || testkit.Decode[wire.One[wire.ImportResult]](t, r).Data.Create != 8_900 {
			t.Errorf("1 MiB: %d %.300s", r.Status, r.Text)
		}
		wants(t, send(csv.String()+strings.Repeat(" ", 1<<20), once+"2"), 413, "too_large", "")
		wants(t, send(strings.Repeat("x", 5<<20), once+"3"), 413, "too_large", "")
	}
}

// spec: 3.device.01 5.device.01 5.device.02
func TestDeviceConfigOverHTTP(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		id, phone := registered(t, w, w.Own.ID, "HA7", "ha7"), registered(t, w, w.Own.ID, "PHONE", "api")
		token := w.SignIn("administrator").AccessToken
		path := "/api/things/" + id + "/device_config"
		body := func(edits ...any) map[string]any {
			out := map[string]any{"model": "HA7-N", "platform": "esp32", "file_name": "ha7.bin", "heartbeat_interval": 60, "warning_light_pin": 4, "indicator_pin": 5, "location_type": "gps"}
			for i := 0; i < len(edits); i += 2 {
				if out[edits[i].(string)] = edits[i+1]; edits[i+1] == nil {
					delete(out, edits[i].(string))
				}
			}
			return out
		}
		put := func(body map[string]any, ifMatch string) testkit.Response {
			return w.Do(testkit.Request{Method: "PUT", Path: path, Token: token, Body: body, Headers: map[string]string{"If-Match": ifMatch}})
		}
		if r := w.Get(path, token); r.Status != 200 || testkit.Decode[wire.One[wire.DeviceConfig]](t, r).Data != (wire.DeviceConfig{}) || r.Header.Get("ETag") != `"0"` {
			t.Errorf("never configured: %d %s", r.Status, r.Text)
		}
		for field := range body() {
			if f := wants(t, put(body(field, nil), ""), 422, "validation_failed", ""); f.Fields[field] != "Required" {
				t.Errorf("%s left out: %+v", field, f)
			}
		}
		if f := wants(t, put(body("indicator_pin", 4), ""), 422, "validation_failed", ""); f.Fields["indicator_pin"] != "Cannot be the same as Warning Light Pin" {
			t.Errorf("the same pin: %+v", f)
		}
		wants(t, put(body("version", 1), ""), 422, "validation_failed", "")
		wants(t, put(body("warning_light_pin", "4"), ""), 422, "validation_failed", "")
		r := put(body(), `"0"`)
		want := wire.DeviceConfig{Model: "HA7-N", Platform: "esp32", FileName: "ha7.bin", HeartbeatInterval: 60, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps", Version: 1}
		if got := testkit.Decode[wire.One[wire.DeviceConfig]](t, r).Data; r.Status != 200 || got != want || r.Header.Get("ETag") != `"1"` {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		wants(t, put(body("model", "X"), `"0"`), 409, "conflict", "")
		wants(t, put(body("model", "X"), `"2"`), 409, "conflict", "")
		wants(t, put(body(), "x"), 422, "validation_failed", "")
		if r := put(body(), `"1"`); r.Header.Get("ETag") != `"1"` { // the same again makes no version
			t.Errorf("%d %s", r.Status, r.Text)
		}
		want.Version, want.HeartbeatInterval = 2, 30
		if r := put(body("heartbeat_interval", 30), `"1"`); testkit.Decode[wire.One[wire.DeviceConfig]](t, r).Data != want {
			t.Errorf("%d %s", r.Status, r.Text)
		}
		if r := w.Get(path, token); testkit.Decode[wire.One[wire.DeviceConfig]](t, r).Data != want {
			t.Errorf("read back: %s", r.Text)
		}
		path = "/api/things/" + phone + "/device_config"
		f := wants(t, put(body(), ""), 422, "validation_failed", "Only ha5 and ha7 devices have a configuration; this asset reports over the API.")
		if f.Fields["device_type"] == "" {
			t.Errorf("%+v", f)
		}
		wants(t, w.Get(path, token), 422, "validation_failed", "")
		if !hasAudit(t, w, w.Own.ID, "configure") {
			t.Error("not audited")
		}
	})
}
