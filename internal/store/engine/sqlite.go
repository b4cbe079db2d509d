package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // driver "sqlite"

	"lightbar/internal/durable"
)

// applicationID marks our files in SQLite's header ("LBAR").
const applicationID = 0x4C424152

// oldestSQLite is the first version without the WAL-reset bug (sqlite.org/wal.html).
var oldestSQLite = [3]int{3, 51, 3}

const readers = 8

func (s *Store) openSQLite(ctx context.Context) error {
	s.engine = SQLite
	path, err := filepath.Abs(s.opts.Path)
	if err != nil || s.opts.Path == "" {
		return Unusablef(err, "No database was named.")
	}
	s.opts.Path = path
	s.makeRoomToOpen()
	_, err = os.Lstat(path)
	switch {
	case err == nil:
		if err := s.checkExisting(ctx); err != nil {
			return err
		}
	case !errors.Is(err, os.ErrNotExist):
		return Unusablef(err, "The database %s cannot be examined: %s.", path, Reason(err))
	case Exists(RestoringPath(path)):
		return Unusablef(nil, "A restore into %s was cut off (%s is left of it); run lightbar restore again, or remove that file to begin anew.",
			path, filepath.Base(RestoringPath(path)))
	case s.opts.ReadOnly || s.opts.Existing:
		return Unusablef(ErrNone, "There is no database at %s.", path)
	default:
		if err := s.createSQLite(ctx); err != nil {
			return err
		}
	}
	if err := s.openPools(ctx, path); err != nil {
		return err
	}
	if s.opts.ReadOnly {
		return nil
	}
	if err := s.migrateSQLite(ctx); err != nil {
		return err
	}
	if err := s.hot.prepare(ctx, s.write); err != nil {
		return Unusablef(err, "The database %s cannot be written: %s.", path, Reason(err))
	}
	if err := s.startCheckpoints(ctx); err != nil {
		return err
	}
	return s.startGuard()
}

// checkExisting refuses what must not be opened; it leaves the file as it is.
func (s *Store) checkExisting(ctx context.Context) error {
	path := s.opts.Path
	id, err := identify(path)
	if err != nil {
		return Unusablef(err, "The database %s cannot be examined: %s.", path, Reason(err))
	}
	if !s.opts.ReadOnly {
		if err := MakeFolder(filepath.Dir(path)); err != nil {
			return err
		}
	}
	if isOpenHere(id) {
		return nil
	}
	if err := checkHeader(path); err != nil {
		return err
	}
	return s.checkContent(ctx, path)
}

// createSQLite makes the database under another name and renames it when it is
// complete, so that a crash at first start leaves no half-made file.
func (s *Store) createSQLite(ctx context.Context) error {
	path := s.opts.Path
	for _, rest := range []string{"-wal", "-shm"} {
		if Exists(path + rest) {
			return Unusablef(nil, "The database %s is missing but its journal %s is there; put the database back or restore a backup.", path,
				filepath.Base(path+rest))
		}
	}
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	lock, err := takeFileLock(lockPath(path), s.me("first start"), 10*time.Second)
	if err != nil {
		return lockRefusal(path, err)
	}
	defer func() { _ = lock.release() }()
	if Exists(path) {
		return s.checkExisting(ctx) // another process made it while we waited
	}
	fresh := path + ".new"
	for _, rest := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(fresh + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return Unusablef(err, "%s is left from an earlier start and cannot be removed: %s.", fresh+rest, Reason(err))
		}
	}
	if err := Create(ctx, fresh, s.opts.Migrations); err != nil {
		return Unusablef(err, "The database %s cannot be made: %s.", path, Reason(err))
	}
	if err := durable.Rename(fresh, path); err != nil {
		return Unusablef(err, "The database %s cannot be made: %s.", path, Reason(err))
	}
	return nil
}

