// Package pgtest starts a throw-away PostgreSQL for tests: one cluster for each
// test binary, one database for each test. It needs the programs initdb and
// pg_ctl, in PATH or where Debian keeps them, and no network.
//
// A new database is some 600 files and a checkpoint, ten times the work of a small
// test: the cluster lies in memory, and copies of a template are made, and dropped,
// while the test before runs.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// RequireEnv names the variable that turns a missing PostgreSQL into a failure.
const RequireEnv = "LIGHTBAR_REQUIRE_POSTGRES"

const superuser = "lightbar"

// cluster is the one server of this test binary.
type cluster struct {
	dir   string    // holds the socket
	alive *os.File  // closed by the kernel when this process ends; the keeper then cleans up
	keep  *exec.Cmd // the keeper
}

var (
	started   = sync.OnceValues(start)
	templates sync.Map // name → *template
	number    atomic.Int64
)

// URL gives the address of a new database. prepare fills the template named
// name once for the whole binary (nil = empty); each call copies it. Without
// PostgreSQL the test is skipped, loudly.
func URL(t testing.TB, name string, prepare func(url string) error) string {
	t.Helper()
	c, err := started()
	if err != nil {
		if os.Getenv(RequireEnv) == "1" {
			t.Fatalf("PostgreSQL is required (%s=1) and cannot be started: %v", RequireEnv, err)
		}
		t.Skipf("SKIPPED, NOT TESTED ON POSTGRESQL: %v (set %s=1 to make this a failure)", err, RequireEnv)
	}
	if prepare == nil {
		return c.empty(t)
	}
	made, _ := templates.LoadOrStore(name, &template{cluster: c, name: name, prepare: sync.OnceValue(func() error { return c.template(name, prepare) })})
	db, err := made.(*template).copy()
	if err != nil {
		t.Fatalf("a copy of %s: %v", name, err)
	}
	t.Cleanup(func() { made.(*template).giveBack(db) })
	return c.url(db)
}

