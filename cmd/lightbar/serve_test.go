package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/backup"
)

// The whole life of a server: first start, operators' verbs while it runs, a
// second server refused, a backup, a clean stop, a restore elsewhere.
func TestLifeOfAServer(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	org := lbOK(t, "organization", "create", "Town of Elsmere", "--data", data) // before the first start
	lbOK(t, "user", "create", "chief@example.org", "--first-name", "Ada", "--last-name", "Cole", "--role", "administrator", "--data", data)

	if code, _, errOut := lb(t, "ready", "--data", data); code != exitFailed || !strings.Contains(errOut, "No server runs on "+data) {
		t.Errorf("ready without a server: exit %d, %s", code, errOut)
	}
	s := start(t, data)
	if code, body := fetch(t, s.info.URL+"/livez"); code != 200 {
		t.Fatalf("livez %d %s", code, body)
	}
	if code, body := fetch(t, s.info.URL+"/readyz"); code != 200 {
		t.Fatalf("readyz %d %s", code, body)
	}
	if out := lbOK(t, "ready", "--data", data); out != "ready" {
		t.Errorf("lightbar ready: %s", out)
	}
	if code, body := fetch(t, s.info.Admin+"/metrics"); code != 200 || !strings.Contains(body, "lightbar_store_failed 0") ||
		!strings.Contains(body, "lightbar_store_points_unmerged 0") || !strings.Contains(body, "lightbar_ingest_waiting 0") {
		t.Fatalf("metrics %d\n%s", code, body)
	}
	if strings.Contains(s.out.String(), "/setup") {
		t.Error("a link for the first administrator although there is one")
	}

	code, _, errOut := lb(t, "serve", "--data", data, "--listen", "localhost:0")
	if code != exitPlace || !strings.Contains(errOut, "This database is in use (a server, process ") || strings.Count(errOut, "\n") != 1 {
		t.Fatalf("a second server: exit %d, %s", code, errOut)
	}

	id := lbOK(t, "asset", "create", "--system-name", "ENGINE-7", "--nickname", "Engine 7", "--type", "fire", "--organization", "town of elsmere", "--data", data)
	if len(id) != 36 || len(org) != 36 {
		t.Fatalf("ids %q %q", id, org)
	}
	code, _, errOut = lb(t, "asset", "create", "--system-name", "engine-7", "--data", data)
	if code != exitFailed || !strings.Contains(errOut, "already in use") {
		t.Fatalf("the same name again: exit %d, %s", code, errOut)
	}
	secret := lbOK(t, "asset", "key", "--system-name", "ENGINE-7", "--data", data)
	if !strings.Contains(secret, "key: lb_key_") {
		t.Fatalf("got %s", secret)
	}
	file := filepath.Join(t.TempDir(), "fleet.csv")
	if err := os.WriteFile(file, []byte("\ufeffsystem_name,nickname,type\nT1,Tow 1,tow\nT1,Tow 2,tow\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errOut = lb(t, "asset", "import", file, "--data", data)
	if code != exitFailed || !strings.Contains(errOut, "line 3") {
		t.Fatalf("a repeated line: exit %d, %s", code, errOut)
	}
	if err := os.WriteFile(file, []byte("system_name,nickname,type\nT1,Tow 1,tow\nT2,Tow 2,tow\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := lbOK(t, "asset", "import", file, "--data", data); out != "2 assets added." {
		t.Fatalf("got %s", out)
	}

	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", s.info.Listen); code == 2 || !strings.Contains(out, "ok       open files") || !strings.Contains(out, "a server runs on this data folder") {
		t.Errorf("doctor beside a server: exit %d\n%s", code, out)
	}

	busy, err := net.Listen("tcp", "127.0.0.1:0") // another program's, while the server runs elsewhere
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", busy.Addr().String()); code != 2 || !strings.Contains(out, "failure  port") {
		t.Errorf("doctor with a port of another program: exit %d\n%s", code, out)
	}

	backups := t.TempDir()
	lbOK(t, "backup", "--data", data, "--to", backups)
	dirs, err := os.ReadDir(backups)
	if err != nil || len(dirs) != 1 {
		t.Fatalf("%v %v", dirs, err)
	}
	copyDir := filepath.Join(backups, dirs[0].Name())
	if out := lbOK(t, "restore", copyDir, "--check"); !strings.HasPrefix(out, "The backup is good") {
		t.Fatalf("got %s", out)
	}

	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, s.err.String())
	}
	for _, gone := range []string{runFile, controlName, "lightbar.db-wal"} {
		if _, err := os.Stat(filepath.Join(data, gone)); err == nil {
			t.Errorf("%s is left after a clean stop", gone)
		}
	}

	elsewhere := filepath.Join(t.TempDir(), "data")
	lbOK(t, "restore", copyDir, "--data", elsewhere)
	if code, _, errOut := lb(t, "restore", copyDir, "--data", elsewhere); code != exitPlace || !strings.Contains(errOut, "already there") {
		t.Fatalf("a restore over a database: exit %d, %s", code, errOut)
	}
	if _, _, errOut := lb(t, "restore", copyDir, "--data", elsewhere, "--aside"); !strings.Contains(errOut, "What was in the way is in "+filepath.Join(elsewhere, "aside-2")) {
		t.Errorf("a restore in place: %s", errOut)
	}
	if string(read(t, filepath.Join(elsewhere, keyFile))) != string(read(t, filepath.Join(data, keyFile))) {
		t.Error("the key was not restored")
	}
	again := start(t, elsewhere)
	if code, _, errOut := lb(t, "asset", "create", "--system-name", "T2", "--data", elsewhere); code != exitFailed || !strings.Contains(errOut, "already in use") {
		t.Fatalf("the restored fleet lacks T2: exit %d, %s", code, errOut)
	}
	if code := again.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, again.err.String())
	}
}

