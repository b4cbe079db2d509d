package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// child is the program in a process of its own, below the words of wrap.
func child(t *testing.T, wrap []string, args ...string) *exec.Cmd {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv := append(append(slices.Clone(wrap), me), args...)
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), childEnv+"=1")
	return cmd
}

// tracer skips loudly where processes cannot be watched.
func tracer(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("strace", "-f", "-y", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, WHAT A START WRITES IS NOT WATCHED: strace cannot run here (%v %s)", err, out)
	}
}

// Whatever a first start makes is on the disk, content and name, before anybody
// is answered: a power cut at any later moment leaves an installation that starts.
func TestAFirstStartIsOnTheDiskBeforeItCounts(t *testing.T) {
	tracer(t)
	for name, args := range map[string][]string{"serve": {"serve"}, "demo": {"demo", "--quiet", "--history", "0"}} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			data, trace := filepath.Join(root, "town", "data"), filepath.Join(root, "trace")
			cmd := child(t, []string{"strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e",
				"trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,fdatasync,accept4"},
				append(args, "--data", data, "--listen", "localhost:0")...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var where running
			for tick := time.NewTicker(10 * time.Millisecond); where.URL == ""; <-tick.C {
				if b, err := os.ReadFile(filepath.Join(data, runFile)); err == nil {
					if err := json.Unmarshal(b, &where); err != nil {
						t.Fatal(err)
					}
				}
			}
			if code, body := fetch(t, where.URL+"/livez"); code != 200 {
				t.Fatalf("%d %s", code, body)
			}
			if err := syscall.Kill(where.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			checkSynced(t, data, string(read(t, trace)))
		})
	}
}

// notKept are files that a start makes anew or does without.
var notKept = []string{"lightbar.db-shm", "lightbar.db.lock", "lightbar.db.ballast", controlName}

var (
	syncCall   = regexp.MustCompile(`(?:fsync|fdatasync)\(\d+<([^>]*)>`)
	moveCall   = regexp.MustCompile(`(?:rename|link)(?:at2?)?\([^"]*"([^"]*)",[^"]*"([^"]*)"`)
	makeCall   = regexp.MustCompile(`(?:open|openat|creat|mkdir|mkdirat)\([^"]*"([^"]*)"`)
	acceptCall = regexp.MustCompile(`accept4(?:\(| resumed).*= \d+<`)
)

// checkSynced reads the calls of a start up to its first visitor.
func checkSynced(t *testing.T, data, trace string) {
	t.Helper()
	content, name := map[string]bool{}, map[string]bool{} // what is on the disk
	for line := range strings.Lines(trace) {
		if acceptCall.MatchString(line) {
			break
		}
		if m := moveCall.FindStringSubmatch(line); m != nil {
			content[m[2]], name[m[2]] = content[m[1]], false
			continue
		}
		if m := makeCall.FindStringSubmatch(line); m != nil {
			if (strings.Contains(line, "O_CREAT") || strings.Contains(line, "mkdir")) && !name[m[1]] {
				content[m[1]], name[m[1]] = strings.Contains(line, "mkdir"), false
			}
			continue
		}
		if m := syncCall.FindStringSubmatch(line); m != nil {
			content[m[1]] = true
			for made := range name {
				name[made] = name[made] || filepath.Dir(made) == m[1]
			}
		}
	}
	made := []string{filepath.Dir(data), data}
	err := filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err == nil && path != data && !slices.Contains(notKept, d.Name()) {
			made = append(made, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(made, filepath.Join(data, keyFile)) || !slices.Contains(made, filepath.Join(data, "lightbar.db")) {
		t.Fatalf("the first start made only %v", made)
	}
	for _, path := range made {
		if !content[path] || !name[path] {
			t.Errorf("%s: content synced %v, name synced %v", path, content[path], name[path])
		}
	}
}
