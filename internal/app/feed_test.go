package app_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
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

// publishing is an organization with feeds, and a closure in them that ends in 8 hours.
func publishing(t testing.TB, k *apptest.Kit) (fleet.Organization, wire.Closure) {
	t.Helper()
	o := k.Organization("Works")
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)}); err != nil {
		t.Fatal(err)
	}
	in := newClosure("Paving")
	in.OrganizationID, in.IsActive, in.EndTime = ref(wire.ID(o.ID)), ref(true), ref(k.At().Add(8*time.Hour))
	in.Direction, in.RoadName, in.IsWZDxCompliant, in.ExternalID = ref("N"), ref("I-95"), ref(true), ref("DE-1")
	in.LocationMethod, in.VehicleImpact = ref("sign-method"), ref("flagging")
	row, _, err := k.Closures.Create(t.Context(), access.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return o, row
}

// consumer is the actor of a new key, of the scope feeds if none is given.
func consumer(t testing.TB, k *apptest.Kit, organizationID, name string, scopes ...string) *access.Actor {
	t.Helper()
	if scopes == nil {
		scopes = []string{"feeds"}
	}
	_, secret, err := k.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: name, Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := k.AuthenticateKey(t.Context(), secret, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	return actor
}

func TestAClosureSaysWhichConsumersKnowIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, row := publishing(t, k)
		waze, dot := consumer(t, k, o.ID, "Waze"), consumer(t, k, o.ID, "State DOT")
		admin, outside := k.User(o.ID, "administrator"), k.User(k.Organization("Other").ID, "administrator")
		outside.Organizations[o.ID] = access.Read
		fetch := func(who *access.Actor, path string) {
			t.Helper()
			if _, err := k.Feed(t.Context(), who, o.ID, path); err != nil {
				t.Fatal(err)
			}
		}
		wants := func(what string, waze, dot fleet.Instant) {
			t.Helper()
			rows, _, err := k.Closures.List(t.Context(), admin, app.Rows{})
			one := second2(k.Closures.Read(t.Context(), admin, row.ID))
			if err != nil || len(rows) != 1 || len(one.Consumers) != 2 {
				t.Fatalf("%s: %v %+v", what, err, rows)
			}
			for _, c := range append(rows[0].Consumers, one.Consumers...) {
				if want := map[string]fleet.Instant{"Waze": waze, "State DOT": dot}[c.Name]; c.KnownAt != want {
					t.Errorf("%s: %s knows it since %v, want %v", what, c.Name, c.KnownAt, want)
				}
			}
		}
		wants("nobody fetched", 0, 0)
		k.Pass(time.Minute)
		first := k.At()
		fetch(waze, "cifs.json")
		wants("at once", first, 0)
		for range 3 {
			k.Pass(time.Minute)
			fetch(waze, "cifs.json")
		}
		fetch(dot, "wzdx-devices-4.2.geojson") // says nothing of closures
		wants("it stays the first time", first, 0)
		must(t, k.FlushFeedLedger(t.Context()))
		fetch(dot, "cwz-1.0.geojson")
		second := k.At()
		k.Open(s, live.Options{})
		wants("a restart loses what was not written", first, 0)
		fetch(dot, "cwz-1.0.geojson")
		wants("read from the store", first, second)

		k.Pass(time.Minute)
		if _, err := k.Closures.Edit(t.Context(), admin, row.ID, 0, wire.ClosureWrite{Description: ref("Milling")}); err != nil {
			t.Fatal(err)
		}
		wants("after a change", 0, 0)
		fetch(waze, "cifs.json")
		third := k.At()
		wants("one knows the change", third, 0)
		if seen := second2(k.Closures.Read(t.Context(), outside, row.ID)); len(seen.Consumers) != 0 {
			t.Errorf("who may only read sees %+v", seen.Consumers)
		}
		k.Pass(8 * time.Hour)
		wants("it has ended, and nobody heard", 0, 0)
		fetch(dot, "cifs.xml")
		wants("the end is known", 0, k.At())
	})
}

func TestFeedsTellWhoReadsThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, _ := publishing(t, k)
		waze := consumer(t, k, o.ID, "Waze")
		consumer(t, k, o.ID, "State DOT")
		k.Key(o.ID, "") // of every scope
		admin, outside := k.User(o.ID, "administrator"), k.User(k.Organization("Other").ID, "administrator")
		outside.Organizations[o.ID] = access.Read
		wants := func(what, status string, at fleet.Instant, today int64) {
			t.Helper()
			must(t, k.FlushFeedLedger(t.Context()))
			got, err := k.Feeds(t.Context(), admin, o.ID)
			if err != nil || len(got.Consumers) != 3 || !got.IsPublishing || got.IsPublic || len(got.Documents) != 11 {
				t.Fatalf("%s: %v %+v", what, err, got)
			}
			for _, c := range got.Consumers {
				if c.Name != "Waze" && c.Status != "never" || c.Name == "Waze" && (c.Status != status || c.LastFetchedAt != at || c.FetchesToday != today) {
					t.Errorf("%s: %+v", what, c)
				}
			}
		}
		wants("before", "never", 0, 0)
		fetch := func() {
			if _, err := k.Feed(t.Context(), waze, o.ID, "cifs.json"); err != nil {
				t.Fatal(err)
			}
		}
		fetch()
		fetch()
		last := k.At()
		wants("now", "reading", last, 2)
		k.Pass(15*time.Minute + time.Millisecond)
		wants("a quarter of an hour later", "silent", last, 2)
		k.Pass(24 * time.Hour)
		fetch()
		wants("the next day", "reading", k.At(), 1)
		last = k.At()
		k.Pass(30 * 24 * time.Hour)
		must(t, k.Purge(t.Context()))
		wants("30 days later", "silent", last, 0)
		k.Pass(24 * time.Hour)
		must(t, k.Purge(t.Context()))
		wants("31 days later", "never", 0, 0)
		for what, actor := range map[string]*access.Actor{"who may only read": outside, "somebody else": k.User(k.Organization("Third").ID, "administrator")} {
			if _, err := k.Feeds(t.Context(), actor, o.ID); codeOf(t, err) != "not_found" {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// A device feed follows the live picture, and its tag covers its bytes.
func TestTheDeviceFeedFollowsThePicture(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, _ := publishing(t, k)
	made, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{
		{OrganizationID: o.ID, SystemName: "board", Type: "arrow_board", DeviceType: "api"}, {OrganizationID: o.ID, SystemName: "engine", Type: "fire", DeviceType: "api"}})
	if err != nil {
		t.Fatal(err)
	}
	waze := consumer(t, k, o.ID, "Waze")
	get := func() app.FeedDocument {
		t.Helper()
		out, err := k.Feed(t.Context(), waze, o.ID, "wzdx-devices-4.2.geojson")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	empty := get()
	for _, name := range []string{"board", "engine"} {
		report(t, k, o.ID, fleet.Report{Asset: name, Kind: fleet.ReportPoint, At: k.At(), Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true, HasAlerting: true, Alerting: true})
	}
	report(t, k, o.ID, fleet.Report{Asset: "board", Kind: fleet.ReportClosure, At: k.At(), HasAlerting: true, Alerting: true, Pattern: "left-arrow-static"})
	first := get()
	if text := string(first.Body); !strings.Contains(text, `"pattern":"left-arrow-static"`) || !strings.Contains(text, made[0].ID) || strings.Contains(text, made[1].ID) {
		t.Error(text)
	}
	if again := get(); again.ETag != first.ETag || &again.Body[0] != &first.Body[0] || first.ETag == empty.ETag {
		t.Error("nothing has changed, and it was made anew")
	}
	k.Pass(10 * time.Minute)
	if silent := get(); silent.ETag == first.ETag || !strings.Contains(string(silent.Body), `"device_status":"warning"`) {
		t.Errorf("after 10 silent minutes %s", silent.Body)
	}
	if _, err := k.UpdateThing(t.Context(), access.System(), made[0].ID, wire.ThingWrite{IsPubliclyAlerting: ref(false)}); err != nil {
		t.Fatal(err)
	}
	if hidden := get(); strings.Contains(string(hidden.Body), made[0].ID) {
		t.Errorf("hidden from drivers, and told: %s", hidden.Body)
	}
}

// Alerts follow the live picture at the instant they are asked for; no job takes out who fell silent.
//
// spec: 1.scope.06
func TestAlertsFollowThePicture(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, _ := publishing(t, k)
	made, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: o.ID, SystemName: "engine", Type: "fire", DeviceType: "api"}})
	if err != nil {
		t.Fatal(err)
	}
	reader := consumer(t, k, o.ID, "Cars", "alerts")
	get := func() string {
		t.Helper()
		out, err := k.Feed(t.Context(), reader, o.ID, "alerts.geojson")
		if err != nil || out.Fresh != 0 {
			t.Fatal(err, out.Fresh)
		}
		return string(out.Body)
	}
	lights := func(on bool) {
		t.Helper()
		report(t, k, o.ID, fleet.Report{Asset: "engine", Kind: fleet.ReportPoint, At: k.At(), Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true,
			HasAlerting: true, Alerting: on})
	}
	wants := func(what string, alerts bool) {
		t.Helper()
		if text := get(); strings.Contains(text, `"thing_type":"fire"`) != alerts {
			t.Errorf("%s: %s", what, text)
		}
	}
	wants("nobody has reported", false)
	lights(true)
	wants("its lights are on", true)
	k.Pass(30*time.Second - time.Millisecond)
	wants("half a minute later", true)
	k.Pass(time.Millisecond)
	wants("silent", false)
	lights(true)
	wants("heard again", true)
	k.Pass(time.Second)
	lights(false)
	wants("its lights are off", false)
	lights(true)
	if _, err := k.UpdateThing(t.Context(), access.System(), made[0].ID, wire.ThingWrite{IsPubliclyAlerting: ref(false)}); err != nil {
		t.Fatal(err)
	}
	wants("hidden from drivers", false)
}

