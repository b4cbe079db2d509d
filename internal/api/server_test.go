package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// built is a small web app as vite leaves it.
func built() fstest.MapFS {
	script := []byte("export const big = '" + strings.Repeat("x", 4000) + "';")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(script)
	_ = z.Close()
	return fstest.MapFS{
		".keep":                        {},
		"index.html":                   {Data: []byte(`<meta property="csp-nonce" nonce="__CSP_NONCE__" /><div id="root"></div>`)},
		"favicon.svg":                  {Data: []byte("<svg/>")},
		"assets/index-Ab12_-Cd.js":     {Data: script},
		"assets/index-Ab12_-Cd.js.gz":  {Data: packed.Bytes()},
		"assets/index-Ab12_-Cd.js.br":  {Data: []byte("brotli")},
		"assets/plain.js":              {Data: []byte("1")},
		"assets/worker-Ww22Ww22.mjs":   {Data: []byte("2")},
		"assets/inter-Zz99Zz99.woff2":  {Data: []byte("font")},
		"legal/terms/index.html":       {Data: []byte("terms")},
		"assets/style-Qq11Qq11.css":    {Data: []byte("a{}")},
		"assets/style-Qq11Qq11.css.br": {Data: []byte("brotli")},
	}
}

func TestSecurityHeadersEverywhere(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: built()}))
	token := w.SignIn("viewer").AccessToken
	for _, path := range []string{"/", "/dashboard/things", "/welcome/signin", "/favicon.svg", "/assets/index-Ab12_-Cd.js", "/assets/worker-Ww22Ww22.mjs", "/api/version", "/api/profile",
		"/api/nothing", "/api/docs", "/api/docs/pages.css", "/api/openapi.json", "/api/asyncapi.json", "/livez", "/readyz", "/setup", "/api/docs/setup.js", "/map/base/0/0/0.mvt", "/missing.js", "/legal/terms",
		"/legal/terms/index.html"} {
		r := w.Get(path, token)
		h := r.Header
		csp := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("%s: no %s in %q", path, part, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(strings.Split(csp+"worker-src ;", "worker-src")[1], "worker-src blob:") {
			t.Errorf("%s: %q", path, csp)
		}
		isLasting := strings.Contains(h.Get("Cache-Control"), "immutable") // no document: it has no headers that only documents heed
		if isLasting != strings.HasSuffix(path, ".js") && strings.HasPrefix(path, "/assets/") {
			t.Errorf("%s: Cache-Control %q", path, h.Get("Cache-Control"))
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
			if isLasting && (name == "X-Frame-Options" || name == "Cross-Origin-Opener-Policy") {
				want = ""
			}
			if h.Get(name) != want {
				t.Errorf("%s: %s %q", path, name, h.Get(name))
			}
		}
		if isPage := strings.HasPrefix(h.Get("Content-Type"), "text/html"); isPage != (h.Get("Permissions-Policy") != "") {
			t.Errorf("%s: Permissions-Policy %q of %s", path, h.Get("Permissions-Policy"), h.Get("Content-Type"))
		}
		if vary := h.Values("Vary"); len(vary) > 1 {
			t.Errorf("%s: Vary %q", path, vary)
		}
		if (h.Get("X-Request-Id") == "") != isLasting || h.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: request id %q, HSTS without TLS %q", path, h.Get("X-Request-Id"), h.Get("Strict-Transport-Security"))
		}
		if strings.HasPrefix(path, "/api/v") && h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control %q", path, h.Get("Cache-Control"))
		}
	}
}

func TestIndexCarriesANewNonceEachTime(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: built()}))
	nonce := regexp.MustCompile(`nonce="([A-Za-z0-9+/=]{24})"`)
	seen := map[string]bool{}
	for _, path := range []string{"/", "/index.html", "/dashboard/things/019aa5c0-0000-7000-8000-000000000001", "/welcome/reset/a@b.example/token"} {
		r := w.Get(path, "")
		found := nonce.FindStringSubmatch(r.Text)
		if r.Status != 200 || found == nil || r.Header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			t.Fatalf("%s: %d %v %s", path, r.Status, r.Header, r.Text)
		}
		csp := r.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "style-src 'self' 'nonce-"+found[1]+"'") || !strings.Contains(csp, "script-src 'self';") || !strings.Contains(csp, "worker-src 'self';") {
			t.Errorf("%s: %q", path, csp)
		}
		if seen[found[1]] {
			t.Errorf("the nonce %s comes twice", found[1])
		}
		seen[found[1]] = true
	}
}

