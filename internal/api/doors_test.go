package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/cable"
	"lightbar/internal/device"
	"lightbar/internal/testkit"
)

// doors is a world with everything that answers strangers.
func doors(t *testing.T, options api.Options, public string) *testkit.World {
	return testkit.New(t, testkit.WithAPI(options), testkit.WithBuild(func(a *app.App, o *api.Options) {
		a.PublicURL = public
		o.Ingest = device.New(a, device.Options{Network: api.NetworkOf, Failed: api.Failed})
		hub := cable.New(a, &bus.Bus{}, cable.Options{Network: api.NetworkOf, Failed: api.Failed})
		o.Cable = hub
		t.Cleanup(func() { _ = hub.Drain(t.Context()) })
	}))
}

// Whatever door somebody is refused at, it is counted by network and code.
func TestRefusalsOfEveryDoorAreCounted(t *testing.T) {
	w := doors(t, api.Options{}, "")
	outsider := w.SignIn("outsider").AccessToken
	foreign := map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
		"Sec-WebSocket-Protocol": "datapumper, x", "Origin": "https://evil.example"}
	for range 3 {
		w.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Token: "lb_key_x", Body: map[string]any{"items": []any{}}})
		w.Get("/api/ingest/osmand?id=x&lat=1&lon=1", "")
		w.Do(testkit.Request{Method: "GET", Path: "/cable", Headers: foreign})
		w.Get("/api/organization/things?org_ids[]="+w.Own.ID, outsider)
		w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + someID, Token: outsider, Body: map[string]any{"nickname": "x", "in_service": true, "is_publicly_alerting": true}})
	}
	must(t, w.App.Audit.FlushRefusals(t.Context()))
	dump := dumpTables(t, w.App.Store)
	for _, row := range []string{"invalid_key 6]", "origin_refused 3]", "out_of_reach 6]"} {
		if !strings.Contains(dump, row) {
			t.Errorf("%s is not counted", row)
		}
	}
}

// Cookies and HSTS follow the public address, whatever a header says or leaves out.
func TestProtectionFollowsThePublicAddress(t *testing.T) {
	for public, secure := range map[string]bool{"https://fleet.example": true, "http://fleet.example": false} {
		w := doors(t, api.Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, public)
		for _, said := range []string{"", "http", "https"} {
			in := signIn("viewer@demo.example", testkit.Password)
			in.Headers = map[string]string{"X-Forwarded-Proto": said}
			in.Body.(map[string]any)["token_delivery"] = "cookie"
			r := w.Do(in)
			cookies := strings.Join(r.Header.Values("Set-Cookie"), "\n")
			if r.Status != 200 || strings.Contains(cookies, "__Host-lb_refresh") != secure || strings.Contains(cookies, "Secure") != secure ||
				(r.Header.Get("Strict-Transport-Security") != "") != secure {
				t.Errorf("%s, X-Forwarded-Proto %q: %d\n%s\nHSTS %q", public, said, r.Status, cookies, r.Header.Get("Strict-Transport-Security"))
			}
		}
	}
}

// Where a proxy does TLS, nobody else speaks plain HTTP to the port, but for programs on the same machine and probes.
func TestNobodyComesPastTheProxy(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}
	w := doors(t, api.Options{}, "https://fleet.example")
	for _, c := range []struct {
		peer, path string
		options    api.Options
		want       int
	}{
		{"10.0.0.1:5", "/api/version", api.Options{TrustedProxies: trusted}, 200},
		{"10.0.0.9:5", "/api/version", api.Options{TrustedProxies: trusted}, 403},
		{"10.0.0.9:5", "/api/ingest/osmand", api.Options{TrustedProxies: trusted}, 403},
		{"[2001:db8::1]:5", "/api/version", api.Options{TrustedProxies: trusted}, 403},
		{"127.0.0.1:5", "/api/version", api.Options{TrustedProxies: trusted}, 200},
		{"[::1]:5", "/api/version", api.Options{TrustedProxies: trusted}, 200},
		{"10.0.0.9:5", "/livez", api.Options{TrustedProxies: trusted}, 200},
		{"10.0.0.9:5", "/api/version", api.Options{TrustedProxies: trusted, AllowHTTP: true}, 200},
		{"10.0.0.9:5", "/api/version", api.Options{}, 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://fleet.example"+c.path, nil)
		r.RemoteAddr = c.peer
		got := httptest.NewRecorder()
		api.New(w.App, c.options).ServeHTTP(got, r)
		if got.Code != c.want || c.want == 403 && !strings.Contains(got.Body.String(), "proxy_only") {
			t.Errorf("%s from %s: %d %s", c.path, c.peer, got.Code, got.Body)
		}
	}
}

// Whatever others hold: people sign in, single positions come in, and larger
// bodies are told to come again, at every door.
func TestAFullBudgetLetsPeopleIn(t *testing.T) {
	held := &budget.Budget{}
	w := doors(t, api.Options{Budget: held}, "")
	administrator := w.SignIn("administrator").AccessToken
	for i := range 4 {
		h := held.Open("192.0.2." + strconv.Itoa(i))
		h.SetHolder(strconv.Itoa(i))
		must(t, h.Take(16<<20))
	}
	long := strings.Repeat("x", 8<<10)
	for name, in := range map[string]testkit.Request{
		"an ingest":           {Method: "POST", Path: "/api/ingest", Token: w.Key, Body: map[string]any{"items": []any{}, "x": long}},
		"a write":             {Method: "PUT", Path: "/api/organization", Token: administrator, Body: map[string]any{"name": long}},
		"a write with a key":  {Method: "PUT", Path: "/api/organization", Token: administrator, Body: map[string]any{"name": long}, Headers: map[string]string{"Idempotency-Key": "0190a1b2-0000-7000-8000-000000000001"}},
		"a stranger's letter": {Method: "POST", Path: "/api/forgot_password", Body: map[string]any{"email": long}},
	} {
		r := w.Do(in)
		if r.Status != http.StatusServiceUnavailable || !strings.Contains(r.Text, `"error":"busy"`) || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", name, r.Status, r.Text)
		}
	}
	if r := w.Do(signIn("viewer@demo.example", testkit.Password)); r.Status != http.StatusOK {
		t.Errorf("a sign-in: %d %s", r.Status, r.Text)
	}
	if r := w.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Token: w.Key, Body: map[string]any{"items": []any{}}}); r.Status != http.StatusOK {
		t.Errorf("a report: %d %s", r.Status, r.Text)
	}
	if st := held.Stats(); st.Held != 64<<20-4*4<<10 || st.Refused != 4 {
		t.Errorf("%+v", st)
	}
}

// Who has not said who they are sends little, whatever the call would take of others.
func TestStrangersSendLittle(t *testing.T) {
	w := doors(t, api.Options{}, "")
	long := strings.Repeat("x", 20<<10)
	for path, body := range map[string]any{"/api/forgot_password": map[string]any{"email": long}, "/api/user_token": map[string]any{"username": long}} {
		if r := w.Do(testkit.Request{Method: "POST", Path: path, Body: body}); r.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
}
