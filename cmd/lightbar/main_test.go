package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// childEnv makes this test binary the program itself, in a process of its own.
const childEnv = "LIGHTBAR_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		_ = os.Unsetenv(childEnv)
		endAtStep()
		main()
	}
	for _, entry := range os.Environ() { // settings of the machine must not reach the tests
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "LIGHTBAR_") {
			_ = os.Unsetenv(name)
		}
	}
	_ = os.Setenv("COLUMNS", "100") // the golden help texts have one width
	goleak.VerifyTestMain(m)
}

// lb runs a command line and returns what it printed.
func lb(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// commandsAlone leaves a test to the full run: it is of commands that run one after another, each of which costs seconds under
// the race detector. The life of a server (TestLifeOfAServer) is watched.
func commandsAlone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED in the short run: commands that run one after another")
	}
}

// lbOK is lb for commands that must succeed.
func lbOK(t *testing.T, args ...string) string {
	t.Helper()
	code, out, err := lb(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit %d\n%s%s", args, code, out, err)
	}
	return strings.TrimSpace(out)
}

// syncBuffer may be read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// serving is a server that runs within the test.
type serving struct {
	data string
	info running
	out  syncBuffer
	err  syncBuffer
	stop context.CancelFunc
	code chan int
}

// start runs serve on a free port and waits until it says where it is.
func start(t *testing.T, data string, more ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &serving{data: data, stop: cancel, code: make(chan int, 1)}
	go func() {
		s.code <- run(ctx, append([]string{"serve", "--data", data, "--listen", "localhost:0"}, more...), &s.out, &s.err)
	}()
	t.Cleanup(cancel)
	deadline := time.After(time.Minute)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case code := <-s.code:
			t.Fatalf("the server ended with %d\n%s%s", code, s.out.String(), s.err.String())
		case <-deadline:
			t.Fatalf("the server did not start\n%s%s", s.out.String(), s.err.String())
		case <-tick.C:
			b, err := os.ReadFile(filepath.Join(data, runFile))
			if err == nil && json.Unmarshal(b, &s.info) == nil && s.info.URL != "" {
				return s
			}
		}
	}
}

