package api_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/api"
	"lightbar/internal/bus"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func (d *drivers) key(organizationID string, scopes ...string) string {
	d.t.Helper()
	_, secret, err := d.App.CreateKey(d.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "car", Scopes: scopes})
	must(d.t, err)
	return secret
}

// status opens what is at an address, reads no further than its head, and answers that.
func (d *drivers) status(method, path, key string) (int, http.Header) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.Server.URL+path, http.NoBody)
	must(d.t, err)
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	must(d.t, err)
	_ = answer.Body.Close()
	return answer.StatusCode, answer.Header
}

// Where alerts are not public a key of the organization with the scope alerts is needed, for all that has to do with them.
func TestWhoMayFollowAlerts(t *testing.T) {
	d := newDrivers(t)
	mine, other, foreign := d.key(d.Own.ID, "alerts"), d.key(d.Own.ID, "feeds"), d.key(d.Foreign.ID, "alerts")
	post := func(key string) int {
		return d.Do(testkit.Request{Method: "POST", Path: "/feeds/" + d.Own.ID + "/alerts/impressions", Token: key,
			Body: map[string]any{"consumer": "car " + key, "alerts": []string{}}}).Status
	}
	for _, public := range []bool{true, false} {
		d.set(public)
		for who, c := range map[string]struct {
			key                     string
			whenPublic, whenPrivate int
		}{
			"no key": {"", 200, 401}, "its key": {mine, 200, 200}, "another scope": {other, 403, 403}, "a foreign key": {foreign, 200, 404},
			"nonsense": {"lb_key_x", 401, 401},
		} {
			want := c.whenPrivate
			if public {
				want = c.whenPublic
			}
			if got, h := d.status("GET", d.path, c.key); got != want {
				t.Errorf("%s, public %t: the stream answers %d, want %d", who, public, got, want)
			} else if cors := h.Get("Access-Control-Allow-Origin"); got == 200 && (cors == "*") != public {
				t.Errorf("%s, public %t: CORS %q", who, public, cors)
			}
			for _, document := range []string{"alerts.geojson", "alerts.atom"} {
				if got, _ := d.status("GET", "/feeds/"+d.Own.ID+"/"+document, c.key); got != want {
					t.Errorf("%s, public %t: %s answers %d, want %d", who, public, document, got, want)
				}
			}
			if got := post(c.key); got != want && (want != 200 || got != 202) {
				t.Errorf("%s, public %t: impressions answer %d, want %d", who, public, got, want)
			}
		}
	}
	if got, _ := d.status("GET", "/feeds/"+d.Foreign.ID+"/alerts/stream", ""); got != 401 {
		t.Errorf("an organization without alerts: %d", got)
	}
	if got, _ := d.status("GET", "/feeds/nowhere/alerts/stream", ""); got != 401 {
		t.Errorf("an organization that is not there: %d", got)
	}
}

// Who may not read alerts anymore does not go on with an open stream.
func TestAStreamEndsWithItsPermission(t *testing.T) {
	d := newDrivers(t)
	open, keyed := d.follow(""), d.follow("?key="+d.key(d.Own.ID, "alerts"))
	open.ready()
	keyed.ready()
	d.set(false)
	for e := range open.events {
		t.Errorf("%+v", e)
	}
	d.report("E-1", 39.74, -75.55, true)
	keyed.next("alert")
	yes, no := true, false
	_, err := d.App.UpdateOrganization(t.Context(), access.System(), d.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &no, FeedsPublic: &yes})
	must(t, err)
	for range keyed.events { // whatever comes: it ends
	}
}

// A key that is revoked ends its stream at once, before the clock looks at it.
func TestAStreamEndsWithItsKey(t *testing.T) {
	d := newDrivers(t)
	keyed, open := d.follow("?key="+d.key(d.Own.ID, "alerts")), d.follow("")
	keyed.ready()
	open.ready()
	keys, _, err := d.App.ListKeys(t.Context(), access.System(), []string{d.Own.ID})
	must(t, err)
	for _, k := range keys {
		must(t, d.App.RevokeKey(t.Context(), access.System(), k.ID))
	}
	for e := range keyed.events {
		t.Errorf("%+v", e)
	}
	d.report("E-1", 39.74, -75.55, true)
	open.next("alert")
}

// What is wrong with a query is said by field.
func TestTheQueryOfAlertsIsChecked(t *testing.T) {
	d := newDrivers(t)
	for query, fields := range map[string][]string{
		"lat=1": {"lng", "radius_m"}, "lat=1&lng=2": {"radius_m"}, "radius_m=500": {"lat", "lng"}, "lat=91&lng=181&radius_m=99": {"lat", "lng", "radius_m"},
		"lat=1&lng=2&radius_m=50001": {"radius_m"}, "lat=NaN&lng=2&radius_m=500": {"lat"}, "lat=1&lat=1&lng=2&radius_m=500": {"lat"},
		"lat=&lng=2&radius_m=500": {"lat"}, "heading=360.1": {"heading"}, "heading=-1": {"heading"}, "heading=north": {"heading"}, "heading=Inf": {"heading"},
	} {
		r := d.Get(d.path+"?"+query, "")
		f := wants(t, r, 422, "validation_failed", "")
		if len(f.Fields) != len(fields) {
			t.Errorf("%s: %v", query, f.Fields)
		}
		for _, name := range fields {
			if f.Fields[name] == "" {
				t.Errorf("%s: nothing of %s: %v", query, name, f.Fields)
			}
		}
	}
}

