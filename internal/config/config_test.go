package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

type line struct {
	Config File `name:"config" env:"LIGHTBAR_CONFIG"`
	Common `embed:""`
	Serve  struct {
		Server `embed:""`
	} `cmd:""`
}

func parse(t *testing.T, args ...string) (*line, error) {
	t.Helper()
	var l line
	k, err := kong.New(&l, kong.Exit(func(int) { t.Fatal("exit") }))
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Parse(append([]string{"serve"}, args...))
	return &l, err
}

func configFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lightbar.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const everything = `{
  "data": "/srv/lightbar", "listen": "localhost:9001", "public_url": "https://fleet.example.org/",
  "trusted_proxy": ["10.0.0.0/8", "192.168.0.0/16"], "log_level": "warn", "log_json": true,
  "brand": {"name": "County Map", "support_email": "help@example.org"},
  "map": {"providers": [{"id": "aerial", "title": "Aerial", "kind": "raster", "map_type": "satellite",
    "url": "https://tiles.example.org/{z}/{x}/{y}.jpg", "attribution": "© Example", "max_zoom": 20}]}
}`

// A flag wins over the environment, the environment over the file, the file over the default.
// spec: D.brand.01
func TestWhereAValueComesFrom(t *testing.T) {
	name := configFile(t, everything)
	t.Setenv("LIGHTBAR_BRAND_NAME", "From the environment")
	t.Setenv("LIGHTBAR_LISTEN", "localhost:9002")
	l, err := parse(t, "--config", name, "--listen", "localhost:9003")
	if err != nil {
		t.Fatal(err)
	}
	s := l.Serve.Server
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(s.Listen, s.Brand.Name, s.Brand.SupportEmail, s.PublicURL, s.TrustedProxies, l.Data, l.LogLevel, l.LogJSON, s.AdminListen)
	want := fmt.Sprint("localhost:9003", "From the environment", "help@example.org", "https://fleet.example.org",
		"[10.0.0.0/8 192.168.0.0/16]", "/srv/lightbar", slog.LevelWarn, true, "127.0.0.1:0")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := s.Map.Providers; len(p) != 1 || p[0].ID != "aerial" || p[0].MaxZoom != 20 {
		t.Errorf("providers %+v", p)
	}
	settings := s.Brand.Settings()
	if settings["brand.name"] != "From the environment" || len(settings) != 2 {
		t.Errorf("settings %v", settings)
	}
}

func TestTheFileMayComeFromTheEnvironment(t *testing.T) {
	t.Setenv("LIGHTBAR_CONFIG", configFile(t, `{"listen": "localhost:9001"}`))
	if l, err := parse(t); err != nil || l.Serve.Listen != "localhost:9001" {
		t.Errorf("listen %q, %v", l.Serve.Listen, err)
	}
}

func TestBadFilesAreRefusedByName(t *testing.T) {
	for text, words := range map[string]string{
		`{"listn": "x"}`:            "listn",
		`{"brand": {"color": "x"}}`: "brand_color",
		`not json`:                  "not a JSON object",
		`[]`:                        "not a JSON object",
		`{"map": {"providers": [{"id": "a", "secret": 1}]}}`: "secret",
		`{"log_level": "loud"}`:                              "loud",
		// What Go's decoder would take in silence.
		`null`:                                                          "null",
		`{"listen": null}`:                                              "listen is null",
		`{"map": {"providers": [null]}}`:                                "map.providers[1] is null",
		`{"listen": "a:1"} {"data": "x"}`:                               "something follows",
		`{"listen": "a:1"}}`:                                            "something follows",
		`{"listen": "a:1", "listen": "b"}`:                              "listen is there twice",
		`{"brand": {"name": "a"}, "brand": {}}`:                         "brand is there twice",
		`{"brand": {"name": "a", "name": "b"}}`:                         "brand.name is there twice",
		`{"brand": {"name": "a"}, "brand_name": "b"}`:                   "brand_name is there twice",
		`{"limits": {"session": {"keysPerUser": 2, "keysPerUser": 3}}}`: "limits.session.keysPerUser is there twice",
		`{"map": {"providers": [{"id": "a", "id": "b"}]}}`:              "map.providers[1].id is there twice",
	} {
		if _, err := parse(t, "--config", configFile(t, text)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: got %v, want %q", text, err, words)
		}
	}
}