// The page has the installation's name before any script has run.
//
// spec: D.brand.01
func TestPageIsCalledAsTheInstallationIs(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: fstest.MapFS{"index.html": {Data: []byte("<title>Safety Cloud</title>")}}}))
	if r := w.Get("/dashboard", ""); r.Text != "<title>Safety Cloud</title>" {
		t.Error(r.Text)
	}
	w.App.Configured = map[string]string{"brand.name": "Beacon & Sons"}
	if r := w.Get("/dashboard", ""); r.Text != "<title>Beacon &amp; Sons</title>" {
		t.Error(r.Text)
	}
}

// spec: 9.open.02
func TestWithoutMapProvidersThePolicyIsClosed(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: built()}))
	csp := w.Get("/", "").Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "connect-src 'self';") || strings.Contains(csp, "http") {
		t.Errorf("policy: %q", csp)
	}
	config := testkit.Decode[wire.One[api.MapConfig]](t, w.Get("/api/map/config", w.SignIn("viewer").AccessToken)).Data
	if len(config.Providers) != 0 || config.Words {
		t.Errorf("config: %+v", config)
	}
}

func TestMapProvidersOpenThePolicy(t *testing.T) {
	providers := `[{"id":"usgs","title":"Imagery","map_type":"satellite","kind":"raster","url":"https://tiles.example.org/{z}/{x}/{y}.png","attribution":"USGS","max_zoom":16},
		{"id":"bad","title":"Bad","map_type":"roadmap","kind":"style","url":"https://evil.example;script-src *","attribution":"x"},
		{"id":"plain","title":"Plain","map_type":"roadmap","kind":"style","url":"http://plain.example/style.json","attribution":"x"}]`
	w := testkit.New(t, testkit.WithBuild(func(a *app.App, o *api.Options) {
		a.Configured = map[string]string{"map.providers": providers}
		o.Dist = built()
	}))
	csp := w.Get("/", "").Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "connect-src 'self' https://tiles.example.org;") || strings.Contains(csp, "evil") || strings.Contains(csp, "plain") {
		t.Errorf("policy: %q", csp)
	}
	config := testkit.Decode[wire.One[api.MapConfig]](t, w.Get("/api/map/config", w.SignIn("viewer").AccessToken)).Data
	if len(config.Providers) != 1 || len(config.MapTypes) != 2 || config.MapTypes[1] != "satellite" {
		t.Errorf("config: %+v", config)
	}
}

func TestBuiltAssets(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: built()}))
	get := func(path string, headers map[string]string) testkit.Response {
		return w.Do(testkit.Request{Method: "GET", Path: path, Headers: headers})
	}
	for _, row := range []struct {
		path, accept     string
		status           int
		coding, caching  string
		body, kindPrefix string
	}{
		{"/assets/index-Ab12_-Cd.js", "br, gzip", 200, "br", "public, max-age=31536000, immutable", "brotli", "text/javascript"},
		{"/assets/index-Ab12_-Cd.js", "br;q=0, gzip", 200, "gzip", "public, max-age=31536000, immutable", "", "text/javascript"},
		{"/assets/index-Ab12_-Cd.js", "identity", 200, "", "public, max-age=31536000, immutable", "", "text/javascript"},
		{"/assets/inter-Zz99Zz99.woff2", "gzip", 200, "", "public, max-age=31536000, immutable", "font", "font/woff2"},
		{"/assets/plain.js", "gzip", 200, "", "no-cache", "1", "text/javascript"},
		{"/favicon.svg", "gzip", 200, "", "no-cache", "<svg/>", "image/svg+xml"},
		{"/assets/gone-12345678.js", "gzip", 404, "", "", "", "application/json"},
		{"/assets/", "gzip", 404, "", "", "", "application/json"},
		{"/.keep", "gzip", 404, "", "", "", "application/json"},
		{"/assets/../../../etc/passwd", "gzip", 307, "", "", "", ""},                // cleaned by the mux
		{"/%2e%2e/%2e%2e/etc/passwd", "gzip", 200, "", "no-store", "", "text/html"}, // an address of the app, not a file
		{"/assets/index-Ab12_-Cd.js.gz", "gzip", 404, "", "", "", "application/json"},
	} {
		r := get(row.path, map[string]string{"Accept-Encoding": row.accept})
		if r.Status != row.status {
			t.Errorf("%s: %d %s", row.path, r.Status, r.Text)
			continue
		}
		if r.Header.Get("Content-Encoding") != row.coding || (row.caching != "" && r.Header.Get("Cache-Control") != row.caching) ||
			(row.body != "" && r.Text != row.body) || !strings.HasPrefix(r.Header.Get("Content-Type"), row.kindPrefix) {
			t.Errorf("%s (%s): %v %.40q", row.path, row.accept, r.Header, r.Text)
		}
	}
	etag := get("/assets/index-Ab12_-Cd.js", map[string]string{"Accept-Encoding": "br"}).Header.Get("Etag")
	if r := get("/assets/index-Ab12_-Cd.js", map[string]string{"Accept-Encoding": "br", "If-None-Match": etag}); r.Status != 304 {
		t.Errorf("known file: %d", r.Status)
	}
	// A program that left out /api must not take a page for its answer; a proxy's own sign-in is no program's.
	if r := get("/profile", map[string]string{"Authorization": "bearer x"}); r.Status != 404 || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a token at an address without /api: %d %v", r.Status, r.Header)
	}
	if r := get("/dashboard", map[string]string{"Authorization": "Basic x"}); r.Status != 200 {
		t.Errorf("behind a proxy with its own sign-in: %d", r.Status)
	}
	if r := w.Do(testkit.Request{Method: "POST", Path: "/dashboard", Body: "{}"}); r.Status != 405 {
		t.Errorf("POST to a screen: %d", r.Status)
	}
}

