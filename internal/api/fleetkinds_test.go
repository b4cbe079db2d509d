package api_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

type things struct {
	Data []wire.Thing `json:"data"`
}

// listed are the assets of organizations by system name; "" asks without a filter.
func listed(t *testing.T, w *testkit.World, token, organizationID string) map[string]wire.Thing {
	t.Helper()
	path := "/api/organization/things"
	if organizationID != "" {
		path += "?org_ids[]=" + organizationID
	}
	r := w.Get(path, token)
	if r.Status != 200 {
		t.Fatalf("%s: %d %s", path, r.Status, r.Text)
	}
	out := map[string]wire.Thing{}
	for _, row := range testkit.Decode[things](t, r).Data {
		out[row.HaasID] = row
	}
	return out
}

// Vehicles and equipment of every kind are known, registered and listed; those
// that respond to emergencies say so, and those with a transponder can be asked
// for a test alert.
//
// spec: 1.type.01 1.scope.03 9.list.01 9.list.02
func TestEveryKindOfAsset(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("administrator").AccessToken
		ids := map[string]string{}
		for _, row := range testkit.Decode[struct {
			Data []struct{ ID, Name string } `json:"data"`
		}](t, w.Get("/api/thing_types", token)).Data {
			ids[row.Name] = row.ID
		}
		responder := map[string]bool{"fire": true, "police": true, "ambulance": true, "emergency_response": true,
			"arrow_board": false, "maintenance": false, "tow": false, "waste": false, "other": false}
		if len(ids) != len(responder) {
			t.Errorf("types %v", ids)
		}
		for name := range responder {
			r := w.Do(testkit.Request{Method: "POST", Path: "/api/things", Token: token, Body: map[string]any{"haas_id": name, "thing_type_id": ids[name]}})
			if r.Status != 201 {
				t.Errorf("%s: %d %s", name, r.Status, r.Text)
			}
		}
		for device, r2r := range map[string]bool{"ha5": true, "ha7": true, "api": false} {
			made, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: device, Type: "fire", DeviceType: device})
			must(t, err)
			if made.Features.R2R != r2r || made.IsAllowedForTestMode != r2r {
				t.Errorf("%s: %+v", device, made)
			}
		}
		for alias, name := range map[string]string{"ems": "ambulance", "default": "other"} {
			made, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: alias, Type: alias})
			must(t, err)
			if made.ThingTypeID != ids[name] {
				t.Errorf("%s is %s", alias, made.ThingTypeID)
			}
		}
		rows := listed(t, w, token, w.Own.ID)
		for name, want := range responder {
			if row, ok := rows[name]; !ok || row.ThingTypeID != ids[name] || row.IsResponder != want {
				t.Errorf("%s: %+v", name, row)
			}
		}
	})
}

// An emergency, a maintenance, a towing and a waste fleet each have their users, who see their own assets.
//
// spec: 1.scope.04
func TestEveryKindOfFleet(t *testing.T) {
	w := testkit.New(t)
	for _, kind := range []string{"emergency", "maintenance", "towing", "waste"} {
		o, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "The " + kind + " fleet", TypeName: kind})
		must(t, err)
		_, err = w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: o.ID, SystemName: kind + "-1", Type: "other"})
		must(t, err)
		w.Users[kind] = w.AddUser(kind+"@demo.example", o.ID, "operator")
		token := w.SignIn(kind).AccessToken
		p := testkit.Decode[wire.One[wire.Profile]](t, w.Get("/api/profile", token)).Data
		if p.Organization.ID != o.ID || p.Organization.OrganizationType.Name != kind {
			t.Errorf("%s: %+v", kind, p.Organization)
		}
		if rows := listed(t, w, token, ""); len(rows) != 1 || rows[kind+"-1"].Organization.ID != o.ID {
			t.Errorf("%s sees %v", kind, rows)
		}
	}
}

// An organization has its own assets, manages those of others, and those that
// another one has given it to manage; whose each is stands in its row.
//
// spec: 1.org.03
func TestOwnedAndManagedAssets(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		for _, row := range []struct {
			owner fleet.Organization
			name  string
			given []fleet.Relation
		}{{w.Own, "own", nil}, {w.Managed, "managed", nil}, {w.Foreign, "given", []fleet.Relation{{OrganizationID: w.Own.ID, Kind: "manager"}}}, {w.Foreign, "kept", nil}} {
			_, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: row.owner.ID, SystemName: row.name, Type: "tow", Relations: row.given})
			must(t, err)
		}
		token := w.SignIn("operator").AccessToken
		owners := map[string]string{}
		rows := listed(t, w, token, "")
		maps.Copy(rows, listed(t, w, token, w.Managed.ID))
		for name, row := range rows {
			owners[name] = row.Organization.ID
			edit := w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + row.ID, Token: token, Body: map[string]any{"nickname": "Renamed", "in_service": true, "is_publicly_alerting": true}})
			if edit.Status != 200 {
				t.Errorf("%s is not managed: %d %s", name, edit.Status, edit.Text)
			}
		}
		if len(owners) != 3 || owners["own"] != w.Own.ID || owners["managed"] != w.Managed.ID || owners["given"] != w.Foreign.ID {
			t.Errorf("owners %v", owners)
		}
	})
}