// Neither the log, nor the metrics, nor the database says where a driver is. The numbers have so many digits, and a point within,
// that no time, duration, or ID has them by chance.
func TestNothingSaysWhereADriverIs(t *testing.T) {
	metrics := api.NewMetrics()
	d := newDrivers(t, testkit.WithAPI(api.Options{Metrics: metrics}))
	d.report("E-1", 39.7, -75.5, true)
	f := d.follow("?lat=39.712345&lng=-75.598765&radius_m=4321.9876&heading=123.7531", "Last-Event-ID", "x-1")
	f.until("ready")
	if r := d.Get(d.path+"?lat=39.712345&lng=-75.598765&radius_m=1&heading=123.7531", ""); r.Status != 422 {
		t.Fatal(r.Status)
	}
	f.cancel()
	must(t, d.hub.Drain(context.WithoutCancel(t.Context())))
	families, err := metrics.Registry.Gather()
	must(t, err)
	said := d.Log.Text() + fmt.Sprint(families) + dumpTables(t, d.App.Store)
	if !strings.Contains(said, "alerts/stream") {
		t.Fatal("the log says nothing of the request at all")
	}
	for _, secret := range []string{"39.7123", "75.5987", "4321.9", "123.753", "39712345", "75598765"} {
		if strings.Contains(said, secret) {
			t.Errorf("%s is said", secret)
		}
	}
}

// There is a place for so many followers of an address, an organization, and a server; the rest come again later.
func TestFollowersAreLimited(t *testing.T) {
	for name, code := range map[string]int{"alerts.followersPerAddress": 429, "alerts.followersPerOrganization": 503, "alerts.followers": 503} {
		most := 1.0
		if name == "alerts.followers" {
			most = 10 // as low as an operator may set it
		}
		must(t, catalog.SetLimits(map[string]float64{name: most}))
		d := newDrivers(t)
		var all []*following
		for range int(most) {
			all = append(all, d.follow(""))
		}
		for _, f := range all {
			f.ready()
		}
		got, h := d.status("GET", d.path, "")
		if got != code || h.Get("Retry-After") != "30" {
			t.Errorf("%s: %d, Retry-After %s", name, got, h.Get("Retry-After"))
		}
		if st := d.hub.Stats(); st.Followers != int(most) {
			t.Errorf("%s: %+v", name, st)
		}
		must(t, catalog.SetLimits(map[string]float64{"alerts.followersPerAddress": 200, "alerts.followersPerOrganization": 5000, "alerts.followers": 10000}))
		d.follow("").ready()
	}
}

// At a stop followers are told when to come again, and their streams end.
func TestStreamsEndAtAStop(t *testing.T) {
	d := newDrivers(t)
	f := d.follow("")
	f.ready()
	must(t, d.hub.Drain(t.Context()))
	for e := range f.events {
		t.Errorf("%+v", e)
	}
	if got, h := d.status("GET", d.path, ""); got != 503 || h.Get("Retry-After") == "" {
		t.Errorf("after it: %d %v", got, h)
	}
}

// A stream lasts longer than the time that the server gives to other requests and answers.
func TestAStreamOutlivesTheTimeOutsOfOthers(t *testing.T) {
	messages, err := bus.Open(bus.Options{})
	must(t, err)
	w := testkit.New(t, testkit.WithBus(messages))
	yes := true
	_, err = w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{AlertsPublic: &yes})
	must(t, err)
	hub := alerts.New(w.App, messages, alerts.Options{})
	server := httptest.NewUnstartedServer(nil)
	server.Config = api.NewServer(api.New(w.App, api.Options{Alerts: hub}))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
	server.Start()
	t.Cleanup(func() {
		must(t, hub.Drain(context.WithoutCancel(t.Context())))
		server.Close()
		must(t, messages.Close(context.WithoutCancel(t.Context())))
	})
	f := follow(t, server, "/feeds/"+w.Own.ID+"/alerts/stream")
	f.ready()
	half, err := net.Dial("tcp", server.Listener.Addr().String())
	must(t, err)
	_, err = fmt.Fprintf(half, "POST /feeds/%s/alerts/impressions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{", w.Own.ID)
	must(t, err)
	_, _ = io.Copy(io.Discard, half) // until its time is over, which began after the stream's
	row, _, err := w.App.Closures.Create(t.Context(), access.System(), func() wire.ClosureWrite {
		_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes})
		must(t, err)
		return published(w, "Paving", "DE-1")
	}())
	must(t, err)
	if e := f.next("alert"); row.ID == "" || e.Feature.Properties["category"] != "closure" {
		t.Errorf("%s", e.Data)
	}
}
