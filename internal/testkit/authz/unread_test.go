package authz_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spoiled are documents that are none of their kind, by table and column: what is no JSON, and JSON that says nothing.
var spoiled = map[string][]map[string]string{
	"area":              {{"geometry": `{"`}, {"geometry": `{"type":"Point"}`}},
	"zone":              {{"features": `{"`}, {"features": `{"type":"FeatureCollection","features":[{"type":"Feature"}]}`}},
	"closure":           {{"user_route": `[{"la`}, {"recurrence": `7`}},
	"hazard":            {{"features": `{"`}, {"features": `{"type":"FeatureCollection","features":[{}]}`}},
	"location":          {{"features": `{"`}, {"features": `{"type":"FeatureCollection","features":[null]}`}},
	"feed_subscription": {{"state": `{"`}, {"types": `7`}},
	"integration":       {{"state": `{"`}, {"lights": `7`}},
	"export":            {{"formats": `{"`}, {"files": `7`}},
	"watchdog":          {{"modes": `{"`}, {"modes": `7`}},
}

// ownersOnly are the tables with one row for each organization, which has no id of its own.
var ownersOnly = map[string]string{"watchdog": "organization_id"}

// spoil makes the rows of a fixture unreadable, after each was edited and thus can be undone.
func (w *walk) spoil(f *fixture, which int) {
	w.t.Helper()
	ids := map[string]string{"area": area(f), "zone": zone(f), "closure": closure(f), "hazard": f.hazard, "location": f.location,
		"feed_subscription": feed(f), "integration": integration(f), "export": f.export, "watchdog": f.organization}
	for i := range resources {
		if resources[i].undone {
			resources[i].edited(w, f)
		}
	}
	quietFrom, quietTo := "22:00", "06:00"
	_, err := w.App.EditWatchdog(w.t.Context(), access.System(), app.WatchdogEdit{OrganizationID: f.organization,
		WatchdogWrite: wire.WatchdogWrite{QuietFrom: &quietFrom, QuietTo: &quietTo}})
	w.must(err)
	for _, role := range []string{"administrator", "super"} {
		for _, in := range []testkit.Request{
			{Method: http.MethodPut, Path: "/api/user/saved_areas", Body: object{"area_ids": []string{area(f)}}},
			{Method: http.MethodPut, Path: "/api/organization/exclusion_zone/" + area(f) + "/cover",
				Body: object{"thing_type_ids": []string{fireType}, "after_minutes": 0}},
		} {
			in.Token = w.token(role)
			if r := w.Do(in); r.Status >= 300 {
				w.t.Fatalf("%s: %d %s", in.Path, r.Status, cut(r.Text))
			}
		}
	}
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		for table, documents := range spoiled {
			for column, text := range documents[which] {
				if _, err := tx.ExecContext(w.t.Context(), "UPDATE "+table+" SET "+column+" = $1 WHERE "+cmp.Or(ownersOnly[table], "id")+" = $2", text, ids[table]); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	found, err := store.FindUnread(w.t.Context(), w.App.Store.Reader())
	w.must(err)
	if len(found) != len(ids) {
		w.t.Fatalf("of %d rows these cannot be read: %v", len(ids), found)
	}
}

// One row of every noun that cannot be read costs itself alone: whoever asks for anything else, reads it or changes it, is
// answered, and a start has all the others.
func TestUnreadableRowsTakeNothingFromOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand requests: without the race detector")
	}
	for which, what := range []string{"no JSON", "JSON that says nothing"} {
		t.Run(what, func(t *testing.T) {
			w := newWalk(t)
			bad := w.lasting["own"]
			good := w.fixture("own")
			w.spoil(bad, which)
			w.lasting["own"] = good
			for _, o := range operations(t, w.World) {
				r := rules[o.id]
				if r.needs == anyone || r.needs == deviceKey {
					continue
				}
				for r := &r; r != nil; r = r.also {
					for _, role := range []string{"administrator", "super"} {
						w.unharmed(o, *r, role, bad)
					}
				}
			}
			w.startsWithout(bad)
		})
	}
}

// unharmed makes a call that is about other rows.
func (w *walk) unharmed(o operation, r rule, role string, bad *fixture) {
	w.t.Helper()
	var fresh *fixture
	answer := w.call(o, r, role, func(position string) *fixture {
		switch {
		case position == "spare":
			return w.lasting[position]
		case r.quiet:
			return w.lasting["own"]
		case fresh == nil:
			fresh = w.fixture("own")
		}
		return fresh
	})
	if answer.Status >= 500 {
		w.t.Errorf("%s %s by %s: %d %s", o.method, o.path, role, answer.Status, cut(answer.Text))
	}
	if o.method != http.MethodGet || strings.HasPrefix(o.path, "/audit") {
		return
	}
	// The picture has the event: it read it before.
	for _, id := range []string{area(bad), zone(bad), closure(bad), bad.hazard, feed(bad), integration(bad), bad.export} {
		if strings.Contains(answer.Text, `"id":"`+id+`"`) {
			w.t.Errorf("%s by %s shows %s, which cannot be read", o.path, role, id)
		}
	}
}

// startsWithout starts a picture on what there is, and asks for all events as one who connects does.
func (w *walk) startsWithout(bad *fixture) {
	w.t.Helper()
	p := live.New(w.App.Store, live.Options{Now: w.Clock.Now, NewID: w.App.NewID, Log: w.App.Log})
	w.must(p.Load(w.t.Context()))
	rows, _, _, err := p.Locations(w.t.Context(), live.LocationQuery{Organizations: []string{bad.organization}})
	w.must(err)
	text, err := json.Marshal(rows)
	if err != nil || len(rows) == 0 || strings.Contains(string(text), bad.location) {
		w.t.Errorf("%d events at a start, %v", len(rows), err)
	}
}