func TestWithoutTheWebAppAPageSaysSo(t *testing.T) {
	w := testkit.New(t)
	r := w.Get("/", "")
	if r.Status != 503 || !strings.Contains(r.Text, "The web app is not built") || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

func TestLegalPages(t *testing.T) {
	w := testkit.New(t)
	brand := testkit.Decode[wire.One[wire.Brand]](t, w.Get("/api/brand", "")).Data
	for _, path := range []string{brand.LicenseURL, brand.TermsURL} {
		if r := w.Get(path, ""); r.Status != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	if r := w.Get("/legal/other", ""); r.Status != 404 {
		t.Errorf("/legal/other: %d", r.Status)
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	w := testkit.New(t)
	plain := w.Get("/api/openapi.json", "").Text
	for _, coding := range []string{"gzip", "zstd"} {
		r := w.Do(testkit.Request{Method: "GET", Path: "/api/openapi.json", Headers: map[string]string{"Accept-Encoding": coding}})
		if r.Header.Get("Content-Encoding") != coding || len(r.Text)*5 > len(plain) {
			t.Errorf("%s: %q, %d bytes", coding, r.Header.Get("Content-Encoding"), len(r.Text))
		}
	}
}

// spec: D.wire.12
func TestIdempotencyKey(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token, other := w.SignIn("administrator").AccessToken, w.SignIn("outsider").AccessToken
		send := func(token, key, body string) testkit.Response {
			return w.Do(testkit.Request{Method: "PUT", Path: "/api/user/mails", Token: token, Body: body, Headers: map[string]string{"Idempotency-Key": key}})
		}
		first := send(token, "k", `{"own_closures": true, "other_closures": false}`)
		again := send(token, "k", `{"own_closures": true, "other_closures": false}`)
		if first.Status != 200 || first.Status != again.Status || first.Text != again.Text || again.Header.Get("Idempotency-Replayed") != "true" || first.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("again: %d %s %v\nfirst: %d %s", again.Status, again.Text, again.Header, first.Status, first.Text)
		}
		wants(t, send(token, "k", `{"own_closures": false, "other_closures": false}`), 422, "idempotency_key_reused", "")
		wants(t, send("", "k", `{"own_closures": true, "other_closures": false}`), 401, "unauthorized", "")
		if r := send(other, "k", `{"own_closures": true, "other_closures": false}`); r.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("somebody else got the answer: %s", r.Text)
		}
		w.Clock.Advance(25 * time.Hour)
		token = w.SignIn("administrator").AccessToken
		if r := send(token, "k", `{"own_closures": true, "other_closures": false}`); r.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("a day later the answer is still kept")
		}
	})
}

// Every kind of write may be sent again; reading is no write, and is answered anew.
func TestEveryWriteMayBeSentAgain(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	do := func(method, path, key string, body any) testkit.Response {
		return w.Do(testkit.Request{Method: method, Path: path, Token: token, Body: body, Headers: map[string]string{"Idempotency-Key": key}})
	}
	asset := map[string]string{"haas_id": "T-1", "thing_type_id": "fire"}
	made := do("POST", "/api/things", "a", asset)
	if made.Status != 201 {
		t.Fatalf("%d %s", made.Status, made.Text)
	}
	id := testkit.Decode[struct{ Data wire.Thing }](t, made).Data.ID
	for _, row := range []struct {
		method, path, key string
		body              any
		status            int
		again             string
	}{
		{"POST", "/api/things", "a", asset, 201, "true"},
		{"GET", "/api/things/" + id, "g", nil, 200, ""},
		{"GET", "/api/things/" + id, "g", nil, 200, ""},
		{"DELETE", "/api/things/" + id, "d", nil, 200, ""},
		{"DELETE", "/api/things/" + id, "d", nil, 200, "true"},
		{"DELETE", "/api/things/" + id, "e", nil, 404, ""},
	} {
		if r := do(row.method, row.path, row.key, row.body); r.Status != row.status || r.Header.Get("Idempotency-Replayed") != row.again {
			t.Errorf("%s %s: %d %q %s", row.method, row.key, r.Status, r.Header.Get("Idempotency-Replayed"), r.Text)
		}
	}
}

