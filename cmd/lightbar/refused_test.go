package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lightbar/internal/geo"
	"lightbar/internal/store"
	"lightbar/internal/store/backup"
)

// A file that cannot be used is found before a database is made.
func TestRefusedStartMakesNothing(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for _, row := range [][]string{
		{"none cannot be read", "--sso", none},
		{"none cannot be read", "--smtp-url", "smtp://map@127.0.0.1:1", "--smtp-password-file", none},
		{"none cannot be read", "--smtp-url", "smtp://map@127.0.0.1:1", "--smtp-ca", none},
	} {
		data := filepath.Join(t.TempDir(), "data")
		code, out, text := lb(t, append([]string{"serve", "--data", data, "--listen", "localhost:0"}, row[1:]...)...)
		if code != exitPlace || !strings.Contains(text, row[0]) || strings.Count(text, "\n") != 1 || out != "" {
			t.Errorf("%v: exit %d\n%s%s", row, code, out, text)
		}
		if _, err := os.Lstat(data); err == nil {
			t.Errorf("%v: the data folder was made", row)
		}
	}
	data := t.TempDir()
	if err := os.Mkdir(mapDir(data), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(mapDir(data), geo.TilesFile), []byte("no tiles"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, text := lb(t, "serve", "--data", data, "--listen", "localhost:0"); code != exitPlace || !strings.Contains(text, "make it again with lightbar map import") {
		t.Errorf("exit %d\n%s", code, text)
	}
	if left, err := os.ReadDir(data); err != nil || len(left) != 1 {
		t.Errorf("beside the map there is %v %v", left, err)
	}
}

// A command that needs something existing says so of a mistyped folder, and makes nothing there.
func TestCommandsMakeNoInstallation(t *testing.T) {
	for _, command := range []string{"audit verify", "user password a@b.example", "user break-glass a@b.example", "key revoke 1", "key create x",
		"asset key --system-name X", "asset create --system-name X", "organization relate 1 2", "user create a@b.example --first-name A --last-name B"} {
		data := filepath.Join(t.TempDir(), "typo")
		code, out, text := lb(t, append(strings.Fields(command), "--data", data)...)
		if code != exitPlace || !strings.Contains(text, "There is no database at "+filepath.Join(data, "lightbar.db")+"; name") || strings.Count(text, "\n") != 1 || out != "" {
			t.Errorf("%s: exit %d\n%s%s", command, code, out, text)
		}
		if _, err := os.Lstat(data); err == nil {
			t.Errorf("%s: the folder was made", command)
		}
	}
}

// The check of the audit reads alone, and needs the key under which the rows were sealed.
func TestAuditVerifyOnlyReads(t *testing.T) {
	commandsAlone(t)
	data := withChief(t)
	before := digestOf(t, data)
	if out := lbOK(t, "audit", "verify", "--data", data); !strings.Contains(out, "The chain holds.") {
		t.Errorf("got %s", out)
	}
	if digestOf(t, data) != before {
		t.Error("the database was changed")
	}
	key := filepath.Join(data, keyFile)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"audit verify", "user password chief@town.example"} { // nobody makes one in passing
		if code, _, text := lb(t, append(strings.Fields(command), "--data", data)...); code != exitPlace || !strings.Contains(text, "The key "+key+" is missing") {
			t.Errorf("%s: exit %d\n%s", command, code, text)
		}
	}
	if !missing(key) {
		t.Error("a key was made")
	}
}

// A copy without the key is said to be one, at once and when it is restored.
func TestBackupWithoutTheKey(t *testing.T) {
	commandsAlone(t)
	data, to, other := withChief(t), t.TempDir(), filepath.Join(t.TempDir(), "data")
	if err := os.Remove(filepath.Join(data, keyFile)); err != nil {
		t.Fatal(err)
	}
	code, out, text := lb(t, "backup", "--data", data, "--to", to)
	dir, _, _ := strings.Cut(out, "\n")
	if code != exitOK || !strings.Contains(text, dir+" lacks server.key") {
		t.Fatalf("exit %d\n%s%s", code, out, text)
	}
	if code, _, text := lb(t, "restore", dir, "--data", other); code != exitOK || !strings.Contains(text, other+" lacks server.key") {
		t.Errorf("exit %d\n%s", code, text)
	}
}

// olderDatabase takes a database back to schema 3.
func olderDatabase(t *testing.T, data string) {
	t.Helper()
	steps, err := filepath.Glob(filepath.Join("..", "..", "internal", "store", "migrations", "*.sql"))
	if err != nil || len(steps) < 4 {
		t.Fatal(steps, err)
	}
	down := ""
	for _, step := range slices.Backward(steps[3:]) {
		_, text, _ := strings.Cut(string(read(t, step)), "-- +goose Down")
		down += text + "\n"
	}
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), down+"DELETE FROM goose_db_version WHERE version_id > 3")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// What refuses or only reads does not upgrade the schema; what does copies the key beside the database.
func TestUpgradeOnlyWhereItIsMeant(t *testing.T) {
	commandsAlone(t)
	data := withChief(t)
	olderDatabase(t, data)
	copies := func() []string {
		found, err := filepath.Glob(filepath.Join(data, "backups", "before-version-*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	before := digestOf(t, data)
	if code, _, text := lb(t, "serve", "--data", data, "--listen", "localhost:0", "--sso", filepath.Join(data, "none")); code != exitPlace {
		t.Errorf("exit %d\n%s", code, text)
	}
	if code, _, text := lb(t, "demo", "--data", data, "--listen", "localhost:0"); code != exitUsage {
		t.Errorf("exit %d\n%s", code, text)
	}
	if out := lbOK(t, "audit", "verify", "--data", data); !strings.Contains(out, "The chain holds.") {
		t.Errorf("got %s", out)
	}
	if digestOf(t, data) != before || len(copies()) != 0 {
		t.Errorf("the database was upgraded: %v", copies())
	}
	lbOK(t, "user", "break-glass", "chief@town.example", "--data", data)
	made := copies()
	if len(made) != 1 {
		t.Fatalf("copies %v", made)
	}
	back := filepath.Join(t.TempDir(), "data")
	lbOK(t, "restore", made[0], "--data", back)
	if string(read(t, filepath.Join(back, keyFile))) != string(read(t, filepath.Join(data, keyFile))) {
		t.Error("the copy restored another key")
	}
}

// A copy that leaves the key out says so, in its manifest too, and what is
// restored from it starts once the key is there, and with no other.
func TestBackupThatLeavesTheKeyOut(t *testing.T) {
	data, to, other := withChief(t), t.TempDir(), filepath.Join(t.TempDir(), "data")
	code, out, text := lb(t, "backup", "--data", data, "--to", to, "--without-key")
	dir, _, _ := strings.Cut(out, "\n")
	if code != exitOK || !strings.Contains(text, "server.key was left out, as asked") || !missing(filepath.Join(dir, keyFile)) {
		t.Fatalf("exit %d\n%s%s", code, out, text)
	}
	if m, err := backup.ReadManifest(dir); err != nil || len(m.Without) != 1 || m.Without[0] != keyFile {
		t.Errorf("the manifest says %v %v", m.Without, err)
	}
	if code, _, text := lb(t, "restore", "--check", dir); code != exitOK || !strings.Contains(text, "starts once the key lies in its folder") {
		t.Errorf("exit %d\n%s", code, text)
	}
	if code, _, text := lb(t, "restore", dir, "--data", other); code != exitOK || !strings.Contains(text, "It was left out of the backup (--without-key): put it there before the start") {
		t.Errorf("exit %d\n%s", code, text)
	}
	refused(t, other, "has a key, and "+filepath.Join(other, keyFile)+" is missing")
	key := read(t, filepath.Join(data, keyFile))
	if err := os.WriteFile(filepath.Join(other, keyFile), key, 0o600); err != nil {
		t.Fatal(err)
	}
	lbOK(t, "organization", "create", "Second", "--data", other)
	if err := os.WriteFile(filepath.Join(data, keyFile), []byte(strings.Repeat("cd", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, text := lb(t, "backup", "--data", data, "--to", t.TempDir()); code != exitPlace || !strings.Contains(text, "is of another installation") {
		t.Errorf("a copy with another's key: exit %d\n%s", code, text)
	}
}

// What a killed backup left is removed by the next one, and nothing else is:
// neither a good one nor one that is being made.
func TestKilledBackupsAreCleanedUp(t *testing.T) {
	commandsAlone(t)
	data, to := withChief(t), t.TempDir()
	good, _, _ := strings.Cut(lbOK(t, "backup", "--data", data, "--to", to), "\n")
	var held *os.File
	for _, name := range []string{"lightbar-20260101T000000Z.partial", "before-version-9-20260101T000000Z.partial", "lightbar-20260202T000000Z.partial", "mine.partial"} {
		dir := filepath.Join(to, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "lightbar.db.partial"), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "lightbar-20260202") { // somebody is at it
			var err error
			if held, err = os.Open(dir); err != nil {
				t.Fatal(err)
			}
			defer held.Close()
			if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
				t.Fatal(err)
			}
		}
	}
	for good2 := ""; good2 == ""; { // not in the second of the first
		code, out, text := lb(t, "backup", "--data", data, "--to", to)
		if code != exitOK && !strings.Contains(text, "is there already") {
			t.Fatalf("exit %d\n%s", code, text)
		}
		good2, _, _ = strings.Cut(out, "\n")
	}
	left := names(t, to)
	if len(left) != 4 || left[0] != "lightbar-20260202T000000Z.partial" || left[1] != filepath.Base(good) || left[3] != "mine.partial" {
		t.Errorf("left are %v", left)
	}
}