// It follows the organization's own assets in service, whatever happens to them, and not those that it manages; open
// pages are told of each other value, and of nothing else.
//
// spec: 9.list.01 1.word.01
func TestRespondersTypeFollowsTheAssets(t *testing.T) {
	messages, err := bus.Open(bus.Options{})
	must(t, err)
	w := testkit.New(t, testkit.WithBus(messages))
	token := w.SignIn("administrator").AccessToken
	kinds := map[string]string{}
	for _, k := range catalog.AllEnums().ThingTypes {
		kinds[k.Name] = k.ID
	}
	told := make(chan string, 100)
	defer messages.OnAccessChanged(func(_, organizationID string) { told <- organizationID })()
	before := "none"
	reads := func(when, want string) {
		t.Helper()
		times := 0
		for len(told) > 0 {
			if <-told == w.Own.ID {
				times++
			}
		}
		if isOther := want != before; isOther != (times == 1) || times > 1 {
			t.Errorf("%s: told %d times", when, times)
		}
		before = want
		for _, path := range []string{"/api/profile", "/api/organizations", "/api/organization/" + w.Own.ID} {
			text := w.Get(path, token).Text
			if i := strings.Index(text, `"name":"Harbor County"`); i < 0 || !strings.Contains(text[i:], `"responders_type":"`+want+`"`) {
				t.Errorf("%s, %s: not %s: %.600s", when, path, want, text)
			}
		}
	}
	register := func(organizationID, name, kind string) string {
		made, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: organizationID, SystemName: name, Type: kind})
		must(t, err)
		return made.ID
	}
	put := func(id string, inService bool, kind string) {
		r := w.Do(send("PUT", "/api/things/"+id, token, map[string]any{"id": id, "in_service": inService, "is_publicly_alerting": true, "thing_type_id": kinds[kind]}))
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
	}
	reads("without assets", "none")
	given := register(w.Managed.ID, "T-1", "fire")
	if r := w.Do(send("PUT", "/api/things/"+given+"/associations", token, map[string]any{"organization_relationships": []any{map[string]any{"organization_uuid": w.Own.ID,
		"relationship_type": "manager"}}})); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	for len(told) > 0 {
		<-told // an organization's relations are told of as well
	}
	reads("with a managed engine", "none")
	truck := register(w.Own.ID, "W-1", "waste")
	reads("with a truck", "none")
	engine := register(w.Own.ID, "E-1", "fire")
	reads("with an engine beside it", "some")
	put(truck, false, "waste")
	reads("with the truck out of service", "all")
	put(truck, true, "ambulance")
	reads("with an ambulance that was a truck", "all")
	put(engine, true, "tow")
	reads("with a tow truck that was an engine", "some")
	if r := w.Do(testkit.Request{Method: "DELETE", Path: "/api/things/" + engine, Token: token}); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	reads("without the tow truck", "all")
}

// The option of the organization decides whether its users are offered the mode.
//
// spec: 1.feat.11
func TestAwarenessModeIsOfferedByTheOrganization(t *testing.T) {
	w := testkit.New(t)
	for name, want := range map[string]bool{"viewer": true, "outsider": false} {
		p := testkit.Decode[wire.One[wire.Profile]](t, w.Get("/api/profile", w.SignIn(name).AccessToken)).Data
		if p.Organization.ShowInfiniteTimeoutOption != want || p.User.HasAwarenessModeAccess != want {
			t.Errorf("%s: option %v, offered %v", name, p.Organization.ShowInfiniteTimeoutOption, p.User.HasAwarenessModeAccess)
		}
	}
}

// An operator's settings stand in place of the defaults, each by itself; the defaults work on a machine without a network.
//
// spec: D.brand.01 D.brand.02
func TestBrandSettings(t *testing.T) {
	w := testkit.New(t)
	read := func() wire.Brand { return testkit.Decode[wire.One[wire.Brand]](t, w.Get("/api/brand", "")).Data }
	fresh := read()
	if fresh.Name != "Safety Cloud" || fresh.SupportEmail != "support@localhost" || fresh.CopyrightOwner != fresh.Name {
		t.Errorf("fresh %+v", fresh)
	}
	for _, link := range []string{fresh.LicenseURL, fresh.TermsURL} {
		if r := w.Get(link, ""); r.Status != 200 || !strings.HasPrefix(link, "/") {
			t.Errorf("%s: %d", link, r.Status)
		}
	}
	set := map[string]string{"name": "County Map", "support_email": "help@county.example", "support_phone": "+1 302 555 0100", "help_url": "https://county.example/help",
		"license_url": "https://county.example/license", "terms_url": "https://county.example/terms", "refer_url": "https://county.example/refer", "copyright_owner": "County"}
	w.App.Configured = map[string]string{}
	for name, value := range set {
		w.App.Configured["brand."+name] = value
	}
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET role_id = 'none' WHERE id = $1`, w.Users["viewer"].ID)
		return err
	}))
	if r := w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password", "application": "dashboard",
		"username": "viewer@demo.example", "password": testkit.Password}}); !strings.Contains(r.Text, "authorized to access County Map Dashboard.") || strings.Contains(r.Text, "{brand}") {
		t.Errorf("a refusal names another product: %d %s", r.Status, r.Text)
	}
	b := read()
	got := []string{b.Name, b.SupportEmail, b.SupportPhone, b.HelpURL, b.LicenseURL, b.TermsURL, b.ReferURL, b.CopyrightOwner}
	want := []string{set["name"], set["support_email"], set["support_phone"], set["help_url"], set["license_url"], set["terms_url"], set["refer_url"], set["copyright_owner"]}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