func TestHealth(t *testing.T) {
	broken := errors.New("The picture is still loading.")
	var ready error
	w := testkit.New(t, testkit.WithAPI(api.Options{DataDir: t.TempDir(), Ready: func() error { return ready }}))
	for _, path := range []string{"/livez", "/readyz"} {
		if r := w.Get(path, ""); r.Status != 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	ready = broken
	other := testkit.New(t, testkit.WithAPI(api.Options{Ready: func() error { return ready }}))
	wants(t, other.Get("/readyz", ""), 503, "not_ready", broken.Error())
	closed := testkit.New(t)
	must(t, closed.App.Store.Close())
	wants(t, closed.Get("/readyz", ""), 503, "not_ready", "The database can't write a row within 2 seconds.")
	if r := closed.Get("/livez", ""); r.Status != 200 {
		t.Errorf("livez without a database: %d", r.Status)
	}
}

// spec: 7.other.01
func TestVersionAndBrand(t *testing.T) {
	w := testkit.New(t)
	if v := testkit.Decode[api.Version](t, w.Get("/api/version", "")); v.Version != "1.2.3-test" {
		t.Errorf("version %+v", v)
	}
	w.App.Configured = map[string]string{"brand.name": "County Roads"}
	if b := testkit.Decode[wire.One[wire.Brand]](t, w.Get("/api/brand", "")).Data; b.Name != "County Roads" || b.SupportEmail == "" {
		t.Errorf("brand %+v", b)
	}
}

func TestHostNames(t *testing.T) {
	w := testkit.New(t, testkit.WithBuild(func(a *app.App, o *api.Options) {
		a.PublicURL = "https://fleet.example.org"
		o.Hosts = []string{"alias.example.org"}
	}))
	for host, status := range map[string]int{"fleet.example.org": 200, "FLEET.example.org:8443": 200, "alias.example.org": 200, "localhost:8080": 200,
		"127.0.0.1": 200, "[::1]:8080": 200, "evil.example": 421, "fleet.example.org.evil.example": 421} {
		r := w.Do(testkit.Request{Method: "GET", Path: "/api/version", Headers: map[string]string{"Host": host}})
		if r.Status != status {
			t.Errorf("%s: %d", host, r.Status)
		}
	}
}

func TestPanicIsAnswered500AndTheProcessLives(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Ingest: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") })}))
	f := wants(t, w.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Body: "{}"}), 500, "internal", "Unknown failure.")
	if log := w.Log.Text(); !strings.Contains(log, f.RequestID) || !strings.Contains(log, "secret detail") {
		t.Errorf("the log does not explain request %s", f.RequestID)
	}
	if r := w.Get("/api/version", ""); r.Status != 200 {
		t.Errorf("afterwards: %d", r.Status)
	}
}

func TestAdminListener(t *testing.T) {
	metrics := api.NewMetrics()
	w := testkit.New(t, testkit.WithAPI(api.Options{Metrics: metrics}))
	w.Get("/api/profile", "")
	w.Get("/api/version", "")
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if r := w.Get(path, ""); strings.Contains(r.Text, "lightbar_http") || strings.Contains(r.Text, "goroutine") {
			t.Errorf("%s is served on the main listener", path)
		}
	}
	admin := httptest.NewServer(api.Admin(metrics, http.NotFoundHandler()))
	defer admin.Close()
	answer, err := http.Get(admin.URL + "/metrics")
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	for _, line := range []string{`lightbar_http_request_duration_seconds_count{method="GET",route="GET /api/profile",status="401"} 1`,
		`lightbar_http_failures_total{code="unauthorized"} 1`, "go_goroutines"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("no %s in the metrics", line)
		}
	}
}

