package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lightbar/internal/store/backup"
	"lightbar/internal/store/pgtest"
)

// killEnv makes a child kill itself (SIGKILL) at a step of a rotation, "commit II" at the second commit.
const killEnv = "LIGHTBAR_TEST_KILL_AT"

// endAtStep arms the child.
func endAtStep() {
	at, commits := os.Getenv(killEnv), -1
	_ = os.Unsetenv(killEnv)
	if at == "" {
		return
	}
	atStep = func(step string) {
		if step == "next key written" {
			commits = 0 // that of the lock does not count
		}
		if step == "commit" && commits >= 0 {
			commits++
			step = "commit " + strings.Repeat("I", commits)
		}
		if step == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the kernel has done it
		}
	}
}

func fingerprint(t *testing.T, data string) string {
	t.Helper()
	return lbOK(t, "server-key", "fingerprint", "--data", data)
}

// holdsAudit checks the whole chain of an installation.
func holdsAudit(t *testing.T, data string, more ...string) {
	t.Helper()
	if out := lbOK(t, append([]string{"audit", "verify", "--data", data}, more...)...); !strings.Contains(out, "The chain holds.") {
		t.Error(out)
	}
}

// A rotation killed at any step leaves an installation that starts with the
// earlier key, or one that says in a sentence to run the command again; that finishes it.
func TestARotationKilledAtAnyStep(t *testing.T) {
	killed(t, func(t *testing.T) []string { return nil })
}

func TestARotationKilledAtAnyStepOnPostgres(t *testing.T) {
	killed(t, func(t *testing.T) []string { return []string{"--database", pgtest.URL(t, "", nil)} })
}

func killed(t *testing.T, database func(t *testing.T) []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED in the short run: each step is a program that is killed and started again")
	}
	for _, row := range []struct {
		at    string
		taken bool // the database belongs to the next key
		done  bool
	}{
		{"next key written", false, false},
		{"commit I", false, false},  // rows of before are sealed
		{"commit II", false, false}, // the rotation itself
		{"committed", true, false},
		{"head written", true, false},
		{"key in place", true, true},
	} {
		t.Run(row.at, func(t *testing.T) {
			data, more := filepath.Join(t.TempDir(), "data"), database(t)
			command := func(words ...string) []string { return append(append(words, "--data", data), more...) }
			lbOK(t, command("organization", "create", "Town")...)
			lbOK(t, command("user", "create", "chief@town.example", "--first-name", "Ada", "--last-name", "Cole")...)
			earlier := fingerprint(t, data)
			cmd := child(t, nil, command("server-key", "rotate")...)
			cmd.Env = append(cmd.Env, killEnv+"="+row.at)
			out, err := cmd.CombinedOutput()
			if exit, ok := err.(*exec.ExitError); !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("it was not killed: %v\n%s", err, out)
			}
			if had := fingerprint(t, data) != earlier; had != row.done || missing(filepath.Join(data, nextKeyFile)) != row.done {
				t.Errorf("another key in place: %v, the files are %v", had, names(t, data))
			}
			switch {
			case row.taken && !row.done:
				words := "was cut off when the database"
				refused(t, data, words, more...)
				for _, words := range []string{"audit verify", "backup"} {
					if code, out, text := lb(t, command(strings.Fields(words)...)...); code != exitPlace || !strings.Contains(text, "run lightbar server-key rotate again, which finishes it.") {
						t.Errorf("%s: exit %d\n%s%s", words, code, out, text)
					}
				}
				if _, out, _ := lb(t, command("doctor", "--listen", "localhost:0")...); !strings.Contains(out, words) {
					t.Errorf("doctor:\n%s", out)
				}
			default:
				lbOK(t, command("organization", "create", "Goes on")...)
				holdsAudit(t, data, more...)
			}
			if out := lbOK(t, command("server-key", "rotate")...); !strings.Contains(out, "is new, with the fingerprint "+fingerprint(t, data)) {
				t.Error(out)
			}
			if fingerprint(t, data) == earlier || !missing(filepath.Join(data, nextKeyFile)) {
				t.Errorf("not finished: %v", names(t, data))
			}
			holdsAudit(t, data, more...)
			s := start(t, data, more...)
			lbOK(t, command("organization", "create", "More")...)
			if s.end(t) != exitOK || strings.Contains(s.err.String(), "ERROR") {
				t.Error(s.err.String())
			}
			holdsAudit(t, data, more...)
		})
	}
}

