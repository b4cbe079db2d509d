package api_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func published(w *testkit.World, description, id string) wire.ClosureWrite {
	of, yes := wire.ID(w.Own.ID), true
	text := func(s string) *string { return &s }
	end := fleet.InstantOf(w.Clock.Now().Add(2 * time.Hour))
	return wire.ClosureWrite{OrganizationID: &of, Description: &description, Direction: text("E"), RoadName: text("I-95"), IsActive: &yes, EndTime: &end,
		UserRoute:       &[]fleet.LatLng{{Lat: 39.7391, Lng: -75.5498}, {Lat: 39.7392, Lng: -75.5398}},
		IsWZDxCompliant: &yes, ExternalID: &id, LocationMethod: text("sign-method"), VehicleImpact: text("flagging")}
}

// A consumer reads a feed by key, hears "not modified" until something changes,
// and never reads of a closure as open after its end.
//
// spec: D.closure.05
func TestFeedsAreReadByKey(t *testing.T) {
	w := testkit.New(t)
	ctx, yes := t.Context(), true
	if _, err := w.App.UpdateOrganization(ctx, access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes}); err != nil {
		t.Fatal(err)
	}
	key := func(organizationID string, scopes ...string) string {
		t.Helper()
		_, secret, err := w.App.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "reader", Scopes: scopes})
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	mine, path := key(w.Own.ID, "feeds"), "/feeds/"+w.Own.ID+"/wzdx-4.2.geojson"
	get := func(path, key, known string) testkit.Response {
		in := testkit.Request{Path: path, Token: key}
		if known != "" {
			in.Headers = map[string]string{"If-None-Match": known}
		}
		return w.Do(in)
	}
	row, _, err := w.App.Closures.Create(ctx, access.System(), published(w, "Paving", "DE-1"))
	if err != nil {
		t.Fatal(err)
	}
	withheld := published(w, "No road name", "DE-2")
	withheld.RoadName = nil
	if row, _, err := w.App.Closures.Create(ctx, access.System(), withheld); err != nil || len(row.PublishProblems) != 1 || row.PublishProblems[0].Rule != "road_name_missing" {
		t.Fatalf("%+v %v", row.PublishProblems, err)
	}
	first := get(path, mine, "")
	if first.Status != 200 || first.Header.Get("Content-Type") != "application/geo+json" || !strings.Contains(first.Text, `"id":"DE-1"`) ||
		strings.Contains(first.Text, "No road name") || !strings.Contains(first.Text, `"is_end_date_verified":false`) {
		t.Fatalf("%d %v %s", first.Status, first.Header, first.Text)
	}
	if byQuery := get(path+"?key="+mine, "", ""); byQuery.Text != first.Text {
		t.Errorf("by ?key=: %d %s", byQuery.Status, byQuery.Text)
	}
	tag := first.Header.Get("ETag")
	if again := get(path, mine, tag); again.Status != 304 || again.Text != "" {
		t.Errorf("again: %d", again.Status)
	}
	if packed := get(path, mine, strings.TrimSuffix(tag, `"`)+`-c-gzip"`); packed.Status != 304 {
		t.Errorf("the tag of a compressed answer: %d", packed.Status)
	}
	describe := "Milling"
	if _, err := w.App.Closures.Edit(ctx, access.System(), row.ID, 0, wire.ClosureWrite{Description: &describe}); err != nil {
		t.Fatal(err)
	}
	if changed := get(path, mine, tag); changed.Status != 200 || !strings.Contains(changed.Text, "Milling") {
		t.Errorf("changed: %d %s", changed.Status, changed.Text)
	}
	w.Clock.Advance(2 * time.Hour)
	if over := get(path, mine, ""); !strings.Contains(over.Text, `"is_end_date_verified":true`) {
		t.Errorf("at its end: %s", over.Text)
	}
	w.Clock.Advance(time.Hour - time.Millisecond)
	if ended := get(path, mine, ""); !strings.Contains(ended.Text, "DE-1") || !strings.Contains(ended.Text, `"is_end_date_verified":true`) {
		t.Errorf("not quite an hour after its end: %s", ended.Text)
	}
	w.Clock.Advance(time.Millisecond)
	if gone := get(path, mine, ""); gone.Status != 200 || strings.Contains(gone.Text, "DE-1") {
		t.Errorf("an hour after its end: %s", gone.Text)
	}
	for what, c := range map[string]struct {
		path, key string
		status    int
	}{
		"no key": {path, "", 401}, "a wrong key": {path, "lb_key_x", 401}, "another scope": {path, key(w.Own.ID, "ingest"), 403},
		"another organization's key":      {path, key(w.Foreign.ID, "feeds"), 404},
		"an organization without feeds":   {"/feeds/" + w.Foreign.ID + "/wzdx-4.2.geojson", key(w.Foreign.ID, "feeds"), 404},
		"no such document":                {"/feeds/" + w.Own.ID + "/wzdx-9.geojson", mine, 404},
		"no such organization":            {"/feeds/nowhere/wzdx-4.2.geojson", mine, 404},
		"the other documents: cwz":        {"/feeds/" + w.Own.ID + "/cwz-1.0.geojson", mine, 200},
		"the other documents: cifs":       {"/feeds/" + w.Own.ID + "/cifs.json", mine, 200},
		"the other documents: cifs, xml":  {"/feeds/" + w.Own.ID + "/cifs.xml", mine, 200},
		"the other documents: plain json": {"/feeds/" + w.Own.ID + "/closures.geojson", mine, 200},
	} {
		if r := get(c.path, c.key, ""); r.Status != c.status {
			t.Errorf("%s: %d %.100s", what, r.Status, r.Text)
		}
	}
}

// Alerts need their own scope, also where everybody may read the other documents.
func TestAlertsAreNotPublicWithTheFeeds(t *testing.T) {
	w := testkit.New(t)
	yes := true
	key := func(organizationID string, scopes ...string) string {
		t.Helper()
		_, secret, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "car", Scopes: scopes})
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	path, foreign := "/feeds/"+w.Own.ID+"/alerts.geojson", "/feeds/"+w.Foreign.ID+"/alerts.geojson"
	mine, both := key(w.Own.ID, "alerts"), key(w.Own.ID, "alerts", "feeds")
	if r := w.Do(testkit.Request{Path: path, Token: mine}); r.Status != 404 {
		t.Errorf("an organization that publishes nothing: %d", r.Status)
	}
	for _, public := range []bool{false, true} {
		if _, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes, FeedsPublic: &public}); err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			path, key string
			status    int
		}{
			"its scope": {path, mine, 200}, "both scopes": {path, both, 200}, "no key": {path, "", 401}, "another scope": {path, key(w.Own.ID, "feeds"), 403},
			"another organization's key": {path, key(w.Foreign.ID, "alerts"), 404}, "no key, an unknown organization": {"/feeds/nowhere/alerts.geojson", "", 401},
			"of another organization": {foreign, mine, 404}, "the other documents": {"/feeds/" + w.Own.ID + "/cifs.json", mine, 403},
		} {
			r := w.Do(testkit.Request{Path: c.path, Token: c.key})
			if r.Status != c.status {
				t.Errorf("%s, feeds public %v: %d %.100s", what, public, r.Status, r.Text)
			}
			if r.Status == 200 && r.Header.Get("Cache-Control") != "private, max-age=0, must-revalidate" {
				t.Errorf("%s: %s", what, r.Header.Get("Cache-Control"))
			}
		}
	}
}
