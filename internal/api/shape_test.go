package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// leaks are words no answer may carry: paths, SQL, Go and stack traces.
var leaks = regexp.MustCompile(`(?i)(/work|/root|/home|/usr|\.go:\d|goroutine|panic|runtime error|SELECT |INSERT |sqlite|pgx|postgres|SQLSTATE|json: |strconv|huma|\$schema)`)

const someID = "019aa5c0-0000-7000-8000-00000000beef"

// spec: D.wire.06
func TestMalformedRequests(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	thing := "/api/things/" + someID
	for _, row := range []struct {
		name, method, path, body string
		status                   int
		code, field              string
	}{
		{"broken JSON", "PUT", thing, `{"nickname": `, 400, "invalid_request", ""},
		{"duplicate key", "PUT", thing, `{"nickname": "a", "nickname": "b"}`, 400, "invalid_request", ""},
		{"duplicate key written with an escape", "PUT", thing, `{"nickname": "a", "nicknam\u0065": "b"}`, 400, "invalid_request", ""},
		{"trailing data", "PUT", thing, `{"nickname": "a"} {}`, 400, "invalid_request", ""},
		{"NaN", "PUT", thing, `{"nickname": NaN}`, 400, "invalid_request", ""},
		{"number out of range", "PUT", thing, `{"nickname": 1e999}`, 400, "invalid_request", ""},
		{"invalid UTF-8", "PUT", thing, "{\"nickname\": \"\xff\xfe\"}", 400, "invalid_request", ""},
		{"half a character", "PUT", thing, `{"nickname": "\ud800"}`, 400, "invalid_request", ""},
		{"nested too deeply", "PUT", thing, strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200), 400, "invalid_request", ""},
		{"no body", "PUT", thing, "", 400, "invalid_request", ""},
		{"unknown field", "PUT", thing, `{"organization_id": "x"}`, 422, "validation_failed", "organization_id"},
		{"field of another case", "PUT", thing, `{"Nickname": "x"}`, 422, "validation_failed", "Nickname"},
		{"wrong type", "PUT", thing, `{"nickname": 7}`, 422, "validation_failed", "nickname"},
		{"null list", "PUT", thing, `{"in_service": true, "is_publicly_alerting": true, "external_identifiers": null}`, 422, "validation_failed", "external_identifiers"},
		{"null list", "PUT", thing + "/associations", `{"organization_relationships": null}`, 422, "validation_failed", "organization_relationships"},
		{"missing field", "PUT", thing + "/associations", `{}`, 422, "validation_failed", "organization_relationships"},
		{"missing field inside", "PUT", thing + "/associations", `{"organization_relationships": [{"relationship_type": "manager"}]}`, 422, "validation_failed", "organization_relationships[0].organization_uuid"},
		{"in service unsaid", "PUT", thing, `{"is_publicly_alerting": true}`, 422, "validation_failed", "in_service"}, // spec: 5.asset.11
		{"alerting unsaid", "PUT", thing, `{"in_service": true}`, 422, "validation_failed", "is_publicly_alerting"},   // spec: 5.asset.11
		{"in service null", "PUT", thing, `{"in_service": null, "is_publicly_alerting": true}`, 422, "validation_failed", "in_service"},
		{"not an object", "PUT", thing, `[]`, 422, "validation_failed", ""},
		{"id of another asset", "PUT", thing, `{"in_service": true, "is_publicly_alerting": true, "id": "019aa5c0-0000-7000-8000-000000000001"}`, 422, "validation_failed", "id"},
		{"not an id", "PUT", "/api/things/1%20OR%201=1", `{}`, 422, "validation_failed", "id"},
		{"page 0", "GET", "/api/organization/things?page=0", "", 422, "validation_failed", "page"},
		{"page of letters", "GET", "/api/organization/things?page=abc", "", 422, "validation_failed", "page"},
		{"per_page 501", "GET", "/api/organization/things?per_page=501", "", 422, "validation_failed", "per_page"},
		{"not an instant", "GET", "/api/organization/things?last_updated_timestamp=yesterday", "", 422, "validation_failed", "last_updated_timestamp"},
		{"not an instant", "GET", "/api/locations?start_date=2026", "", 422, "validation_failed", "start_date"},
		{"101 organizations", "GET", "/api/organization/things?" + strings.Repeat("org_ids[]="+someID+"&", 101), "", 422, "validation_failed", "org_ids[]"},
		{"no such call", "GET", "/api/nothing", "", 404, "not_found", ""},
		{"no such call", "GET", "/api/things/a/b/c", "", 404, "not_found", ""},
		{"method not offered", "DELETE", "/api/profile", "", 405, "method_not_allowed", ""},
		{"method not offered", "POST", thing, "{}", 405, "method_not_allowed", ""},
		{"invented method", "BREW", "/api/profile", "", 405, "method_not_allowed", ""},
	} {
		r := w.Do(testkit.Request{Method: row.method, Path: row.path, Token: token, Body: bodyOf(row.body)})
		f := testkit.Decode[wire.Failure](t, r)
		if r.Status != row.status || f.Error != row.code || f.Message == "" {
			t.Errorf("%s: %d %s, want %d %s", row.name, r.Status, r.Text, row.status, row.code)
		}
		if _, ok := f.Fields[row.field]; row.field != "" && (!ok || f.Fields[row.field] == "") {
			t.Errorf("%s: no field %s in %s", row.name, row.field, r.Text)
		}
		if leak := leaks.FindString(r.Text); leak != "" {
			t.Errorf("%s: the answer says %q: %s", row.name, leak, r.Text)
		}
		if ct := r.Header.Get("Content-Type"); ct != "application/json" {
			t.Errorf("%s: content type %q", row.name, ct)
		}
	}
}

