package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// instants are the texts that a query or a dated thing may carry, and those that it may not.
var instants = map[string]bool{
	"": true, "2026-11-21T10:00:00Z": true, "2026-11-21T12:00:00+02:00": true, "2026-11-21T10:00:00.250Z": true, "2026-11-20T23:30:00-10:30": true,
	"2026-11-21T10:00:00": false, "2026-11-21 10:00:00Z": false, "2026-11-21": false, "10:00": false, "1795255200": false, "yesterday": false,
	"2026-13-01T10:00:00Z": false, "2026-11-31T10:00:00Z": false, "2026-11-21T10:00:00+2": false, "9999-12-31T23:00:00-10:00": false,
}

// Every instant of a query is a date with its offset or empty; anything else is refused by the name of its field.
//
// spec: 5.general.05
func TestInstantsOfQueriesCarryTheirOffset(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("super").AccessToken
	w.Clock.Advance(time.Minute) // the instants below have been
	type parameter struct{ path, name string }
	found := []parameter{}
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	must(t, json.Unmarshal([]byte(w.Get("/api/openapi.json", "").Text), &document))
	dated := regexp.MustCompile(`^(since|until|from|to|at|start|end)$|_(date|time|timestamp|at)$`)
	for path, operations := range document.Paths {
		for _, p := range operations["get"].Parameters {
			if p.In == "query" && dated.MatchString(p.Name) {
				found = append(found, parameter{strings.TrimPrefix(path, "/api"), p.Name})
			}
		}
	}
	for _, known := range []parameter{{"/organization/things", "last_updated_timestamp"}, {"/organization/things/snapshot", "last_updated_timestamp"},
		{"/locations", "start_date"}, {"/locations", "last_updated_timestamp"}, {"/audit", "since"}, {"/audit", "until"}, {"/audit/export", "since"},
		{"/audit/export", "until"}, {"/audit/refusals", "since"}} {
		if !slices.Contains(found, known) {
			t.Errorf("%+v is not in the document", known)
		}
	}
	of, name, kind := wire.ID(w.Own.ID), "Station 9", wire.ID("01900000-0000-7000-8000-500000000002")
	station, _, err := w.App.Areas.Create(t.Context(), access.System(), wire.AreaWrite{OrganizationID: &of, Name: &name, EZTypeID: &kind,
		PointGeom: &wire.PointGeom{Lat: 39.7, Lon: -75.5}})
	must(t, err)
	asset, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "E-9", Type: "fire"})
	must(t, err)
	// What else must be said, and what may not be empty.
	beside := map[string]url.Values{
		"/things/{thingId}/trips": {"start_time": {"2026-11-21T09:00:00Z"}, "end_time": {"2026-11-21T10:00:30Z"}},
		"/things/coverage":        {"thing_ids[]": {asset.ID}},
		"/things/trips/export":    {"thing_ids[]": {asset.ID}, "start_time": {"2026-11-21T09:00:00Z"}, "end_time": {"2026-11-21T10:00:30Z"}},
	}
	needed := []parameter{{"/organization/changes", "since"}, {"/things/{thingId}/trips", "start_time"}, {"/things/{thingId}/trips", "end_time"},
		{"/things/trips/export", "start_time"}, {"/things/trips/export", "end_time"}}
	for _, p := range found {
		isNeeded, query := slices.Contains(needed, p), maps.Clone(beside[p.path])
		if query == nil {
			query = url.Values{}
		}
		p.path = strings.NewReplacer("{id}", station.ID, "{thingId}", asset.ID, "{orgId}", w.Own.ID).Replace(p.path)
		for text, good := range instants {
			query.Set(p.name, text)
			r := w.Get("/api"+p.path+"?"+query.Encode(), token)
			good := good && (text != "" || !isNeeded)
			if good && r.Status != 200 || !good && (r.Status != 422 || !strings.Contains(r.Text, fmt.Sprintf(`"%s":`, p.name))) {
				t.Errorf("%s?%s=%s: %d %.200s", p.path, p.name, text, r.Status, r.Text)
			}
		}
	}
}

// The offset is not only there, it counts: what began and ended by one clock is found by any other's.
//
// spec: 5.general.05
func TestStartAndEndOfAQueryCountTheirOffset(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	w.Clock.Advance(time.Hour)
	_, err := w.App.RegisterThing(t.Context(), w.Actor("administrator"), app.NewThing{OrganizationID: w.Own.ID, SystemName: "E-1", Type: "fire"})
	must(t, err) // at 11:00 UTC
	for query, want := range map[string]bool{
		"since=2026-11-21T13:00:00%2B02:00": true, "since=2026-11-21T13:00:00.001%2B02:00": false,
		"until=2026-11-21T06:00:00-05:00": false, "until=2026-11-21T06:00:00.001-05:00": true,
		"since=2026-11-21T11:00:00Z&until=2026-11-21T13:00:01%2B02:00": true,
	} {
		r := w.Get("/api/audit?noun=thing&verb=create&"+query, token)
		if r.Status != 200 || strings.Contains(r.Text, `"E-1"`) != want {
			t.Errorf("%s: %d %.300s", query, r.Status, r.Text)
		}
	}
}

// What has an end is dated with its offset, keeps the instant and shows it in UTC.
//
// spec: 5.general.05
func TestInstantsOfDatedThingsCarryTheirOffset(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	for text, good := range instants {
		later := strings.Replace(text, "2026-11-2", "2026-12-2", 1)
		r := w.Do(send("POST", "/api/keys", token, map[string]any{"description": "k", "scope": "ingest", "organization_id": w.Own.ID, "expires_at": later}))
		if good && r.Status >= 300 || !good && (r.Status != 422 || !strings.Contains(r.Text, `"expires_at":`)) {
			t.Errorf("a key until %q: %d %.200s", later, r.Status, r.Text)
		}
		if at, err := time.Parse(time.RFC3339Nano, later); err == nil && good && !strings.Contains(r.Text, `"expires_at":"`+at.UTC().Format("2006-01-02T15:04:05.000Z")) {
			t.Errorf("a key until %q: %s", later, r.Text)
		}
	}
}
