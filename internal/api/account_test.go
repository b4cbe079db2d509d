package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 8.org.02 8.org.03 7.org.01 7.org.02 7.org.03
func TestOrganizationsOverHTTP(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	list := testkit.Decode[wire.List[wire.OrganizationRow]](t, w.Get("/api/organizations", token))
	if len(list.Data) != 3 || list.Data[0].Relation != "own" || list.Data[0].ThingsCount == nil || list.Data[0].UsersCount != 6 {
		t.Errorf("%+v", list)
	}
	for _, path := range []string{"/api/organization/", "/api/organization/" + w.Own.ID + "/"} {
		r := w.Do(testkit.Request{Method: "PUT", Path: path, Token: token, Body: map[string]any{"name": "Harbor " + fmt.Sprint(len(path)), "email": "office@harbor.example",
			"phone_number": "1", "city": "Elsmere", "state": "DE", "address1": "1 Main St", "address2": "", "postal_code": "19805", "contact_name": "Ada",
			"cell_phone_number": "2", "country_code": "US", "organization_type_id": "01900000-0000-7000-8000-400000000003"}})
		if o := testkit.Decode[wire.One[wire.OrganizationRow]](t, r).Data; r.Status != 200 || o.Name != "Harbor "+fmt.Sprint(len(path)) || o.OrganizationType.Name != "fire" || r.Header.Get("ETag") == "" {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	var saved struct{ Data map[string]any }
	must(t, json.Unmarshal([]byte(w.Get("/api/organization/"+w.Own.ID, token).Text), &saved))
	sameFields(t, "organization", saved.Data, map[string]any{"email": "office@harbor.example", "phone_number": "1", "city": "Elsmere", "state": "DE", "address1": "1 Main St",
		"address2": "", "postal_code": "19805", "contact_name": "Ada", "cell_phone_number": "2", "country_code": "US"})
	profile := testkit.Decode[wire.One[wire.Profile]](t, w.Get("/api/profile", token)).Data
	if profile.Organization.City != "Elsmere" || profile.Organization.OrganizationType.ID == "" || !profile.User.HasAPIKeys {
		t.Errorf("%+v", profile)
	}
	if p := testkit.Decode[wire.One[wire.Profile]](t, w.Get("/api/profile", w.SignIn("viewer").AccessToken)).Data; p.User.HasAPIKeys { // spec: 8.key.02
		t.Errorf("%+v", p.User)
	}
	wants(t, w.Do(testkit.Request{Method: "PUT", Path: "/api/organization", Token: token, Body: map[string]any{"name": "X"}, Headers: map[string]string{"If-Match": `"1"`}}), 409, "conflict", "")
	wants(t, w.Do(testkit.Request{Method: "PUT", Path: "/api/organization/" + someID, Token: token, Body: map[string]any{"name": "X"}}), 422, "organization_not_found", "Organization not found")
	wants(t, w.Get("/api/organization/"+someID, token), 404, "not_found", "Organization not found")
	wants(t, w.Do(testkit.Request{Method: "DELETE", Path: "/api/organization/" + w.Own.ID, Token: token}), 422, "own_account", "")
	r := w.Do(testkit.Request{Method: "PUT", Path: "/api/organizations/" + w.Own.ID + "/relations", Token: token, Body: map[string]any{"organization_id": w.Foreign.ID, "relationship_type": "accessor"}})
	if o := testkit.Decode[wire.RelatedOrganization](t, r); r.Status != 200 || o.Relation.State != "offered" || len(o.Data.OrganizationAccessors) != 0 || strings.Contains(r.Text, "Foreign Fleet") {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	if r := w.Do(testkit.Request{Method: "DELETE", Path: "/api/organization/" + w.Managed.ID + "/", Token: token}); r.Status != 200 && r.Status != 204 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, w.Get("/api/organization/"+w.Managed.ID, token), 404, "not_found", "Organization not found")
}

// spec: 3.key.01 8.key.01
func TestKeysOverHTTP(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	once := 0
	create := func(body string) testkit.Response {
		once++
		return w.Do(testkit.Request{Method: "POST", Path: "/api/keys", Token: token, Body: body, Headers: map[string]string{"Idempotency-Key": fmt.Sprint(once)}})
	}
	r := create(`{"description":"AVL gateway","scope":"ingest","expires_at":"2027-01-01T00:00:00Z"}`)
	made := testkit.Decode[wire.One[wire.NewKey]](t, r).Data
	if r.Status != 201 || made.ID == "" || made.Description != "AVL gateway" || !strings.HasPrefix(made.Token, "lb_key_") || made.CreatedDate == 0 ||
		!strings.Contains(r.Text, `"expires_at":"2027-01-01T00:00:00.000Z"`) || !strings.Contains(r.Text, `"thing_id":null`) {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	if _, err := w.App.AuthenticateKey(t.Context(), made.Token, ""); err != nil {
		t.Error(err)
	}
	list := w.Get("/api/keys?org_ids[]="+w.Own.ID, token)
	if strings.Contains(list.Text, made.Token) || strings.Contains(list.Text, "hash") || len(testkit.Decode[wire.List[wire.Key]](t, list).Data) != 2 {
		t.Errorf("%s", list.Text)
	}
	// The secret is nowhere but in that one answer: not kept for a retry either.
	if dump := dumpTables(t, w.App.Store); strings.Contains(dump, made.Token) || strings.Contains(w.Log.Text(), made.Token) {
		t.Error("the secret was stored or logged")
	}
	for range 9 {
		if r = create(`{"description":"k","scope":"ingest"}`); r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
	}
	wants(t, create(`{"description":"k","scope":"ingest"}`), 422, "key_limit", "Your User has reached the API Key limit")
	if r = w.Do(testkit.Request{Method: "DELETE", Path: "/api/keys/" + made.ID, Token: token}); r.Status != 200 && r.Status != 204 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	if _, err := w.App.AuthenticateKey(t.Context(), made.Token, ""); err == nil {
		t.Error("a revoked key works")
	}
	wants(t, w.Do(testkit.Request{Method: "DELETE", Path: "/api/keys/" + someID, Token: token}), 404, "not_found", "")
	wants(t, w.Get("/api/keys", w.SignIn("manager").AccessToken), 403, "forbidden", "")
}

// Scopes say what a key may do: those asked for, ingest when nothing is said.
func TestScopesOfKeysOverHTTP(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	thing, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire"})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"description":"k"}`:                                                 `"scope":"ingest","scopes":["ingest"],"thing_id":null`,
		`{"description":"k","scope":"ingest"}`:                                `"scope":"ingest","scopes":["ingest"],"thing_id":null`,
		`{"description":"k","scopes":["alerts","register","feeds","ingest"]}`: `"scope":"ingest","scopes":["ingest","register","feeds","alerts"],"thing_id":null`,
		`{"description":"k","thing_id":"` + thing.ID + `"}`:                   `"scope":"thing","scopes":[],"thing_id":"` + thing.ID + `"`,
	} {
		r := w.Do(testkit.Request{Method: "POST", Path: "/api/keys", Token: token, Body: body})
		if r.Status != 201 || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %d %s", body, r.Status, r.Text)
		}
		if list := w.Get("/api/keys", token); !strings.Contains(list.Text, want) {
			t.Errorf("%s is not in %s", want, list.Text)
		}
	}
	for body, field := range map[string]string{
		`{"description":"k","scopes":["ingest","everything"]}`:                  "scopes",
		`{"description":"k","scopes":[]}`:                                       "scopes",
		`{"description":"k","scopes":["Ingest"]}`:                               "scopes",
		`{"description":"k","scopes":["ingest"],"thing_id":"` + thing.ID + `"}`: "scopes",
		`{"description":"k","scope":"everything"}`:                              "scope",
		`{"description":"k","scope":"thing"}`:                                   "scope",
		`{"description":"k","scope":"ingest","thing_id":"` + thing.ID + `"}`:    "scope",
		`{"description":"k","scopes":"ingest"}`:                                 "scopes",
	} {
		r := w.Do(testkit.Request{Method: "POST", Path: "/api/keys", Token: token, Body: body})
		if r.Status != 422 || !strings.Contains(r.Text, `"fields":{"`+field+`":`) {
			t.Errorf("%s: %d %s", body, r.Status, r.Text)
		}
	}
}

// A request for a key that is repeated, because its answer was lost, makes no
// second one. The token was in that answer alone: the repeat is told so.
func TestARepeatedRequestMakesNoSecondKey(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("administrator").AccessToken
		create := func(token, once, description string) testkit.Response {
			return w.Do(testkit.Request{Method: "POST", Path: "/api/keys", Token: token, Headers: map[string]string{"Idempotency-Key": once},
				Body: map[string]string{"description": description, "scope": "ingest"}})
		}
		count := func() int {
			t.Helper()
			return len(testkit.Decode[wire.List[wire.Key]](t, w.Get("/api/keys?org_ids[]="+w.Own.ID, token)).Data)
		}
		before := count()
		// All at once: one makes it.
		answers := make([]testkit.Response, 8)
		var wait sync.WaitGroup
		for i := range answers {
			wait.Go(func() { answers[i] = create(token, "k1", "AVL gateway") })
		}
		wait.Wait()
		var made wire.NewKey
		for _, r := range answers {
			if r.Status == 201 {
				made = testkit.Decode[wire.One[wire.NewKey]](t, r).Data
			}
		}
		if n := count() - before; n != 1 || made.Token == "" {
			t.Fatalf("%d keys were made: %+v", n, answers)
		}
		for _, r := range append(answers, create(token, "k1", "AVL gateway")) {
			if r.Status == 201 {
				continue
			}
			f := wants(t, r, 409, "key_made", `This request already created the API key "AVL gateway" (`+made.Prefix+`…). `+
				"Its token can't be shown again. If you lost it, revoke the key and create another.")
			if current, ok := f.Current.(map[string]any); !ok || current["id"] != made.ID || strings.Contains(r.Text, made.Token) {
				t.Errorf("%s", r.Text)
			}
		}
		wants(t, create(token, "k1", "another"), 422, "idempotency_key_reused", "")
		wants(t, create(token, strings.Repeat("k", 256), "AVL gateway"), 422, "validation_failed", "")
		if r := create(token, strings.Repeat("k", 255), "AVL gateway"); r.Status != 201 {
			t.Errorf("a name of 255 characters: %d %s", r.Status, r.Text)
		}
		// A request that made none may be sent again; other people and other days have keys of their own.
		wants(t, create(token, "k2", ""), 422, "validation_failed", "")
		for _, again := range []func() testkit.Response{
			func() testkit.Response { return create(token, "k2", "AVL gateway") },
			func() testkit.Response { return create(w.SignIn("super").AccessToken, "k1", "AVL gateway") },
			func() testkit.Response {
				w.Clock.Advance(25 * time.Hour)
				token = w.SignIn("administrator").AccessToken
				return create(token, "k1", "AVL gateway")
			},
		} {
			if r := again(); r.Status != 201 {
				t.Errorf("%d %s", r.Status, r.Text)
			}
		}
		if err := w.App.PurgeAnswers(t.Context()); err != nil {
			t.Error(err)
		}
		dump := dumpTables(t, w.App.Store)
		if strings.Contains(dump, made.Token) {
			t.Error("the secret was stored")
		}
		if n := strings.Count(dump, "\nidempotency "); n != 1 {
			t.Errorf("%d requests of more than a day ago are remembered", n-1)
		}
	})
}