// A running server refuses the rotation, and nothing changes; a folder without a key or a database is told so.
func TestARotationThatCannotBe(t *testing.T) {
	commandsAlone(t)
	data := withChief(t)
	s := start(t, data)
	before := fingerprint(t, data)
	if code, _, text := lb(t, "server-key", "rotate", "--data", data); code != exitPlace || !strings.Contains(text, "This database is in use (a server") {
		t.Errorf("exit %d\n%s", code, text)
	}
	if fingerprint(t, data) != before || !missing(filepath.Join(data, nextKeyFile)) {
		t.Errorf("the refusal left %v", names(t, data))
	}
	s.end(t)
	key := read(t, filepath.Join(data, keyFile))
	for _, row := range []struct{ key, says string }{
		{strings.Repeat("ab", 32), "is of another installation"},
		{"", "has 0 bytes"},
	} {
		if err := os.WriteFile(filepath.Join(data, keyFile), []byte(row.key), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, text := lb(t, "server-key", "rotate", "--data", data); code != exitPlace || !strings.Contains(text, row.says) || !missing(filepath.Join(data, nextKeyFile)) {
			t.Errorf("exit %d\n%s", code, text)
		}
	}
	if err := os.Remove(filepath.Join(data, keyFile)); err != nil {
		t.Fatal(err)
	}
	if code, _, text := lb(t, "server-key", "rotate", "--data", data); code != exitPlace || !strings.Contains(text, "server.key is missing") {
		t.Errorf("exit %d\n%s", code, text)
	}
	if err := os.WriteFile(filepath.Join(data, keyFile), key, 0o600); err != nil {
		t.Fatal(err)
	}
	lbOK(t, "server-key", "rotate", "--data", data)
	if code, _, text := lb(t, "server-key", "rotate", "--data", t.TempDir()); code != exitPlace || !strings.Contains(text, "There is no database") {
		t.Errorf("exit %d\n%s", code, text)
	}
}

// A backup of before a rotation opens with the key that lies in it. One without says which key it wants.
func TestBackupsOfBeforeARotation(t *testing.T) {
	commandsAlone(t)
	backupsOfBefore(t, func(t *testing.T) []string { return nil })
}

func TestBackupsOfBeforeARotationOnPostgres(t *testing.T) {
	commandsAlone(t)
	backupsOfBefore(t, func(t *testing.T) []string { return []string{"--database", pgtest.URL(t, "", nil)} })
}

func backupsOfBefore(t *testing.T, database func(t *testing.T) []string) {
	t.Helper()
	data, more := filepath.Join(t.TempDir(), "data"), database(t)
	lbOK(t, append([]string{"organization", "create", "Town", "--data", data}, more...)...)
	if s := start(t, data, more...); s.end(t) != exitOK {
		t.Fatal(s.err.String())
	}
	earlier, dirs := fingerprint(t, data), map[string]string{}
	for _, flag := range []string{"", "--without-key"} {
		args := append([]string{"backup", "--data", data, "--to", t.TempDir()}, more...)
		if flag != "" {
			args = append(args, flag)
		}
		dirs[flag], _, _ = strings.Cut(lbOK(t, args...), "\n")
	}
	lbOK(t, append([]string{"server-key", "rotate", "--data", data}, more...)...)
	if fingerprint(t, dirs[""]) != earlier || fingerprint(t, data) == earlier {
		t.Error("the key of the backup is not the earlier one")
	}
	whole, elsewhere := filepath.Join(t.TempDir(), "data"), database(t)
	lbOK(t, append([]string{"restore", dirs[""], "--data", whole}, elsewhere...)...)
	lbOK(t, append([]string{"organization", "create", "Second", "--data", whole}, elsewhere...)...)
	holdsAudit(t, whole, elsewhere...)

	bare, elsewhere := filepath.Join(t.TempDir(), "data"), database(t)
	code, _, text := lb(t, append([]string{"restore", dirs["--without-key"], "--data", bare}, elsewhere...)...)
	if code != exitOK || !strings.Contains(text, "it is the one with the fingerprint "+earlier) {
		t.Errorf("exit %d\n%s", code, text)
	}
	wants := "the one with the fingerprint " + earlier
	refused(t, bare, wants, elsewhere...)
	copyTo(t, filepath.Join(data, keyFile), filepath.Join(bare, keyFile)) // the new one
	refused(t, bare, wants, elsewhere...)
	copyTo(t, filepath.Join(dirs[""], keyFile), filepath.Join(bare, keyFile))
	lbOK(t, append([]string{"organization", "create", "Second", "--data", bare}, elsewhere...)...)
	holdsAudit(t, bare, elsewhere...)
	if _, err := os.Stat(filepath.Join(bare, backup.AuditHeadName)); err != nil {
		t.Error(err)
	}
}
