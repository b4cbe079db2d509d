package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/testkit"
)

func (d *drivers) shown(consumer string, ids ...string) testkit.Response {
	d.t.Helper()
	if ids == nil {
		ids = []string{}
	}
	return d.Do(testkit.Request{Method: "POST", Path: "/feeds/" + d.Own.ID + "/alerts/impressions", Body: map[string]any{"consumer": consumer, "alerts": ids}})
}

// alerted lists the drivers alerted of the organization's incidents.
func (d *drivers) alerted() (out []*int64) {
	d.t.Helper()
	r := d.Get("/api/locations/active", d.token)
	var list struct {
		Data []struct {
			DriversAlerted *int64 `json:"drivers_alerted"`
		}
	}
	must(d.t, json.Unmarshal([]byte(r.Text), &list))
	for _, l := range list.Data {
		out = append(out, l.DriversAlerted)
	}
	return out
}

// scene lets assets alert at a place until that is an incident.
func (d *drivers) scene(names ...string) {
	d.t.Helper()
	for range 70 {
		for _, name := range names {
			d.report(name, 39.74, -75.55, true)
		}
	}
}

// An app tells which alerts it showed: each counts once for a driver, an incident counts each driver once, and what
// nobody told of is not measured.
//
// spec: D.alert.03
func TestDriversAlertedAreCounted(t *testing.T) {
	d := newDrivers(t)
	d.asset("E-2", "police")
	d.token = d.SignIn("administrator").AccessToken
	d.scene("E-1", "E-2")
	if got := d.alerted(); len(got) != 1 || got[0] != nil {
		t.Fatalf("before an app told of any: %v", got)
	}
	f := d.follow("")
	ids := f.ready()
	if len(ids) != 2 {
		t.Fatalf("%v", ids)
	}
	count := func(want int64) {
		t.Helper()
		must(t, d.App.CountDrivers(t.Context()))
		if got := d.alerted(); len(got) != 1 || got[0] == nil || *got[0] != want {
			t.Errorf("%v, want %d", got, want)
		}
	}
	if r := d.shown("nobody"); r.Status != 202 || strings.TrimSpace(r.Text) != `{"data":{"counted":0,"ignored":0}}` {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	count(0)
	if r := d.shown("car 1", ids[0], ids[0], "unknown", strings.Repeat("x", 500)); r.Status != 202 ||
		strings.TrimSpace(r.Text) != `{"data":{"counted":1,"ignored":2}}` {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	count(1)
	d.shown("car 1", ids...)
	d.shown("car 2", ids[1])
	count(2)
	d.shown("car 1", ids...)
	count(2)
	var drivers, began int64
	var source, location string
	must(t, d.App.Store.Reader().QueryRowContext(t.Context(), "SELECT drivers, source_id, location_id, began_at FROM driver_alert WHERE id = $1", ids[1]).
		Scan(&drivers, &source, &location, &began))
	if drivers != 2 || source == "" || location == "" || began == 0 {
		t.Errorf("the alert leads to %d, %s, %s, %d", drivers, source, location, began)
	}
	if text := dumpTables(t, d.App.Store) + d.Log.Text(); strings.Contains(text, "car 1") {
		t.Error("what the app calls its driver is kept")
	}
	rows := func() (n int) {
		t.Helper()
		must(t, d.App.Store.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM driver_impression").Scan(&n))
		return n
	}
	if n := rows(); n != 3 {
		t.Errorf("%d rows", n)
	}
	d.Clock.Advance(48 * time.Hour)
	must(t, d.App.CountDrivers(t.Context()))
	if n := rows(); n != 0 {
		t.Errorf("after 48 hours: %d rows", n)
	}
	var ended int64
	must(t, d.App.Store.Reader().QueryRowContext(t.Context(), "SELECT drivers, ended_at FROM driver_alert WHERE id = $1", ids[1]).Scan(&drivers, &ended))
	if drivers != 2 || ended == 0 {
		t.Errorf("the count stays: %d, ended %d", drivers, ended)
	}
	if r := d.shown("car 3", ids[0]); !strings.Contains(r.Text, `"counted":0,"ignored":1`) {
		t.Errorf("an alert that is long over: %s", r.Text)
	}
}

// What is wrong with an app's word is said by field; too many words are refused.
func TestImpressionsAreChecked(t *testing.T) {
	d := newDrivers(t)
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for name, c := range map[string]struct {
		body  any
		code  int
		field string
	}{
		"no consumer":    {map[string]any{"alerts": []string{}}, 422, "consumer"},
		"no alerts":      {map[string]any{"consumer": "x"}, 422, "alerts"},
		"an empty name":  {map[string]any{"consumer": "", "alerts": []string{}}, 422, "consumer"},
		"a long name":    {map[string]any{"consumer": strings.Repeat("ü", 65), "alerts": []string{}}, 422, "consumer"},
		"64 characters":  {map[string]any{"consumer": strings.Repeat("ü", 64), "alerts": []string{}}, 202, ""},
		"101 alerts":     {map[string]any{"consumer": "x", "alerts": many}, 422, "alerts"},
		"100 alerts":     {map[string]any{"consumer": "x", "alerts": many[1:]}, 202, ""},
		"no JSON":        {"{", 400, ""},
		"another shape":  {`{"consumer": 1, "alerts": "x"}`, 400, ""},
		"too much of it": {`{"consumer": "` + strings.Repeat("x", 20_000) + `", "alerts": []}`, 413, ""},
	} {
		r := d.Do(testkit.Request{Method: "POST", Path: "/feeds/" + d.Own.ID + "/alerts/impressions", Body: c.body,
			Headers: map[string]string{"Origin": "https://maps.example", "Sec-Fetch-Site": "cross-site"}})
		if r.Status != c.code || c.field != "" && !strings.Contains(r.Text, `"`+c.field+`"`) || r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", name, r.Status, r.Text)
		}
	}
	limited := 0
	for range 40 {
		if r := d.shown("the same"); r.Status == 429 && r.Header.Get("Retry-After") != "" {
			limited++
		}
	}
	if limited != 10 {
		t.Errorf("%d of 40 in a minute were refused", limited)
	}
	if r := d.Do(testkit.Request{Method: "OPTIONS", Path: "/feeds/" + d.Own.ID + "/alerts/impressions"}); r.Status != 204 ||
		r.Header.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
}