// The same rules hold for the JSON of a flag or variable.
func TestJSONOfAFlagIsReadToItsEnd(t *testing.T) {
	for _, args := range [][]string{
		{"--limits", `{"session": {"keysPerUser": 2}, "session": {}}`}, {"--limits", `null`},
		{"--map-providers", `[] []`}, {"--map-providers", `null`}, {"--map-providers", `[{"id": "a", "id": "b"}]`},
	} {
		if _, err := parse(t, args...); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
}

func TestPortsThatCannotBeAreRefused(t *testing.T) {
	for _, s := range []Server{
		{Listen: "localhost:99999", AdminListen: "off"}, {Listen: "localhost:-1", AdminListen: "off"}, {Listen: "localhost:nonsense", AdminListen: "off"},
		{Listen: "localhost:0", AdminListen: "127.0.0.1:65536"},
	} {
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), "is not a port") {
			t.Errorf("%s %s: %v", s.Listen, s.AdminListen, err)
		}
	}
	for _, listen := range []string{"localhost:0", "localhost:65535", "localhost:http"} {
		s := Server{Listen: listen, AdminListen: "127.0.0.1:0", PublicURL: "http://localhost"}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"localhost:80": true, "127.0.0.1:80": true, "127.9.9.9:80": true, "[::1]:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "10.0.0.1:80": false, "example.org:80": false, "localhost": false,
	} {
		if Loopback(address) != want {
			t.Errorf("%s: want %v", address, want)
		}
	}
}

func TestServersOffLoopbackNeedAnAddressAndTLS(t *testing.T) {
	ok := func(s Server) bool { s.AdminListen = "off"; return s.Check() == nil }
	if ok(Server{Listen: "0.0.0.0:80"}) || ok(Server{Listen: "0.0.0.0:80", PublicURL: "https://a.example"}) {
		t.Error("plain HTTP for the network was taken")
	}
	if !ok(Server{Listen: "0.0.0.0:80", PublicURL: "https://a.example", TLSCert: "a", TLSKey: "b"}) ||
		!ok(Server{Listen: "0.0.0.0:80", PublicURL: "https://a.example", AllowHTTP: true}) || !ok(Server{Listen: "[::1]:80"}) {
		t.Error("a good setting was refused")
	}
	s := Server{Listen: "localhost:8443", TLSCert: "a", TLSKey: "b", AdminListen: "off"}
	if err := s.Check(); err != nil || s.PublicURL != "https://localhost:8443" {
		t.Errorf("public address %q, %v", s.PublicURL, err)
	}
}

// A password in the address of the database never reaches a log or a screen.
func TestSecretsAreHidden(t *testing.T) {
	for _, at := range []string{"postgres://u:hush@h/db", "postgres://h/db?user=u&password=hush", "postgres://u:hu%ZZsh@h/hush"} {
		d := DatabaseURL(at)
		b, err := json.Marshal(struct{ D DatabaseURL }{d})
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "database", d)
		for _, shown := range []string{fmt.Sprint(d), fmt.Sprintf("%v %s", Common{Database: d}, d), string(b), log.String()} {
			if strings.Contains(shown, "hush") {
				t.Errorf("%s is shown as %s", at, shown)
			}
		}
		if d.Reveal() != at {
			t.Error("the driver does not get the address")
		}
	}
}

func TestUnknownVariablesAreNamed(t *testing.T) {
	t.Setenv("LIGHTBAR_LISTN", "x")
	if names := Unknown(map[string]bool{"LIGHTBAR_LISTEN": true}); len(names) == 0 || names[0] != "LIGHTBAR_LISTN" {
		t.Errorf("got %v", names)
	}
}

// The database's settings and map providers refuse what cannot work, whatever bytes they get.
func FuzzProviders(f *testing.F) {
	f.Add(`[{"id":"a","title":"A","kind":"raster","map_type":"satellite","url":"https://a.example/{z}/{x}/{y}","attribution":"A","max_zoom":19}]`)
	f.Add(`[]`)
	f.Add(`{"id":"a"}`)
	f.Add("[{\"id\":\"a\",\"url\":\"https://a.example/\x00\"}]")
	f.Fuzz(func(t *testing.T, text string) {
		var p Providers
		if err := p.UnmarshalText([]byte(text)); err != nil || p.check() != nil {
			return
		}
		for _, v := range p {
			if v.ID == "" || v.Attribution == "" || !strings.HasPrefix(v.URL, "http") || v.MaxZoom < 0 || v.MaxZoom > 24 {
				t.Errorf("taken: %+v", v)
			}
		}
	})
}

func FuzzFile(f *testing.F) {
	f.Add(everything)
	f.Add(`{"a": {"b": {"c": [1, "x", null, {"d": true}]}}}`)
	f.Add(`{"a": {"b": [1, {"d": true}]}, "a_b": [], "limits": {"c": 1}} x`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Loader(strings.NewReader(text))
		if (r == nil) == (err == nil) {
			t.Errorf("resolver %v, error %v", r, err)
		}
	})
}

// Others are asked for maps and words of a place, if there is a key; errors stay here.
// spec: 9.open.02
func TestWhichServicesOfOthersHaveSettings(t *testing.T) {
	k, err := kong.New(&line{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, command := range k.Model.Leaves(false) {
		for _, group := range command.AllFlags(false) {
			for _, flag := range group {
				names[flag.Name] = true
				for _, word := range []string{"geocod", "error", "crash", "sentry", "bugsnag", "dsn", "telemetry", "analytics"} {
					if strings.Contains(flag.Name, word) {
						t.Errorf("--%s: errors and places are told to nobody", flag.Name)
					}
				}
			}
		}
	}
	if !names["map-providers"] || !names["map-what3words-key"] {
		t.Errorf("%v", names)
	}
}