func bodyOf(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func TestOversizedBodies(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	big := `{"nickname": "` + strings.Repeat("x", 1<<20) + `"}`
	wants(t, w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + someID, Token: token, Body: big}), 413, "too_large", "")
	wants(t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: big}), 413, "too_large", "")
	r := w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + someID, Token: token, Body: big, Headers: map[string]string{"Idempotency-Key": "k1"}})
	wants(t, r, 413, "too_large", "")
}

func TestOtherContentTypesAreRefused(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	r := w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + someID, Token: token, Body: "nickname=x", Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	wants(t, r, 415, "unsupported_media_type", "")
}

func TestMethodNotAllowedNamesTheMethods(t *testing.T) {
	w := testkit.New(t)
	r := w.Do(testkit.Request{Method: "PATCH", Path: "/api/things/" + someID})
	if r.Header.Get("Allow") != "DELETE, GET, PUT" {
		t.Errorf("Allow: %q", r.Header.Get("Allow"))
	}
}

func TestTrailingSlashIsAccepted(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	for _, path := range []string{"/api/profile/", "/api/thing_types/", "/api/version/", "/api/openapi.json/"} {
		if r := w.Get(path, token); r.Status != 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
}

func TestWithoutATokenEveryCallAnswers401BeforeReadingAnything(t *testing.T) {
	w := testkit.New(t)
	for _, row := range []struct{ method, path, body string }{
		{"GET", "/api/profile", ""}, {"GET", "/api/thing_types", ""}, {"GET", "/api/organization/things?page=x", ""},
		{"GET", "/api/organization/things_count", ""}, {"GET", "/api/organization/things/snapshot", ""}, {"GET", "/api/locations", ""},
		{"GET", "/api/locations/active", ""}, {"GET", "/api/map/config", ""}, {"PUT", "/api/things/x", "{broken"}, {"PUT", "/api/things/x/associations", ""},
	} {
		for _, authorization := range []string{"", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer lb_at_forged", "bearer " + w.Key} {
			r := w.Do(testkit.Request{Method: row.method, Path: row.path, Body: bodyOf(row.body), Headers: map[string]string{"Authorization": authorization}})
			if r.Status != http.StatusUnauthorized || r.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s %s with %q: %d %s", row.method, row.path, authorization, r.Status, r.Text)
			}
		}
	}
}

func TestNoCrossOriginSharing(t *testing.T) {
	w := testkit.New(t)
	r := w.Do(testkit.Request{Method: "OPTIONS", Path: "/api/profile", Headers: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}})
	if r.Status != 405 || r.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight: %d %v", r.Status, r.Header)
	}
	r = w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + someID, Body: "{}", Headers: map[string]string{"Origin": "https://evil.example"}})
	wants(t, r, 403, "cross_origin", "")
}

// Every operation says whether it needs a session: "security" is there, and empty where it needs none.
func TestEveryOperationSaysItsSecurity(t *testing.T) {
	w := testkit.New(t)
	var document struct {
		Paths map[string]map[string]map[string]json.RawMessage `json:"paths"`
	}
	must(t, json.Unmarshal([]byte(w.Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document))
	open := 0
	for path, methods := range document.Paths {
		for method, o := range methods {
			switch string(o["security"]) {
			case "":
				t.Errorf("%s %s doesn't say it", method, path)
			case "[]":
				open++
			}
		}
	}
	if open < 10 {
		t.Errorf("only %d are open", open)
	}
}