func TestFirstStartPrintsALinkForTheFirstAdministrator(t *testing.T) {
	data := filepath.Join(t.TempDir(), "a folder with spaces and a name that is longer than a socket's address may be", strings.Repeat("x", 60))
	s := start(t, data)
	_, rest, found := strings.Cut(s.out.String(), s.info.URL+"/setup#")
	if !found {
		t.Fatalf("no link in\n%s", s.out.String())
	}
	token, _, _ := strings.Cut(rest, "\n")
	if code, body := fetch(t, s.info.URL+"/setup"); code != 200 || !strings.Contains(body, "<form") {
		t.Fatalf("the link answers %d", code)
	}
	if strings.Contains(s.err.String(), token) {
		t.Error("the link is in the log")
	}
	lbOK(t, "organization", "create", "Long Path Department", "--data", data)
	st, err := os.Stat(data)
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("the data folder has mode %v, %v", st.Mode(), err)
	}
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d", code)
	}
}

// A server that was killed leaves its socket and run file; both the next verb and the next server go on.
func TestLeftoversOfAKilledServerAreHarmless(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data)
	for _, name := range []string{controlName, runFile} {
		if err := os.WriteFile(filepath.Join(data, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lbOK(t, "organization", "create", "Other town", "--data", data)
	if err := os.Remove(filepath.Join(data, runFile)); err != nil {
		t.Fatal(err)
	}
	s := start(t, data)
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d", code)
	}
}

// A body that is half sent does not hold up a stop: it is cut, and its sender told to come again.
func TestHalfABodyDoesNotHoldUpTheStop(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "data"))
	c, err := net.Dial("tcp", s.info.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	go func() { // more comes, slowly: the limit for bodies that stop does not end this one
		_, err := io.WriteString(c, "POST /api/ingest/osmand HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n")
		for tick := time.NewTicker(100 * time.Millisecond); err == nil; <-tick.C {
			_, err = io.WriteString(c, strings.Repeat("x", 100))
		}
	}()
	for end := time.Now().Add(time.Minute); ; { // each look is a request of its own, which is pause enough
		_, metrics := fetch(t, s.info.Admin+"/metrics")
		if strings.Contains(metrics, "lightbar_http_requests_active 1") {
			break
		}
		if time.Now().After(end) {
			t.Fatal(metrics)
		}
	}
	began := time.Now()
	code := s.end(t)
	answer, _ := io.ReadAll(c)
	if code != exitOK || !strings.Contains(string(answer), " 503 ") || !strings.Contains(string(answer), "Retry-After") {
		t.Errorf("exit %d after %v, answered %q\n%s", code, time.Since(began), answer, s.err.String())
	}
}

