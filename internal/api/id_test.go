package api_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lightbar/internal/testkit"
)

// Capitals name the same UUID: every door answers as it does to small letters.
func TestIDsInCapitals(t *testing.T) {
	w := testkit.New(t)
	thing := registered(t, w, w.Own.ID, "CAP", "ha7")
	token := w.SignIn("administrator").AccessToken
	user := w.Users["viewer"].ID
	for _, path := range []string{"/api/things/{" + thing + "}", "/api/things/{" + thing + "}/device_config", "/api/organization/things?org_ids[]={" + w.Own.ID + "}",
		"/api/organization/things/snapshot?org_ids[]={" + w.Own.ID + "}", "/api/organization/things_count?org_ids[]={" + w.Own.ID + "}",
		"/api/organization/things/export?org_ids[]={" + w.Own.ID + "}", "/api/locations?org_ids[]={" + w.Own.ID + "}", "/api/locations/active?org_ids[]={" + w.Own.ID + "}",
		"/api/users/{" + user + "}", "/api/users/{" + user + "}/sessions", "/api/organization/users?org_ids[]={" + w.Own.ID + "}", "/api/organization/{" + w.Own.ID + "}",
		"/api/organizations/{" + w.Own.ID + "}/relations", "/api/keys?org_ids[]={" + w.Own.ID + "}", "/api/audit?organization_id={" + w.Own.ID + "}"} {
		id := path[strings.Index(path, "{")+1 : strings.Index(path, "}")]
		asked := func(as string) testkit.Response {
			return w.Get(strings.NewReplacer("{"+id+"}", as).Replace(path), token)
		}
		small, capital := asked(id), asked(strings.ToUpper(id))
		if small.Status != capital.Status || strings.Contains(small.Text, id) != strings.Contains(capital.Text, id) || capital.Status == 404 && !strings.HasSuffix(path, "device_config") {
			t.Errorf("%s: %d %.80s, in capitals %d %.80s", path, small.Status, small.Text, capital.Status, capital.Text)
		}
	}
	for _, c := range []struct {
		method, path string
		body         map[string]any
		status       int
	}{
		{"POST", "/api/things", map[string]any{"haas_id": "CAP-2", "thing_type_id": strings.ToUpper(fireType), "organization_id": strings.ToUpper(w.Own.ID)}, 201},
		{"PUT", "/api/things/" + strings.ToUpper(thing) + "/organization", map[string]any{"organization_id": strings.ToUpper(w.Managed.ID)}, 200},
		{"PUT", "/api/users/" + strings.ToUpper(user), map[string]any{"role_id": strings.ToUpper(roleID(t, "operator"))}, 200},
		{"DELETE", "/api/users/" + strings.ToUpper(user) + "/sessions", nil, 200},
		{"DELETE", "/api/users/" + strings.ToUpper(user) + "/second_factor", nil, 200},
	} {
		if r := w.Do(testkit.Request{Method: c.method, Path: c.path, Token: token, Body: c.body}); r.Status != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.path, r.Status, r.Text)
		}
	}
}

// An id in an address or a query is of the type that lowers itself; a passkey's is no UUID, and a number is no id.
func TestEveryIDOfAnAddressLowersItself(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	raw, seen := regexp.MustCompile("(?m)^.*\\s(\\S+) +`(?:path:\"|query:\"(?:org_ids|organization_id|actor))[^`]*`.*$"), 0
	for _, name := range files {
		code, err := os.ReadFile(name)
		must(t, err)
		for _, m := range raw.FindAllStringSubmatch(string(code), -1) {
			if seen++; m[1] != "ID" && m[1] != "OrgIDs" && m[1] != "int" && !strings.Contains(m[0], "the passkey's id") {
				t.Errorf("%s: %s", name, strings.TrimSpace(m[0]))
			}
		}
	}
	if seen < 8 { // those of paths and queries: each is said once, for all routes that take it
		t.Errorf("only %d ids found", seen)
	}
}
