package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user of this test, by number alone.
const nobody = 23456

// asRoot runs a command line in a process of its own, as root.
func asRoot(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), childEnv+"=1")
	out, err := c.CombinedOutput()
	return string(out), err
}

// folderOfNobody is a data folder of a service's user, below one that everybody may pass.
func folderOfNobody(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	top, err := os.MkdirTemp("/tmp", "owner") // TMPDIR may lie in a folder that is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	dir := filepath.Join(top, "data")
	for _, err := range []error{os.Chmod(top, 0o755), os.Mkdir(dir, 0o700), os.Chown(dir, nobody, nobody)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Commands that root starts leave a service's folder to the service: nothing in it becomes root's.
func TestCommandsOfRootLeaveTheFolderToItsOwner(t *testing.T) {
	dir := folderOfNobody(t)
	to := filepath.Join(filepath.Dir(dir), "backups")
	for _, args := range [][]string{
		{"organization", "create", "Fire", "--data", dir},
		{"user", "create", "a@fire.example", "--first-name", "Ada", "--last-name", "Cole", "--organization", "Fire", "--role", "administrator", "--data", dir},
		{"asset", "create", "--organization", "Fire", "--system-name", "E-1", "--data", dir},
		{"backup", "--data", dir},
		{"backup", "--data", dir, "--to", to},
	} {
		if out, err := asRoot(t, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	files := 0
	for _, top := range []string{dir, to} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			files++
			if owner := st.Sys().(*syscall.Stat_t).Uid; owner != nobody || st.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: user %d, mode %04o", path, owner, st.Mode().Perm())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 8 {
		t.Errorf("only %d files", files)
	}
}

// What the owner may not reach is refused in words that name them.
func TestCommandsOfRootThatTheOwnerCannotDo(t *testing.T) {
	dir := folderOfNobody(t)
	top := filepath.Dir(dir)
	mine := filepath.Join(top, "mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := asRoot(t, "organization", "create", "Fire", "--data", dir); err != nil {
		t.Fatal(out, err)
	}
	out, err := asRoot(t, "backup", "--data", dir, "--to", mine)
	if err == nil || !strings.Contains(out, "permission denied") || !strings.Contains(out, "user 23456") {
		t.Errorf("a backup folder of root: %v %s", err, out)
	}
	if err := os.Chmod(top, 0o700); err != nil {
		t.Fatal(err)
	}
	out, err = asRoot(t, "backup", "--data", dir)
	if err == nil || !strings.Contains(out, "a folder above it is closed") {
		t.Errorf("a closed folder above: %v %s", err, out)
	}
	if out, err := asRoot(t, "version", "--data", dir); err != nil {
		t.Errorf("version: %v %s", err, out)
	}
}