// The storage fails under a running server: it stops acknowledging and ends with 3.
func TestAReplacedDatabaseEndsTheServer(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	path := filepath.Join(data, "lightbar.db")
	if err := os.Rename(path+"-wal", path+"-wal.moved"); err != nil {
		t.Fatal(err)
	}
	select {
	case code := <-s.code:
		if code != exitPlace || !strings.Contains(s.err.String(), "The storage failed") {
			t.Fatalf("exit %d\n%s", code, s.err.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("the server went on")
	}
}

func TestDoctor(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data)
	code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--json")
	// How fast the disk is says nothing of us: a busy one is a warning.
	if code == 2 || !strings.Contains(out, "a write reaches the disk in ") || !strings.Contains(out, `"check":"database","state":"ok"`) {
		t.Errorf("a good installation: exit %d\n%s", code, out)
	}
	if err := os.Chmod(filepath.Join(data, keyFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = lb(t, "doctor", "--data", data, "--listen", "localhost:0"); code != 2 || !strings.Contains(out, "failure  key") {
		t.Errorf("an open key: exit %d\n%s", code, out)
	}
	if err := os.Truncate(filepath.Join(data, "lightbar.db"), 5000); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = lb(t, "doctor", "--data", data, "--listen", "0.0.0.0:1"); code != 2 || !strings.Contains(out, "failure  database") || !strings.Contains(out, "failure  config") || strings.Contains(out, " port ") {
		t.Errorf("a damaged database: exit %d\n%s", code, out)
	}
	if code, out, _ = lb(t, "doctor", "--data", filepath.Join(t.TempDir(), "none"), "--database", "postgres://u:hush@127.0.0.1:1/x"); code != 2 || strings.Contains(out, "hush") {
		t.Errorf("no database: exit %d\n%s", code, out)
	}
}

// A warning that the operator accepts is shown and does not count; other warnings and failures do.
func TestDoctorAcceptsWarnings(t *testing.T) {
	d := &doctor{accepted: []string{string(noRegion), string(diskLow)}}
	d.say("database", good, "sound")
	d.warn("map", noRegion, "no region")
	if f := d.findings[1]; d.code() != 0 || f.line() != "accepted map           no region [no-region]\n" {
		t.Errorf("accepted: exit %d, %q", d.code(), f.line())
	}
	if d.warn("map", noRoads, "no roads"); d.code() != 1 {
		t.Errorf("another warning of the same check: exit %d", d.code())
	}
	if d.say("disk", wrong, "read-only"); d.code() != 2 {
		t.Errorf("a failure of a check whose warning is accepted: exit %d", d.code())
	}

	data := filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data)
	_, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--json", "--accept", "no-support-email,disk-slow")
	if !strings.Contains(out, `"id":"no-region","accepted":false}`) || !strings.Contains(out, `"id":"no-support-email","accepted":true}`) {
		t.Errorf("as JSON: %s", out)
	}
	_, unread, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--brand-support-email", "support@localhost")
	_, set, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--brand-support-email", "map@example.org")
	if !strings.Contains(unread, "--brand-support-email") || !strings.Contains(set, "people are sent to map@example.org\n") {
		t.Errorf("the address of who helps:\n%s\n%s", unread, set)
	}
	putSetting(t, data, "brand.support_email", "table@example.org")
	_, stored, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0")
	_, both, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0", "--brand-support-email", "map@example.org")
	if !strings.Contains(stored, "people are sent to table@example.org\n") || !strings.Contains(both, "people are sent to map@example.org\n") {
		t.Errorf("the address in the database, as the server reads it:\n%s\n%s", stored, both)
	}
	for _, id := range []string{"map", "database"} {
		code, out, said := lb(t, "doctor", "--data", data, "--accept", "no-region,"+id)
		if code != exitUsage || out != "" || !strings.Contains(said, `--accept: "`+id+`" is the id of no warning`) || !strings.Contains(said, "no-region, no-roads,") {
			t.Errorf("--accept %s: exit %d, %s%s", id, code, out, said)
		}
	}
}

// putSetting writes a setting into the table of a stopped server.
func putSetting(t *testing.T, data, name, value string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(t.Context(), func(tx *store.Tx) error { return tx.PutSetting(t.Context(), name, value) }), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// The guide lists every id that --accept takes, and no other.
func TestTheGuideListsTheWarnings(t *testing.T) {
	_, rest, _ := strings.Cut(string(read(t, "../../docs/operations.md")), "\n### Warnings that stay\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	var listed []warning
	for _, line := range strings.Split(section, "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(cells[1], -1) {
				listed = append(listed, warning(m[1]))
			}
		}
	}
	all := slices.Clone(warnings)
	slices.Sort(all)
	if slices.Sort(listed); !slices.Equal(listed, all) {
		t.Errorf("the guide lists\n%v, the program has\n%v", listed, all)
	}
	for _, m := range regexp.MustCompile(`warning = "([a-z-]+)"`).FindAllSubmatch(read(t, "doctor_warning.go"), -1) {
		if !slices.Contains(warnings, warning(m[1])) {
			t.Errorf("--accept does not take %s", m[1])
		}
	}
}

// A damaged backup is not restored.
func TestDamagedBackupIsRefused(t *testing.T) {
	data, backups := filepath.Join(t.TempDir(), "data"), t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	lbOK(t, "backup", "--data", data, "--to", backups)
	dirs, err := filepath.Glob(filepath.Join(backups, "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	m, err := backup.ReadManifest(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dirs[0], m.File)
	// A letter within a row: the pages stay sound, only the digest can tell.
	b := bytes.Replace(read(t, name), []byte("Town"), []byte("Tawn"), 1)
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{{"--check"}, {"--data", target}} {
		if code, _, errOut := lb(t, append([]string{"restore", dirs[0]}, args...)...); code != exitPlace || !strings.Contains(errOut, "is damaged") {
			t.Errorf("%v: exit %d, %s", args, code, errOut)
		}
	}
	if _, err := os.Stat(filepath.Join(target, "lightbar.db")); err == nil {
		t.Error("a damaged backup was restored")
	}
}

// A verb that meets a server which is just stopping waits for it and then runs by itself.
func TestAVerbWaitsForAServerThatStops(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data)
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.LockServer(t.Context(), serverRole); err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	go func() {
		code, out, errOut := lb(t, "organization", "create", "Other town", "--data", data)
		done <- fmt.Sprint(code, " ", out, errOut)
	}()
	select {
	case out := <-done:
		t.Fatalf("it did not wait: %s", out)
	case <-time.After(300 * time.Millisecond):
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if out := <-done; !strings.HasPrefix(out, "0 ") {
		t.Fatalf("got %s", out)
	}
}
