package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// On PostgreSQL the owner holds a row with a fencing number and a lease that it
// renews. Each of its writes reads and locks that row in its transaction, and
// the next owner waits for these locks before it takes the row. So nothing of
// an earlier owner is stored after the next one has begun, however long the
// earlier one was paused.
//
// With the lease alone, each start after a crash would have to wait for it to
// expire. So the owner also holds a session lock, which PostgreSQL frees when
// its connection ends, for example with the process. A successor that finds
// this lock free takes over at once if it can see that the process has ended;
// otherwise it first waits long enough for a living owner, whose connection was
// merely cut, to renew the lease. The session lock is a hint: only the row
// counts.
const (
	pgOwner    = `SELECT holder, process, fencing, until_at FROM server_lock WHERE name = $1`
	pgTryOwner = `SELECT pg_try_advisory_lock(1818387570, 'server_lock'::regclass::oid::int)`
	pgLockRow  = `SELECT fencing FROM server_lock WHERE name = $1 FOR UPDATE`
	pgCheckRow = `SELECT fencing FROM server_lock WHERE name = $1 FOR KEY SHARE`

	// pgEndWrites ends the sessions that write as the owner before, or hold its lock.
	pgEndWrites = `SELECT count(pg_terminate_backend(pid)) FROM (SELECT DISTINCT pid FROM pg_locks WHERE granted AND pid <> pg_backend_pid()
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (locktype = 'relation' AND relation = 'server_lock'::regclass AND mode = 'RowShareLock'
			OR locktype = 'advisory' AND classid = 1818387570 AND objid = 'server_lock'::regclass)) AS o`
)

// maxLeaseLook is how long a waiting server goes without a look at the owner
// before: a process that was killed needs some milliseconds to be gone.
const maxLeaseLook = 100 * time.Millisecond

// leaseSession settings end a session within 10 s where its machine is gone.
var leaseSession = map[string]string{"tcp_keepalives_idle": "4", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3"}

// owner is the row of the lock.
type owner struct {
	holder, process string
	fencing, until  int64
}

func readOwner(ctx context.Context, c *pgx.Conn) (o owner, err error) {
	err = c.QueryRow(ctx, pgOwner, lockName).Scan(&o.holder, &o.process, &o.fencing, &o.until)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return o, Classify(err)
}

// takeLease makes this process the owner on PostgreSQL.
func (s *Store) takeLease(ctx context.Context, holder string) (err error) {
	c, err := s.leaseConn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			endConn(c)
		}
	}()
	before, err := s.awaitLease(ctx, c)
	if err != nil {
		return err
	}
	s.lock.began = time.Now()
	asked := time.Since(s.lock.began)
	if err := s.takeOver(ctx, c, holder, before); err != nil {
		return err
	}
	s.lock.until.Store(int64(asked + s.opts.lease))
	keep, cancel := context.WithCancel(context.Background())
	s.lock.stop, s.lock.done, s.lock.session = cancel, make(chan struct{}), c
	go s.keepLease(keep)
	return nil
}

// leaseConn is a session of its own, so that the lease never waits for the pool.
func (s *Store) leaseConn(ctx context.Context) (*pgx.Conn, error) {
	conf := s.pg.Config().ConnConfig
	for name, value := range leaseSession {
		conf.RuntimeParams[name] = value
	}
	c, err := pgx.ConnectConfig(ctx, conf)
	return c, Classify(err)
}