// An alert keeps its id and its since while the lights are on, whatever else the unit does and however its reports come
// in, and over a restart; each time they come on it has another, that nobody can compute from the asset.
//
// spec: 1.scope.06
func TestAnAlertIsNamedByItsLights(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, _ := publishing(t, k)
		made, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: o.ID, SystemName: "tow", Type: "tow", DeviceType: "api"}})
		if err != nil {
			t.Fatal(err)
		}
		reader := consumer(t, k, o.ID, "Cars", "alerts")
		seen, isOnScene := map[string]bool{}, false
		now := func() (id, since string) {
			t.Helper()
			out, err := k.Feed(t.Context(), reader, o.ID, "alerts.geojson")
			var document struct {
				Features []struct {
					ID         string
					Properties struct {
						Since   string
						OnScene bool `json:"on_scene"`
					}
				}
			}
			if err != nil || json.Unmarshal(out.Body, &document) != nil || len(document.Features) != 1 {
				t.Fatalf("%v: %s", err, out.Body)
			}
			seen[document.Features[0].ID], isOnScene = true, document.Features[0].Properties.OnScene
			return document.Features[0].ID, document.Features[0].Properties.Since
		}
		say := func(at fleet.Instant, on bool) {
			t.Helper()
			report(t, k, o.ID, fleet.Report{Asset: "tow", Kind: fleet.ReportPoint, At: at, Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true,
				HasAccuracy: true, AccuracyM: 5, HasAlerting: true, Alerting: on})
		}
		stands := func(d time.Duration, on bool) {
			t.Helper()
			for until := k.At().Add(d); k.At() < until; {
				k.Pass(10 * time.Second)
				say(k.At(), on)
			}
		}
		stands(3*time.Minute, false)
		stands(10*time.Second, true)
		first, since := now()
		if since != k.At().Time().UTC().Format(time.RFC3339) {
			t.Errorf("since %s, it is %s", since, k.At())
		}
		same := func(what string) {
			t.Helper()
			if id, at := now(); id != first || at != since {
				t.Errorf("%s: %s since %s, not %s since %s", what, id, at, first, since)
			}
		}
		stands(4*time.Minute, true) // an incident opens where it stands
		if same("on scene"); !isOnScene {
			t.Fatal("no incident opened")
		}
		say(k.At().Add(-2*time.Minute), true)
		same("a late report")
		k.Open(s, live.Options{})
		same("after a restart")
		stands(20*time.Second, true)
		same("and on")
		stands(10*time.Second, false)
		stands(10*time.Second, true)
		if id, at := now(); id == first || at == since {
			t.Errorf("off and on again: %s since %s", id, at)
		}
		k.Pass(31 * time.Second)
		before := len(seen)
		say(k.At(), true)
		if id, at := now(); len(seen) != before+1 || at != k.At().Time().UTC().Format(time.RFC3339) {
			t.Errorf("after silence: %s since %s", id, at)
		}
		stands(time.Minute, true)
		first, since = now()
		say(k.At().Add(-35*time.Second), false) // late: they went off for a moment
		if _, at := now(); at != k.At().Add(-30*time.Second).Time().UTC().Format(time.RFC3339) {
			t.Errorf("since %s, it is %s", at, k.At())
		}
		for id := range seen {
			if sum := sha256.Sum256([]byte(made[0].ID + " ")); strings.HasPrefix(hex.EncodeToString(sum[:]), id) || strings.Contains(id, made[0].ID) {
				t.Errorf("%s tells which asset it is", id)
			}
		}
	})
}
