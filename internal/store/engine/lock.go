package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// One server owns the live picture. On SQLite the owner holds locks (ownfile.go)
// that the kernel gives back whatever happens; on PostgreSQL a lease (lease.go).
const (
	lockName  = "server"
	lockLease = 8 * time.Second // renewed four times in this span
)

func (s *Store) renewEvery() time.Duration { return s.opts.lease / 4 }

const (
	selectServerLock = `SELECT holder, fencing, until_at FROM server_lock WHERE name = $1`
	takeServerLock   = `INSERT INTO server_lock (name, holder, fencing, until_at, process) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, fencing = excluded.fencing, until_at = excluded.until_at,
		process = excluded.process
		WHERE server_lock.fencing < excluded.fencing RETURNING fencing`
	renewServerLock = `UPDATE server_lock SET until_at = $1 WHERE name = $2 AND fencing = $3`
	freeServerLock  = `UPDATE server_lock SET until_at = 0 WHERE name = $1`
)

// serverLock is this process's ownership of the database; the zero value owns nothing.
type serverLock struct {
	mu      sync.Mutex
	file    *fileLock    // SQLite; nil = not owned
	data    databaseLock // SQLite
	holder  string
	fencing int64
	until   atomic.Int64 // monotonic nanoseconds since began; 0 = no lease to keep
	began   time.Time
	stop    context.CancelFunc
	done    chan struct{}
	session *pgx.Conn // PostgreSQL: renews the lease; only the goroutine that does so uses it
}

// LockedError names the owner of the database.
type LockedError struct {
	Holder string
	Engine Name
}

// Error is one sentence for the operator.
func (e *LockedError) Error() string {
	if e.Engine == Postgres {
		return fmt.Sprintf("Another server owns this database in PostgreSQL (%s); stop it first, or give this one another database.", e.Holder)
	}
	return fmt.Sprintf("This database is in use (%s); stop that process first, or give this one another database.", e.Holder)
}

// LockServer makes this process the one server of the database, or returns a *LockedError. role is shown to other processes
// ("server", "user create"). On PostgreSQL it waits for a server that died: not at all if that process has visibly ended, 3 s if
// its connection has, else until its lease has run out (10 s).
func (s *Store) LockServer(ctx context.Context, role string) error {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	host, _ := os.Hostname()
	holder := s.me(role) + " on " + host
	if s.engine == SQLite {
		if err := s.takeFiles(holder, time.Second); err != nil {
			return err
		}
		return s.takeRow(ctx, holder)
	}
	return s.takeLease(ctx, holder)
}

// Fencing is the number of this ownership; it grows with each owner. 0 = none.
func (s *Store) Fencing() int64 {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	return s.lock.fencing
}

// Holder returns who owns the database now, "" when nobody does. It changes nothing.
func (s *Store) Holder(ctx context.Context) (string, error) {
	if s.engine == SQLite {
		return SQLiteHolder(s.opts.Path), nil
	}
	holder, _, until, err := s.readLock(ctx)
	if err != nil || until <= s.now().UnixMilli() {
		return "", err
	}
	return holder, nil
}

// SQLiteHolder returns who owns the database file at path, "" when nobody does.
func SQLiteHolder(path string) string {
	holder := fileLockHolder(lockPath(path))
	if fileLocked(lockPath(path)) || databaseLocked(path) {
		return holder
	}
	return ""
}

// takeFiles takes both locks of a SQLite database.
func (s *Store) takeFiles(holder string, wait time.Duration) error {
	file, err := takeFileLock(lockPath(s.opts.Path), holder, wait)
	if err != nil {
		return lockRefusal(s.opts.Path, err)
	}
	data, err := takeDatabaseLock(s.opts.Path, wait)
	if err != nil {
		_ = file.release()
		return lockRefusal(s.opts.Path, err)
	}
	s.lock.file, s.lock.data, s.lock.holder = file, data, holder
	return nil
}

func (l *serverLock) releaseFiles() error {
	err := errors.Join(l.data.release(), l.file.release())
	l.file = nil
	return err
}

// keepLockFile makes the lock file again when somebody removed it under the
// owner, so that others can read who it is. The lock on the database holds meanwhile.
func (s *Store) keepLockFile() {
	s.lock.mu.Lock()
	defer s.lock.mu.Unlock()
	if s.lock.file == nil || s.lock.file.at(lockPath(s.opts.Path)) {
		return
	}
	file, err := takeFileLock(lockPath(s.opts.Path), s.lock.holder, 0)
	if err != nil {
		return // somebody who will be refused has it for a moment
	}
	s.log.Warn("the lock file was removed or replaced and is made again; the lock on the database itself held", "file", lockPath(s.opts.Path))
	_ = s.lock.file.release()
	s.lock.file = file
}

// LockPath takes the lock of a path at which a database is to come; its release gives it back.
func LockPath(path, holder string) (release func() error, err error) {
	lock, err := takeFileLock(lockPath(path), holder, 0)
	if err != nil {
		return nil, lockRefusal(path, err)
	}
	return lock.release, nil
}

func lockRefusal(path string, err error) error {
	if errors.Is(err, errLocked) {
		return &LockedError{Holder: fileLockHolder(lockPath(path))}
	}
	return Unusablef(err, "The lock file %s cannot be taken: %s.", lockPath(path), Reason(err))
}

// LeaseHolder returns who seems to own a PostgreSQL database that is being examined, "" when nobody does.
func LeaseHolder(ctx context.Context, r Reader, now time.Time) string {
	holder, _, until, err := readLock(ctx, r)
	if err != nil || until <= now.UnixMilli() {
		return ""
	}
	return holder
}

func (s *Store) readLock(ctx context.Context) (holder string, fencing, until int64, err error) {
	return readLock(ctx, s.read)
}

func readLock(ctx context.Context, r Reader) (holder string, fencing, until int64, err error) {
	err = r.QueryRowContext(ctx, selectServerLock, lockName).Scan(&holder, &fencing, &until)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return holder, fencing, until, Classify(err)
}

// takeRow notes the ownership with the next fencing number (SQLite).
func (s *Store) takeRow(ctx context.Context, holder string) error {
	_, fencing, _, err := s.readLock(ctx)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error {
		return tx.QueryRowContext(ctx, takeServerLock, lockName, holder, fencing+1, 0, thisProcess()).Scan(&s.lock.fencing)
	})
}

// alive refuses writes while the lease is not ours for certain.
func (l *serverLock) alive() error {
	until := l.until.Load()
	if until != 0 && int64(time.Since(l.began)) > until {
		return fmt.Errorf("%w: the lease on the database ran out", ErrBusy)
	}
	return nil
}

// check compares the fencing number inside the transaction (PostgreSQL), and
// holds the row until it ends, so that the next owner waits for it.
func (l *serverLock) check(ctx context.Context, tx Reader) error {
	if l.until.Load() == 0 {
		return nil
	}
	var have int64
	if err := tx.QueryRowContext(ctx, pgCheckRow, lockName).Scan(&have); err != nil {
		return Classify(err)
	}
	if have != l.fencing {
		return ErrLockLost
	}
	return nil
}

// release gives the ownership back.
func (l *serverLock) release(s *Store) error {
	if l.stop != nil {
		return s.giveBack()
	}
	return l.releaseFiles()
}