// empty makes a database with nothing in it.
func (c *cluster) empty(t testing.TB) string {
	t.Helper()
	db := newName()
	if err := c.exec("CREATE DATABASE " + db + " TEMPLATE template0"); err != nil {
		t.Fatalf("create database: %v", err)
	}
	t.Cleanup(func() {
		if err := c.exec("DROP DATABASE " + db + " WITH (FORCE)"); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return c.url(db)
}

func newName() string { return fmt.Sprintf("test_%d", number.Add(1)) }

// template is a database that others are copies of.
type template struct {
	cluster *cluster
	name    string
	prepare func() error

	mu   sync.Mutex
	next chan ready // the copy for the next test, begun while the one before runs
	done []string   // the copies of tests that ended
}

type ready struct {
	db  string
	err error
}

// copy is a new database; the one for the next test is begun.
func (m *template) copy() (string, error) {
	if err := m.prepare(); err != nil {
		return "", fmt.Errorf("it could not be made: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	got := ready{err: errors.New("none was begun")}
	if m.next != nil {
		got = <-m.next
	}
	if got.err != nil { // the first, or the server was down when it was begun
		got = m.make(nil)
	}
	next, done := make(chan ready, 1), m.done
	m.next, m.done = next, nil
	go func() { next <- m.make(done) }()
	return got.db, got.err
}

// make drops what is done with and makes a copy.
func (m *template) make(done []string) ready {
	sql := make([]string, 0, len(done)+1)
	for _, db := range done {
		sql = append(sql, "DROP DATABASE IF EXISTS "+db+" WITH (FORCE)")
	}
	db := newName()
	err := m.cluster.exec(append(sql, "CREATE DATABASE "+db+" TEMPLATE "+m.name)...)
	return ready{db, err}
}

func (m *template) giveBack(db string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = append(m.done, db)
}

func (c *cluster) template(name string, prepare func(url string) error) error {
	if err := c.exec("CREATE DATABASE " + name + " TEMPLATE template0"); err != nil {
		return err
	}
	return prepare(c.url(name))
}

func (c *cluster) url(db string) string {
	return "postgres:///" + db + "?host=" + url.QueryEscape(c.dir) + "&user=" + superuser
}

func (c *cluster) exec(sql ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, one := range sql {
		if _, err = conn.Exec(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// Restart stops the server the hard way (as a crash would) and starts it again.
func Restart(t testing.TB) {
	t.Helper()
	c, err := started()
	if err != nil {
		t.Skip(err)
	}
	bin, _ := programs()
	if out, err := c.asOwner(filepath.Join(bin, "pg_ctl"), "-D", filepath.Join(c.dir, "data"), "-m", "immediate", "-w",
		"-l", filepath.Join(c.dir, "log"), "restart").CombinedOutput(); err != nil {
		t.Fatalf("restart: %v\n%s", err, out)
	}
}

// Down stops the server the hard way, runs fn and starts it again.
func Down(t testing.TB, fn func()) {
	t.Helper()
	c, err := started()
	if err != nil {
		t.Skip(err)
	}
	bin, _ := programs()
	run := func(args ...string) {
		all := append([]string{"-D", filepath.Join(c.dir, "data"), "-w", "-l", filepath.Join(c.dir, "log")}, args...)
		if out, err := c.asOwner(filepath.Join(bin, "pg_ctl"), all...).CombinedOutput(); err != nil {
			t.Fatalf("pg_ctl %v: %v\n%s", args, err, out)
		}
	}
	run("-m", "immediate", "stop")
	defer run("-o", c.options(), "start")
	fn()
}

func start() (*cluster, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(folder(), "lbpg") // short: the socket's path has a limit of 107 bytes
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir}
	uid, gid, err := owner()
	if err == nil {
		err = os.Chown(dir, uid, gid)
	}
	if err == nil {
		err = c.run(bin)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return c, nil
}

func (c *cluster) run(bin string) error {
	data, logFile := filepath.Join(c.dir, "data"), filepath.Join(c.dir, "log")
	steps := [][]string{
		{filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", superuser, "-E", "UTF8", "--locale=C", "--no-sync"},
		{filepath.Join(bin, "pg_ctl"), "-D", data, "-w", "-t", "60", "-l", logFile, "-o", c.options(), "start"},
	}
	for _, step := range steps {
		cmd := c.asOwner(step[0], step[1:]...)
		cmd.Dir = c.dir
		// Files, not pipes: the server inherits them and would keep a pipe open.
		out, err := os.Create(filepath.Join(os.TempDir(), "lbpg-"+strconv.Itoa(os.Getpid())+".out"))
		if err != nil {
			return err
		}
		cmd.Stdout, cmd.Stderr = out, out
		err = cmd.Run()
		text, _ := os.ReadFile(out.Name())
		_ = errors.Join(out.Close(), os.Remove(out.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w: %s", filepath.Base(step[0]), err, strings.TrimSpace(string(text)))
		}
	}
	return c.startKeeper(bin, data)
}

func (c *cluster) options() string {
	return "-k " + c.dir + " -c listen_addresses= -c fsync=" + fsync() +
		" -c max_connections=200 -c shared_buffers=64MB -c max_wal_size=256MB -c log_min_messages=fatal"
}

// startKeeper leaves a small shell behind that waits for this process to end,
// in whatever way, then stops the server and removes its folder.
func (c *cluster) startKeeper(bin, data string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	c.alive = w
	c.keep = c.asOwner("/bin/sh", "-c", `cat >/dev/null; "$0" -D "$1" -m immediate -w stop; rm -rf "$2"`,
		filepath.Join(bin, "pg_ctl"), data, c.dir)
	c.keep.Dir = "/"
	c.keep.Stdin = r
	c.keep.SysProcAttr.Setsid = true
	err = c.keep.Start()
	return errors.Join(err, r.Close())
}

// folder is in memory where there is room, unless it is the disk that is measured.
func folder() string {
	const memory, room = "/dev/shm", 2 << 30
	var at syscall.Statfs_t
	if fsync() == "off" && syscall.Statfs(memory, &at) == nil && at.Bavail*uint64(at.Bsize) >= room {
		return memory
	}
	return "/tmp"
}

// fsync is off for speed; a benchmark sets LIGHTBAR_TEST_PG_FSYNC=on.
func fsync() string {
	if os.Getenv("LIGHTBAR_TEST_PG_FSYNC") == "on" {
		return "on"
	}
	return "off"
}

// programs finds the folder with initdb and pg_ctl: PATH, or the newest of Debian's.
func programs() (string, error) {
	if p, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			if _, err := os.Stat(filepath.Join(filepath.Dir(real), "pg_ctl")); err == nil {
				return filepath.Dir(real), nil
			}
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("no initdb in PATH or /usr/lib/postgresql (install the package postgresql)")
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// owner is who the server runs as: PostgreSQL refuses to run as root.
func owner() (uid, gid int, err error) {
	if os.Getuid() != 0 {
		return os.Getuid(), os.Getgid(), nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ = strconv.Atoi(u.Uid)
			gid, _ = strconv.Atoi(u.Gid)
			return uid, gid, nil
		}
	}
	return 65534, 65534, nil
}

func (c *cluster) asOwner(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC", "HOME=" + c.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		uid, gid, _ := owner()
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return cmd
}