// end stops the server as a signal would and returns its exit code.
func (s *serving) end(t *testing.T) int {
	t.Helper()
	s.stop()
	select {
	case code := <-s.code:
		return code
	case <-time.After(25 * time.Second):
		t.Fatal("the server did not stop within 25 s")
		return -1
	}
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// Wrong command lines and settings: exit 2, one line, and nothing is made.
func TestWrongSettingsAreRefused(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	files := 0
	config := func(text string) string {
		files++
		name := filepath.Join(dir, fmt.Sprintf("config%d.json", files)) // the table below makes all of them first
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		words string
		args  []string
	}{
		{"serv", []string{"serv"}},
		{"--nope", []string{"serve", "--nope"}},
		{"--public-url is required", []string{"serve", "--listen", "0.0.0.0:8111"}},
		{"in the clear", []string{"serve", "--listen", "0.0.0.0:8111", "--public-url", "https://a.example"}},
		{"is not HOST:PORT", []string{"serve", "--listen", "nonsense"}},
		{"is not a port", []string{"serve", "--listen", "localhost:99999"}},
		{"is not a port", []string{"demo", "--admin-listen", "localhost:99999"}},
		{"--lives must be above 0", []string{"key", "create", "gateway", "--lives=-5h"}},
		{"listen is there twice", []string{"serve", "--config", config(`{"listen": "localhost:1", "listen": "localhost:2"}`)}},
		{"belong together", []string{"serve", "--tls-cert", "a.pem"}},
		{"is not an address", []string{"serve", "--public-url", "ftp://x"}},
		{"no path", []string{"serve", "--public-url", "https://x.example/path"}},
		{"is not loopback", []string{"serve", "--admin-listen", "0.0.0.0:9000"}},
		{"keys of devices in the clear", []string{"serve", "--mqtt-listen", "0.0.0.0:8883"}},
		{"keys of devices in the clear", []string{"serve", "--mqtt-listen", ":8883", "--allow-http"}},
		{"--mqtt-listen \"8883\" is not HOST:PORT", []string{"serve", "--mqtt-listen", "8883"}},
		{"--mqtt-listen: \"99999\" is not a port", []string{"serve", "--mqtt-listen", "localhost:99999"}},
		{"--mqtt-cert and --mqtt-key belong together", []string{"serve", "--mqtt-listen", "localhost:0", "--mqtt-cert", "a.pem"}},
		{"need --mqtt-listen", []string{"serve", "--mqtt-cert", "a.pem", "--mqtt-key", "b.pem"}},
		{"not an address of PostgreSQL", []string{"serve", "--database", "mysql://x"}},
		{"trusted-proxy", []string{"serve", "--trusted-proxy", "everybody"}},
		{"log-level", []string{"serve", "--log-level", "loud"}},
		{"cannot be read", []string{"serve", "--config", filepath.Join(dir, "none.json")}},
		{"unknown setting: brand_nam", []string{"serve", "--config", config(`{"brand": {"nam": "x"}}`)}},
		{"this machine alone", []string{"demo", "--listen", "0.0.0.0:8111"}},
		{"--rate", []string{"simulate", "--key", "x", "--rate", "0"}},
		{"must begin with mqtt:// or mqtts://", []string{"device", "--asset", "A", "--key", "x", "--protocol", "mqtt", "--server", "http://localhost:1883"}},
		{"needs a port", []string{"device", "--asset", "A", "--key", "x", "--protocol", "mqtt", "--server", "mqtt://localhost"}},
		{"missing flags: --key", []string{"simulate"}},
		{"expected", []string{"map", "import"}},
		{"role", []string{"user", "create", "a@b.example", "--first-name", "a", "--last-name", "b", "--role", "king"}},
		{"--smtp-url is not an address", []string{"serve", "--smtp-url", "http://hush@mail.example.org"}},
		{"no port within", []string{"serve", "--smtp-url", "smtp://mail.example.org:0"}},
		{"need --smtp-url", []string{"serve", "--smtp-password-file", "x"}},
		{"keep one", []string{"serve", "--smtp-url", "smtps://u:hush@mail.example.org", "--smtp-password-file", "x"}},
		{"--mail-from", []string{"serve", "--mail-from", "nobody"}},
		{"password-policy", []string{"serve", "--password-policy", "none"}},
		{"raster url needs", []string{"serve", "--map-providers", `[{"id":"a","title":"A","kind":"raster","map_type":"satellite","url":"https://a.example/","attribution":"A"}]`}},
		{"must begin with https://", []string{"serve", "--map-providers", `[{"id":"a","title":"A","kind":"style","map_type":"roadmap","url":"http://a.example/","attribution":"A"}]`}},
	} {
		code, out, err := lb(t, append(c.args, "--data", data)...)
		if code != exitUsage || !strings.Contains(err, c.words) || strings.Count(err, "\n") != 1 || out != "" {
			t.Errorf("%v: exit %d, want 2 and one line with %q\n%s%s", c.args, code, c.words, out, err)
		}
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("a refused start made the data folder")
	}
}

// What the surroundings do not allow: exit 3, one line, and nothing is touched.
func TestBadSurroundingsAreRefused(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := t.TempDir()
	file := func(name string, b []byte) string {
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "lightbar.db"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	whole := database(t)
	newer := newerDatabase(t)
	key := file("key", whole)
	if err := os.WriteFile(filepath.Join(key, keyFile), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := file("open", whole)
	if err := os.WriteFile(filepath.Join(open, keyFile), []byte(strings.Repeat("ab", 32)), 0o644); err != nil {
		t.Fatal(err)
	}
	overwritten := bytes.Clone(whole)
	copy(overwritten[100:], bytes.Repeat([]byte{0xff}, 60))
	for _, c := range []struct {
		words, data string
		more        []string
	}{
		{"is in use by another program", filepath.Join(dir, "port"), []string{"--listen", busy.Addr().String()}},
		{"--mqtt-listen " + busy.Addr().String() + " is in use", filepath.Join(dir, "mqtt"), []string{"--mqtt-listen", busy.Addr().String()}},
		{"is not an address of this machine", filepath.Join(dir, "port"), []string{"--listen", "192.0.2.1:8111", "--public-url", "http://x.example", "--allow-http"}},
		{"certificate", filepath.Join(dir, "cert"), []string{"--tls-cert", filepath.Join(dir, "no.pem"), "--tls-key", filepath.Join(dir, "no.key")}},
		{"certificate", filepath.Join(dir, "mqttcert"), []string{"--mqtt-listen", "localhost:0", "--mqtt-cert", filepath.Join(dir, "no.pem"), "--mqtt-key", filepath.Join(dir, "no.key")}},
		{"cannot be", "/proc/lightbar", nil},
		{"is empty", file("empty", nil), nil},
		{"is not a SQLite database", file("text", []byte(strings.Repeat("hello ", 100))), nil},
		{"is damaged", file("truncated", whole[:len(whole)/2]), nil},
		{"is damaged", file("overwritten", overwritten), nil},
		{"Database is at version 9012, this binary knows up to", file("newer", newer), nil},
		{"is not 64 hexadecimal digits", key, nil},
		{"can be read by others", open, nil},
		{"cannot be reached", filepath.Join(dir, "pg"), []string{"--database", "postgres://lightbar:hush@127.0.0.1:1/none"}},
	} {
		before := digestOf(t, c.data)
		began := time.Now()
		code, out, err := lb(t, append([]string{"serve", "--data", c.data, "--listen", "localhost:0"}, c.more...)...)
		if code != exitPlace || !strings.Contains(err, c.words) || strings.Count(err, "\n") != 1 || out != "" {
			t.Errorf("%s: exit %d, want 3 and one line with %q\n%s%s", c.data, code, c.words, out, err)
		}
		if strings.Contains(err, "hush") {
			t.Errorf("the password was printed: %s", err)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%s: refused after %v", c.words, d)
		}
		if digestOf(t, c.data) != before {
			t.Errorf("%s: the database was changed", c.words)
		}
	}
	for _, name := range []string{"port", "cert"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("a refused start made %s", name)
		}
	}
}

func digestOf(t *testing.T, data string) [32]byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(data, "lightbar.db"))
	if err != nil && !os.IsNotExist(err) && !strings.Contains(err.Error(), "not a directory") {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}

func database(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, path)
}

func newerDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9012, true)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, path)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVersion(t *testing.T) {
	out := lbOK(t, "version")
	if !strings.HasPrefix(out, "lightbar "+version+" (") {
		t.Errorf("got %s", out)
	}
	var b build
	if err := json.Unmarshal([]byte(lbOK(t, "version", "--json")), &b); err != nil || b.Schema != engine.SchemaVersion() {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestOpenAPIIsADocument(t *testing.T) {
	var doc struct{ OpenAPI string }
	if err := json.Unmarshal([]byte(lbOK(t, "openapi")), &doc); err != nil || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("%+v, %v", doc, err)
	}
}

// The help texts are golden files: whoever changes one sees how it reads.
func TestHelp(t *testing.T) {
	for _, name := range []string{"", "serve", "demo", "map import", "simulate", "device", "organization create", "user create", "key create", "asset create",
		"asset import", "asset key", "feed check", "mail test", "audit verify", "audit head", "server-key rotate", "server-key new", "server-key fingerprint", "backup", "restore", "move", "ready", "doctor"} {
		args := append(strings.Fields(name), "--help")
		code, out, _ := lb(t, args...)
		if code != 0 {
			t.Fatalf("%v: exit %d", args, code)
		}
		file := filepath.Join("testdata", "help", strings.ReplaceAll("lightbar "+name, " ", "_")+".txt")
		file = strings.ReplaceAll(file, "_.txt", ".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := read(t, file); string(want) != out {
			t.Errorf("%s differs (run go test ./cmd/lightbar -update and look at it):\n%s", file, out)
		}
	}
}