// Create makes a complete empty SQLite database at path and closes it.
func Create(ctx context.Context, path string, steps fs.FS) error {
	db, err := sql.Open("sqlite", writerDSN(path, 1000))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	// Nobody knows the file before all of it is synced below, so no step waits for the disk.
	_, err = db.ExecContext(ctx, "PRAGMA synchronous=OFF; PRAGMA application_id="+strconv.Itoa(applicationID))
	if err == nil {
		err = migrateUp(ctx, SQLite, db, steps)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return Classify(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	return durable.Sync(path)
}

func (s *Store) openPools(ctx context.Context, path string) error {
	var err error
	if s.opts.ReadOnly {
		if s.read, err = sql.Open("sqlite", readerDSN(path, false)); err != nil {
			return err
		}
		s.write = s.read
	} else {
		dsn := writerDSN(path, checkpointPages(filepath.Dir(path)))
		if s.opts.Erase {
			dsn += "&_pragma=secure_delete(1)"
		}
		if s.write, err = sql.Open("sqlite", dsn); err != nil {
			return err
		}
		s.write.SetMaxOpenConns(1)
		s.write.SetMaxIdleConns(1)
		if s.read, err = sql.Open("sqlite", readerDSN(path, false)); err != nil {
			return err
		}
	}
	s.read.SetMaxOpenConns(readers + 1)
	s.read.SetMaxIdleConns(readers + 1)
	if err := s.assertSQLite(ctx); err != nil {
		return err
	}
	if s.keep, err = s.read.Conn(ctx); err == nil {
		var n int
		err = s.keep.QueryRowContext(ctx, liteCount).Scan(&n)
	}
	if err != nil {
		return Unusablef(err, "The database %s cannot be read: %s.", path, Reason(err))
	}
	if id, err := identify(path); err == nil {
		openedHere(id)
		s.guard.files[path] = id
	}
	return nil
}

func (s *Store) forget() {
	if id, ok := s.guard.files[s.opts.Path]; ok {
		closedHere(id)
		delete(s.guard.files, s.opts.Path)
	}
}

// assertSQLite checks the library and, for writers, that the durable settings took.
func (s *Store) assertSQLite(ctx context.Context) error {
	var version string
	if err := s.write.QueryRowContext(ctx, liteVersion).Scan(&version); err != nil {
		return Unusablef(err, "The database %s cannot be opened: %s.", s.opts.Path, Reason(err))
	}
	if olderThan(version, oldestSQLite) {
		return Unusablef(nil, "This binary carries SQLite %s, which can lose committed rows; at least 3.51.3 is needed.", version)
	}
	if s.opts.ReadOnly {
		return nil
	}
	var mode string
	var sync, mapped int
	err := s.write.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode)
	if err == nil {
		err = s.write.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&sync)
	}
	if err == nil {
		err = s.write.QueryRowContext(ctx, "PRAGMA mmap_size").Scan(&mapped)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Unusablef(err, "The database %s cannot be opened: %s.", s.opts.Path, Reason(err))
	}
	if mode != "wal" || sync != 2 || mapped != 0 {
		return Unusablef(nil, "The database %s does not take the durable settings (journal %s, synchronous %d, mmap %d).", s.opts.Path, mode,
			sync, mapped)
	}
	return nil
}

const liteCount = `SELECT count(*) FROM sqlite_schema`

const liteVersion = `SELECT sqlite_version()`

func olderThan(version string, least [3]int) bool {
	parts := strings.SplitN(version, ".", 3)
	for i, want := range least {
		have := 0
		if i < len(parts) {
			have, _ = strconv.Atoi(parts[i])
		}
		if have != want {
			return have < want
		}
	}
	return false
}

const sharedPragmas = "&_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)&_pragma=mmap_size(0)"

// writerCacheKB is how much of the file the writer caches. It takes twice as much memory: a page of 4 KB with its header is in a
// piece of 8 KB.
const writerCacheKB = 32 << 10

// writerDSN: IMMEDIATE, because a read transaction cannot be turned into a
// writing one while others write; FULL, because NORMAL loses acknowledged rows
// in a power cut.
func writerDSN(path string, checkpoint int) string {
	return fileURI(path) + "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=cache_size(-" + strconv.Itoa(writerCacheKB) + ")&_pragma=journal_size_limit(67108864)&_pragma=wal_autocheckpoint(" +
		strconv.Itoa(checkpoint) + ")" + sharedPragmas
}

// readerDSN: with immutable the file is read as it lies, without locks and
// without a journal; only for files that nobody has open.
func readerDSN(path string, immutable bool) string {
	dsn := copierDSN(path) + "&_pragma=query_only(1)"
	if immutable {
		dsn += "&immutable=1"
	}
	return dsn
}

// copierDSN reads this file and may write another one (VACUUM INTO).
func copierDSN(path string) string {
	return fileURI(path) + "?mode=ro&_pragma=busy_timeout(5000)" + sharedPragmas
}

func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// checkpointPages is how long the WAL grows before a commit checkpoints it: 10 000 pages
// (40 MB) where there is room, less on a small disk, so that the reserve always suffices.
func checkpointPages(dir string) int {
	disk, err := diskOf(dir)
	if err != nil {
		return 1000
	}
	return int(min(max(disk.Total/4096/16, 250), 10000))
}

// Exists reports whether there is something of this name.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// RestoringPath is the name of a restored database until it is complete.
func RestoringPath(path string) string { return path + ".restoring" }

func lockPath(path string) string { return path + ".lock" }

// me names this process for the one who finds the lock taken.
func (s *Store) me(role string) string { return fmt.Sprintf("%s, process %d", role, os.Getpid()) }