// Every id of one organization, sent by another's administrator in every
// position: as if it did not exist, and no byte of it in any answer.
func TestForeignIDsOfPeople(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	secretUser := w.AddUser("zanzibar@harbor.example", w.Own.ID, "viewer")
	thing, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "ZANZIBAR-1", Nickname: "Zanzibar engine", Type: "fire"})
	must(t, err)
	key, _, err := w.App.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "zanzibar key"})
	must(t, err)
	_, err = w.App.UpdateOrganization(ctx, access.System(), w.Own.ID, wire.OrganizationWrite{ContactName: &thing.HaasID})
	must(t, err)
	token := w.SignIn("outsider").AccessToken
	mine := w.Users["outsider"].ID
	ours := w.AddUser("colleague@foreign.example", w.Foreign.ID, "viewer").ID
	before := peopleOf(t, w.App.Store)
	type row struct {
		method, path, body string
		status             int
	}
	var rows []row
	for _, id := range []string{w.Own.ID, secretUser.ID, thing.ID, key.ID, w.Users["administrator"].ID} {
		rows = append(rows,
			row{"GET", "/api/users/" + id, "", 404}, row{"PUT", "/api/users/" + id, `{"firstname":"X"}`, 422}, row{"DELETE", "/api/users/" + id, "", 404},
			row{"POST", "/api/users/" + id + "/invitation", "", 422}, row{"PUT", "/api/users/" + ours, `{"organization_id":"` + id + `"}`, 422},
			row{"PUT", "/api/users/" + ours, `{"role_id":"` + id + `"}`, 422}, row{"PUT", "/api/users/" + mine, `{"organization_id":"` + id + `"}`, 422},
			row{"POST", "/api/users", `{"firstname":"A","lastname":"B","email":"n@foreign.example","role_id":"` + roleID(t, "viewer") + `","organization_id":"` + id + `"}`, 422},
			row{"POST", "/api/users", `{"firstname":"A","lastname":"B","email":"n@foreign.example","role_id":"` + id + `"}`, 422},
			row{"GET", "/api/organization/users?org_ids[]=" + id, "", 404}, row{"GET", "/api/organization/users?org_ids[]=" + w.Foreign.ID + "&org_ids[]=" + id, "", 404},
			row{"GET", "/api/organization/" + id, "", 404}, row{"PUT", "/api/organization/" + id, `{"name":"X"}`, 422}, row{"DELETE", "/api/organization/" + id, "", 404},
			row{"PUT", "/api/organization", `{"organization_type_id":"` + id + `"}`, 422},
			row{"PUT", "/api/organizations/" + id + "/relations", `{"organization_id":"` + w.Foreign.ID + `","relationship_type":"manager"}`, 422},
			row{"PUT", "/api/organizations/" + id + "/relations", `{"organization_id":"` + w.Foreign.ID + `","relationship_type":"delete"}`, 422},
			row{"GET", "/api/organizations/" + id + "/relations", "", 404}, row{"POST", "/api/organizations/offers/" + id + "/accept", "", 404},
			row{"DELETE", "/api/organizations/offers/" + id, "", 404},
			// An organization that is asked is asked, whether or not it is one: nothing of it comes back.
			row{"PUT", "/api/organizations/" + w.Foreign.ID + "/relations", `{"organization_id":"` + id + `","relationship_type":"manager"}`, 200},
			row{"PUT", "/api/organizations/" + w.Foreign.ID + "/relations", `{"organization_id":"` + id + `","relationship_type":"delete"}`, 200},
			row{"GET", "/api/keys?org_ids[]=" + id, "", 404}, row{"DELETE", "/api/keys/" + id, "", 404},
			row{"POST", "/api/keys", `{"description":"x","scope":"ingest","organization_id":"` + id + `"}`, 422},
			row{"POST", "/api/keys", `{"description":"x","scope":"thing","thing_id":"` + id + `"}`, 422},
			row{"POST", "/api/keys", `{"description":"x","scope":"thing","thing_id":"` + id + `","organization_id":"` + w.Foreign.ID + `"}`, 422})
	}
	for _, in := range rows {
		r := w.Do(testkit.Request{Method: in.method, Path: in.path, Token: token, Body: bodyOf(in.body)})
		lower := strings.ToLower(r.Text)
		if r.Status != in.status || strings.Contains(lower, "zanzibar") || strings.Contains(lower, "harbor") || leaks.MatchString(r.Text) {
			t.Errorf("%s %s %s: %d %s, want %d", in.method, in.path, in.body, r.Status, r.Text, in.status)
		}
	}
	for _, path := range []string{"/api/organizations", "/api/organization/users", "/api/organization/assignable", "/api/keys", "/api/users/" + mine, "/api/profile"} {
		r := w.Get(path, token)
		if lower := strings.ToLower(r.Text); r.Status != 200 || strings.Contains(lower, "zanzibar") || strings.Contains(lower, "harbor") || strings.Contains(r.Text, w.Own.ID) {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	if after := peopleOf(t, w.App.Store); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// peopleOf is everything about users, organizations, relations and keys, as text.
func peopleOf(t *testing.T, s *store.Store) string {
	t.Helper()
	var out strings.Builder
	all, err := store.ListOrganizations(t.Context(), s.Reader())
	must(t, err)
	for _, o := range all {
		members, err := store.MembersOf(t.Context(), s.Reader(), o.ID, 0)
		must(t, err)
		relations, err := store.RelationsOf(t.Context(), s.Reader(), o.ID)
		must(t, err)
		keys, err := store.KeysOf(t.Context(), s.Reader(), o.ID, 0)
		must(t, err)
		fmt.Fprintln(&out, o, relations)
		for _, m := range members {
			m.SignInCount, m.LastSignInAt = 0, 0
			fmt.Fprintln(&out, m)
		}
		for _, k := range keys {
			k.LastUsedAt = 0
			fmt.Fprintln(&out, k)
		}
	}
	return out.String()
}

// What a super user looks at in other organizations is audited.
func TestSuperLooksAtPeopleAreAudited(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("super").AccessToken
	for _, path := range []string{"/api/organization/users?org_ids[]=" + w.Foreign.ID, "/api/keys?org_ids[]=" + w.Foreign.ID, "/api/organization/" + w.Foreign.ID,
		"/api/users/" + w.Users["outsider"].ID} {
		if r := w.Get(path, token); r.Status != 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	rows, err := store.ListAudit(t.Context(), w.App.Store.Reader(), w.Foreign.ID, 0, 100)
	must(t, err)
	nouns := map[string]bool{}
	for _, r := range rows {
		if r.Verb == "look" {
			nouns[r.Noun] = true
		}
	}
	for _, noun := range []string{"users", "keys", "organization", "user"} {
		if !nouns[noun] {
			t.Errorf("a look at %s was not audited: %v", noun, nouns)
		}
	}
}
