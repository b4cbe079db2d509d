// Package install_test installs the Debian package as dpkg does, and runs what it installed.
package install_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tree is a system of its own: dpkg's database, users, and the files of packages below one folder.
type tree struct {
	t        *testing.T
	root     string
	uid, gid int
}

// mayChroot reports whether a command can be run in a tree: by root, who may be kept from it in a container.
func mayChroot() bool {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: "/", Credential: &syscall.Credential{Uid: 1, Gid: 1}}
	return cmd.Run() == nil
}

// newTree is an empty one. Others must be able to pass the folders above: the service's user is none of ours.
func newTree(t *testing.T) *tree {
	t.Helper()
	root, err := os.MkdirTemp("/tmp", "lightbar-install")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	must(t, os.Chmod(root, 0o755))
	for _, dir := range []string{"etc", "var/lib/dpkg/info", "var/lib/dpkg/updates", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	must(t, os.Chmod(filepath.Join(root, "tmp"), 0o1777))
	for name, text := range map[string]string{
		"etc/passwd": "root:x:0:0:root:/root:/bin/sh\n", "etc/group": "root:x:0:\n", "etc/shadow": "root:*:1:0:::::\n", "etc/gshadow": "root:*::\n",
		"var/lib/dpkg/status": "",
	} {
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return &tree{t: t, root: root}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *tree) path(name string) string { return filepath.Join(s.root, name) }

// dpkg runs dpkg on the tree. The package's own scripts run with DPKG_ROOT; the tree has no other package to depend on.
func (s *tree) dpkg(args ...string) string {
	s.t.Helper()
	args = append([]string{"--root=" + s.root, "--log=" + s.path("dpkg.log"), "--force-script-chrootless", "--force-depends", "--force-confdef",
		"--force-unsafe-io"}, args...)
	cmd := exec.Command("dpkg", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("dpkg %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// user reads the service's user from the tree.
func (s *tree) user() {
	s.t.Helper()
	for line := range strings.Lines(s.read("etc/passwd")) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if f[0] != "lightbar" {
			continue
		}
		s.uid, _ = strconv.Atoi(f[2])
		s.gid, _ = strconv.Atoi(f[3])
		if s.uid == 0 || s.uid >= 1000 || f[6] != "/usr/sbin/nologin" {
			s.t.Errorf("not a system user without a shell: %s", line)
		}
		return
	}
	s.t.Fatal("the package made no user lightbar")
}

func (s *tree) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(s.path(name))
	must(s.t, err)
	return string(b)
}

// owned checks who a file belongs to and who may open it.
func (s *tree) owned(name string, mode fs.FileMode, uid, gid int) {
	s.t.Helper()
	st, err := os.Lstat(s.path(name))
	if err != nil {
		s.t.Error(err)
		return
	}
	sys := st.Sys().(*syscall.Stat_t)
	if st.Mode().Perm() != mode || int(sys.Uid) != uid || int(sys.Gid) != gid {
		s.t.Errorf("%s: mode %04o of %d:%d, want %04o of %d:%d", name, st.Mode().Perm(), sys.Uid, sys.Gid, mode, uid, gid)
	}
}

// gone checks that a path is not there.
func (s *tree) gone(name string) {
	s.t.Helper()
	if _, err := os.Lstat(s.path(name)); err == nil {
		s.t.Errorf("%s is still there", name)
	}
}

// command is what the installed unit starts.
func (s *tree) command() []string {
	s.t.Helper()
	for line := range strings.Lines(s.read("usr/lib/systemd/system/lightbar.service")) {
		if text, ok := strings.CutPrefix(line, "ExecStart="); ok {
			return strings.Fields(text)
		}
	}
	s.t.Fatal("the unit starts nothing")
	return nil
}

// serve runs the unit's command with the tree as its whole world, as the service's user, until what is done.
func (s *tree) serve(what func(url string)) {
	s.t.Helper()
	free := []string{"LIGHTBAR_LISTEN=127.0.0.1:0"} // the only setting that is the test's: a free port
	s.run(s.command(), free, func(url, _ string) { what(url) })
}

// run runs a command in the tree, as the service's user, until what is done with the address that it serves.
func (s *tree) run(args, env []string, what func(url, listen string)) {
	s.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.Env = &said, &said, "/", env
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: s.root, Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.gid)}}
	must(s.t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s.t.Cleanup(func() { _ = cmd.Process.Kill() })
	var info struct {
		URL    string `json:"url"`
		Listen string `json:"listen"`
	}
	for deadline := time.Now().Add(time.Minute); info.URL == ""; time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(s.path("var/lib/lightbar/server.json")); err == nil {
			_ = json.Unmarshal(b, &info) // half written: the next look reads it
		}
		select {
		case err := <-ended:
			s.t.Fatalf("the service ended: %v\n%s", err, said.String())
		default:
		}
		if time.Now().After(deadline) {
			s.t.Fatal("the service did not start within a minute")
		}
	}
	what(info.URL, info.Listen)
	must(s.t, cmd.Process.Signal(syscall.SIGTERM))
	if err := <-ended; err != nil {
		s.t.Fatalf("the service ended with %v\n%s", err, said.String())
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(url)
	must(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, string(b)
}

// build makes the package of the binary under test.
func build(t *testing.T) (file, binary string) {
	t.Helper()
	binary = os.Getenv("LIGHTBAR_BINARY")
	if binary == "" {
		t.Skip("SKIPPED: set LIGHTBAR_BINARY to a built bin/lightbar (make build): the package was NOT built in this run")
	}
	for _, tool := range []string{"dpkg", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing: the Debian package can't be built or tried on this machine", tool)
		}
	}
	cmd := exec.Command("../../../scripts/package.sh", binary, t.TempDir())
	cmd.Env = append(os.Environ(), "PACKAGE_LEVEL=1") // speed counts here, not size
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("scripts/package.sh: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out)), binary
}

// The package's version is that of its binary.
func sameVersion(t *testing.T, file, binary string) {
	t.Helper()
	out, err := exec.Command("dpkg-deb", "-f", file, "Version").Output()
	must(t, err)
	raw, err := exec.Command(binary, "version", "--json").Output()
	must(t, err)
	var said struct{ Version string }
	must(t, json.Unmarshal(raw, &said))
	if want := strings.TrimPrefix(strings.ReplaceAll(said.Version, "-", "+"), "v"); !strings.Contains(string(out), want) {
		t.Errorf("the package is of version %s, its binary of %s", out, said.Version)
	}
}

// A county installs, serves, changes a setting, installs again, removes, and purges: the settings stay until the purge,
// the data stay in any case, and the next installation goes on with them.
func TestThePackageInstallsServesAndLeavesTheData(t *testing.T) {
	file, binary := build(t)
	sameVersion(t, file, binary)
	if !mayChroot() {
		t.Log("NOT root, or no chroot: the package was built, but neither installed nor served, nor removed")
		return
	}
	s := newTree(t)
	if said := s.dpkg("--install", file); !strings.Contains(said, "systemd does not run here") {
		t.Errorf("the first installation without systemd says no way to start:\n%s", said)
	}
	s.user()
	s.owned("usr/bin/lightbar", 0o755, 0, 0)
	s.owned("etc/lightbar", 0o750, 0, s.gid)
	s.owned("etc/lightbar/lightbar.json", 0o640, 0, s.gid)
	s.owned("var/lib/lightbar", 0o700, s.uid, s.gid)
	if _, err := exec.LookPath("deb-systemd-helper"); err == nil {
		if link, err := os.Readlink(s.path("etc/systemd/system/multi-user.target.wants/lightbar.service")); err != nil {
			t.Errorf("the unit is not enabled: %s %v", link, err)
		}
	}
	ready := func(url string) {
		if status, body := get(t, url+"/readyz"); status != http.StatusOK {
			t.Errorf("/readyz: %d %s", status, body)
		}
		if status, body := get(t, url+"/"); status != http.StatusOK || !strings.Contains(body, "<html") {
			t.Errorf("the web app: %d %.100s", status, body)
		}
	}
	s.serve(ready)
	s.owned("var/lib/lightbar/server.key", 0o600, s.uid, s.gid)
	s.owned("var/lib/lightbar/lightbar.db", 0o600, s.uid, s.gid)
	key := s.read("var/lib/lightbar/server.key")

	changed := strings.Replace(s.read("etc/lightbar/lightbar.json"), `"localhost:8080"`, `"localhost:8080", "brand": {"name": "County Map"}`, 1)
	must(t, os.WriteFile(s.path("etc/lightbar/lightbar.json"), []byte(changed), 0o640))
	s.dpkg("--install", file)
	s.dpkg("--remove", "lightbar")
	s.gone("usr/bin/lightbar")
	s.gone("usr/lib/systemd/system/lightbar.service")
	if s.read("etc/lightbar/lightbar.json") != changed {
		t.Error("the settings did not survive a second installation and the removal")
	}
	s.owned("etc/lightbar/lightbar.json", 0o640, 0, s.gid)

	if said := s.dpkg("--purge", "lightbar"); !strings.Contains(said, "the data stay in /var/lib/lightbar") {
		t.Errorf("the purge does not say that the data stay:\n%s", said)
	}
	s.gone("etc/lightbar/lightbar.json")
	s.gone("etc/systemd/system/multi-user.target.wants/lightbar.service")
	if s.read("var/lib/lightbar/server.key") != key {
		t.Error("the key is another one after the purge")
	}
	s.owned("var/lib/lightbar/lightbar.db", 0o600, s.uid, s.gid)

	before := fmt.Sprint(s.uid, s.gid)
	s.dpkg("--install", file)
	if s.user(); fmt.Sprint(s.uid, s.gid) != before {
		t.Errorf("the user is another one: %d %d, was %s", s.uid, s.gid, before)
	}
	s.serve(ready)
	if s.read("var/lib/lightbar/server.key") != key {
		t.Error("the next installation made a new key")
	}
}