func endConn(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// awaitLease returns when the owner before has gone. Clocks of two hosts
// differ, so the lease is not compared with our clock: a holder that renews is
// alive, one that does not for a whole lease is gone, and one whose session has
// ended is gone when it does not renew for one and a half of its intervals.
func (s *Store) awaitLease(ctx context.Context, c *pgx.Conn) (owner, error) {
	first, err := readOwner(ctx, c)
	if err != nil {
		return first, err
	}
	tick := time.NewTicker(min(s.opts.lease/80, maxLeaseLook))
	defer tick.Stop()
	var free, said bool
	var since time.Time
	for began := time.Now(); ; {
		if !free {
			if err := c.QueryRow(ctx, pgTryOwner).Scan(&free); err != nil {
				return first, Classify(err)
			}
			since = time.Now()
		}
		switch {
		case free && (first.until == 0 || processGone(first.process)), free && time.Since(since) > s.renewEvery()*3/2,
			time.Since(began) > s.opts.lease+s.renewEvery():
			return first, nil
		case !said && first.until != 0:
			said = true
			s.log.Warn(fmt.Sprintf("Another server (%s) held this PostgreSQL database until %s; waiting up to %v.", first.holder,
				time.UnixMilli(first.until).UTC().Format(time.RFC3339), s.opts.lease+s.renewEvery()))
		}
		select {
		case <-ctx.Done():
			return first, ctx.Err()
		case <-tick.C:
		}
		now, err := readOwner(ctx, c)
		switch {
		case err != nil:
			return first, err
		case now.fencing == first.fencing && now.until == 0:
			first = now
		case now != first:
			return first, &LockedError{Holder: now.holder, Engine: Postgres}
		}
	}
}

// takeOver writes the ownership with the next fencing number. Uncommitted
// writes of the earlier owner are rolled back first.
func (s *Store) takeOver(ctx context.Context, c *pgx.Conn, holder string, before owner) error {
	var ended, fencing int64
	if err := c.QueryRow(ctx, pgEndWrites).Scan(&ended); err != nil {
		s.log.Warn("what the server before was writing could not be ended; waiting for it", "error", err)
	}
	tx, err := c.Begin(ctx)
	if err != nil {
		return Classify(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := tx.QueryRow(ctx, pgLockRow, lockName).Scan(&fencing); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return Classify(err)
	}
	if fencing == before.fencing {
		err = tx.QueryRow(ctx, takeServerLock, lockName, holder, fencing+1, s.now().Add(s.opts.lease).UnixMilli(),
			thisProcess()).Scan(&s.lock.fencing)
	}
	if fencing != before.fencing || errors.Is(err, pgx.ErrNoRows) {
		return &LockedError{Holder: "another server was faster", Engine: Postgres}
	}
	if err != nil {
		return Classify(err)
	}
	return Classify(tx.Commit(ctx))
}

func (s *Store) keepLease(ctx context.Context) {
	defer close(s.lock.done)
	tick := time.NewTicker(s.renewEvery())
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.renewLease(ctx)
	}
}

// renewLease renews the lease, in a new session where the one before was cut.
func (s *Store) renewLease(ctx context.Context) {
	asked := time.Since(s.lock.began)
	ctx, cancel := context.WithTimeout(ctx, s.opts.lease/2)
	defer cancel()
	rows, err := s.renewRow(ctx, s.now().Add(s.opts.lease).UnixMilli())
	if err != nil {
		rows, err = s.renewRow(ctx, s.now().Add(s.opts.lease).UnixMilli())
	}
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("the lease on the database could not be renewed", "error", err)
		}
		return // the lease runs out by itself when this goes on
	}
	if rows == 0 {
		s.fail(ErrLockLost)
		return
	}
	s.lock.until.Store(int64(asked + s.opts.lease))
}

func (s *Store) renewRow(ctx context.Context, until int64) (rows int64, err error) {
	l := &s.lock
	if l.session == nil || l.session.IsClosed() {
		if l.session, err = s.leaseConn(ctx); err != nil {
			return 0, err
		}
		var taken bool // by a successor that waits, perhaps: it sees the lease renewed and leaves
		if err := l.session.QueryRow(ctx, pgTryOwner).Scan(&taken); err != nil {
			return 0, err
		}
	}
	done, err := l.session.Exec(ctx, renewServerLock, until, lockName, l.fencing)
	return done.RowsAffected(), err
}

// giveBack ends the lease.
func (s *Store) giveBack() error {
	l := &s.lock
	l.stop()
	<-l.done
	l.stop = nil
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_, err := s.renewRow(ctx, 0)
	l.until.Store(0)
	if l.session != nil {
		endConn(l.session)
	}
	return err
}