// The second listener answers to this machine's own names, and shows nothing of the command line.
func TestTheAdminListenerAnswersToLoopbackNames(t *testing.T) {
	admin := httptest.NewServer(api.Admin(api.NewMetrics(), http.NotFoundHandler()))
	defer admin.Close()
	get := func(path, host string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, admin.URL+path, nil)
		must(t, err)
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		must(t, err)
		defer answer.Body.Close()
		return answer.StatusCode
	}
	for host, status := range map[string]int{"localhost": 200, "LOCALHOST:9100": 200, "127.0.0.1:9100": 200, "[::1]:9100": 200,
		"evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example:80": 421, "10.0.0.5": 421} {
		for _, path := range []string{"/metrics", "/debug/pprof/"} {
			if got := get(path, host); got != status {
				t.Errorf("%s%s: %d, want %d", host, path, got, status)
			}
		}
	}
	if got := get("/debug/pprof/cmdline", "localhost"); got != 404 {
		t.Errorf("the command line: %d", got)
	}
}

func TestDocumentAndDocumentation(t *testing.T) {
	w := testkit.New(t, testkit.WithBuild(func(a *app.App, o *api.Options) { o.Ingest = device.New(a, device.Options{}) }))
	r := w.Get("/api/openapi.json", "")
	var document struct {
		OpenAPI string                                `json:"openapi"`
		Paths   map[string]map[string]json.RawMessage `json:"paths"`
	}
	must(t, json.Unmarshal([]byte(r.Text), &document))
	if !strings.HasPrefix(document.OpenAPI, "3.1") {
		t.Errorf("version %s", document.OpenAPI)
	}
	for path, methods := range map[string]int{"/ingest": 1, "/ingest/assets": 1, "/ingest/device_config": 1, "/ingest/osmand": 2, "/ingest/samsara/{id}": 1} {
		if len(document.Paths[path]) != methods {
			t.Errorf("%s has %d methods in the document, want %d", path, len(document.Paths[path]), methods)
		}
	}
	page := w.Get("/api/docs", "").Text
	for path, calls := range document.Paths {
		if !strings.Contains(page, "<code>"+path+"</code>") {
			t.Errorf("%s is not documented", path)
		}
		for method := range calls {
			// What the document names, the router serves.
			if r := w.Do(testkit.Request{Method: strings.ToUpper(method), Path: "/api" + strings.NewReplacer("{id}", someID, "{thingId}", someID).Replace(path)}); r.Status == 404 || r.Status == 405 {
				t.Errorf("%s %s: %d", method, path, r.Status)
			}
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "//cdn") || strings.Contains(page, "style=") {
		t.Error("the documentation needs something the policy forbids")
	}
}

func TestServerHasTimeOuts(t *testing.T) {
	s := api.NewServer(http.NotFoundHandler())
	if s.ReadHeaderTimeout == 0 || s.ReadTimeout == 0 || s.WriteTimeout == 0 || s.IdleTimeout == 0 || s.MaxHeaderBytes > 16<<10 {
		t.Errorf("%+v", s)
	}
}

func TestRefusalsAreCountedNotListed(t *testing.T) {
	w := testkit.New(t)
	for range 30 {
		w.Get("/api/profile", "")
	}
	must(t, w.App.Audit.FlushRefusals(t.Context()))
	must(t, w.App.Audit.FlushRefusals(t.Context()))
	dump := dumpTables(t, w.App.Store)
	if n := strings.Count(dump, "refusal_count ["); n != 1 || !strings.Contains(dump, "127.0.0.0/24 unauthorized 30]") {
		t.Errorf("%d rows of refusals: %s", n, dump)
	}
}

func TestSuperAccessIsAudited(t *testing.T) {
	w := testkit.New(t)
	super, viewer := w.SignIn("super").AccessToken, w.SignIn("viewer").AccessToken
	for range 3 {
		if r := w.Get("/api/organization/things_count?org_ids[]="+w.Foreign.ID, super); r.Status != 200 {
			t.Fatalf("super: %d %s", r.Status, r.Text)
		}
	}
	w.Get("/api/organization/things_count?org_ids[]="+w.Managed.ID, viewer)
	if !hasAudit(t, w, w.Foreign.ID, "look") {
		t.Error("the look into a foreign organization is not audited")
	}
	if hasAudit(t, w, w.Managed.ID, "look") {
		t.Error("ordinary reading is audited as a look")
	}
}

// A worker obeys the policy of its own script: with "nothing may be loaded" the map has no tiles.
func TestWorkerMayFetchTiles(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(api.Options{Dist: built()}))
	h := w.Get("/assets/worker-Ww22Ww22.mjs", "").Header
	if csp := h.Get("Content-Security-Policy"); !strings.Contains(csp, "connect-src 'self'") {
		t.Errorf("the worker may not fetch: %q", csp)
	}
	if got := h.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control %q would keep an old policy", got)
	}
}
