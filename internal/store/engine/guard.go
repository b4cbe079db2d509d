package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// guard watches the files: it stops acknowledgments when the storage fails, and holds a reserve for a full disk.
type guard struct {
	failed   chan struct{}
	failOnce sync.Once
	cause    atomic.Pointer[error]
	refusing atomic.Pointer[error] // ErrFull or ErrReadOnly while ordinary writes are refused
	readsAt  atomic.Int64          // Unix ms of the newest read that the disk failed
	wake     chan struct{}

	mu      sync.Mutex // ballast and identities
	files   map[string]fileID
	stopped chan struct{}
	done    chan struct{}
}

// fileID is a file's identity on its disk.
type fileID struct{ dev, ino uint64 }

type reserveKey struct{}

// WithReserve marks a write that may use the reserve of a full disk: beginning,
// renewing and ending sessions, never ordinary traffic.
func WithReserve(ctx context.Context) context.Context {
	return context.WithValue(ctx, reserveKey{}, true)
}

func (g *guard) init() {
	g.failed = make(chan struct{})
	g.wake = make(chan struct{}, 1)
	g.files = map[string]fileID{}
}

// Failed is closed when the storage failed: the server must end (and report Cause).
func (s *Store) Failed() <-chan struct{} { return s.guard.failed }

// Cause is why Failed was closed; nil while all is well.
func (s *Store) Cause() error {
	if p := s.guard.cause.Load(); p != nil {
		return *p
	}
	return nil
}

// Refusing is why ordinary writes are refused for now: ErrFull, ErrReadOnly or nil.
func (s *Store) Refusing() error {
	if p := s.guard.refusing.Load(); p != nil {
		return *p
	}
	return nil
}

// admit refuses a write at once when it cannot be stored.
func (s *Store) admit(ctx context.Context) error {
	if cause := s.Cause(); cause != nil {
		return cause
	}
	if why := s.Refusing(); why != nil && (why != ErrFull || ctx.Value(reserveKey{}) == nil) { //nolint:errorlint // the sentinels themselves
		return why
	}
	return s.lock.alive()
}

// writeFailed records what a write's error means for later writes, and returns
// it.
func (s *Store) writeFailed(err error) error {
	if errors.Is(err, errWrite) {
		err = s.nameWriteError(err)
	}
	switch {
	case errors.Is(err, ErrLockLost):
		s.fail(err)
	case s.engine != SQLite:
	case errors.Is(err, ErrStorage):
		s.fail(err)
	case errors.Is(err, ErrFull):
		s.refuse(ErrFull)
	case errors.Is(err, ErrReadOnly):
		s.refuse(ErrReadOnly)
	}
	return err
}

// Notice classifies the error of a read. If the read met damage, nothing more
// is acknowledged, as after a failed write. If the disk failed the read,
// ReadsFail reports it for a minute.
func (s *Store) Notice(err error) error {
	err = Classify(err)
	switch {
	case s.engine != SQLite:
	case errors.Is(err, ErrDamaged):
		s.fail(err)
	case errors.Is(err, ErrStorage):
		s.noteRead(err)
	}
	return err
}

// fail stops all acknowledging, once.
func (s *Store) fail(err error) {
	s.guard.failOnce.Do(func() {
		if !errors.Is(err, ErrStorage) && !errors.Is(err, ErrLockLost) {
			err = fmt.Errorf("%w: %w", ErrStorage, err)
		}
		s.guard.cause.Store(&err)
		s.log.Error("nothing is acknowledged any more", "error", err)
		close(s.guard.failed)
	})
}

// start records which files are open and begins the watch.
func (s *Store) startGuard() error {
	g := &s.guard
	for _, p := range []string{s.opts.Path, s.opts.Path + "-wal"} {
		id, err := identify(p)
		if err != nil {
			return err
		}
		g.files[p] = id
	}
	if err := s.makeBallast(); err != nil {
		s.log.Warn("no reserve for a full disk could be made", "error", err)
	}
	g.stopped, g.done = make(chan struct{}), make(chan struct{})
	go s.watch()
	return nil
}

func (g *guard) stop() {
	if g.stopped == nil {
		return
	}
	close(g.stopped)
	<-g.done
	g.stopped = nil
}

func (s *Store) watch() {
	g := &s.guard
	defer close(g.done)
	tick := time.NewTicker(s.opts.WatchEvery)
	defer tick.Stop()
	for {
		select {
		case <-g.stopped:
			return
		case <-tick.C:
		case <-g.wake:
		}
		s.checkFiles()
		s.keepLockFile()
		s.takeAgain()
		s.growBallast()
	}
}

// checkFiles compares the names on disk with the files that are open. SQLite
// goes on acknowledging into a deleted WAL, and all of it is lost at the next start.
func (s *Store) checkFiles() {
	for path, want := range s.guard.files {
		have, err := identify(path)
		switch {
		case err != nil:
			s.fail(fmt.Errorf("%s can no longer be found: %w", path, err))
		case have != want:
			s.fail(fmt.Errorf("%s was replaced while it was open", path))
		}
	}
}

func (s *Store) ballastPath() string {
	return filepath.Join(filepath.Dir(s.opts.Path), filepath.Base(s.opts.Path)+".ballast")
}

// makeBallast allocates the reserve; it does nothing when it is there.
func (s *Store) makeBallast() error {
	if s.opts.BallastBytes <= 0 {
		return nil
	}
	s.guard.mu.Lock()
	defer s.guard.mu.Unlock()
	if s.ballast() >= s.opts.BallastBytes {
		return nil
	}
	if err := s.allocateBallast(s.opts.BallastBytes); err != nil {
		_ = os.Remove(s.ballastPath())
		return err
	}
	return nil
}

// ballast is the size of the reserve, 0 when there is none.
func (s *Store) ballast() int64 {
	st, err := os.Stat(s.ballastPath())
	if err != nil {
		return 0
	}
	return st.Size()
}

func (s *Store) allocateBallast(size int64) error {
	f, err := os.OpenFile(s.ballastPath(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(allocate(f, size), f.Close())
}

// growBallast lets the reserve follow the largest WAL: after a crash all of it may have to move into the database file,
// which takes as much room again. It only takes what leaves the room that a full disk waits for.
func (s *Store) growBallast() {
	if s.opts.BallastBytes <= 0 || s.Refusing() != nil {
		return
	}
	s.guard.mu.Lock()
	defer s.guard.mu.Unlock()
	have, want := s.ballast(), min(s.WALBytes(), mostBallastBytes)
	if have < s.opts.BallastBytes || want <= have {
		return
	}
	disk, err := diskOf(filepath.Dir(s.opts.Path))
	if err != nil || disk.Free < want-have+s.roomNeeded() {
		return
	}
	if err := s.allocateBallast(want); err != nil {
		s.log.Warn("the reserve for a full disk could not grow with the journal", "bytes", want, "error", err)
	}
}

// makeRoomToOpen frees the reserve if the disk has no room for the journal's
// index, without which nothing can be opened, and for what the journal holds.
func (s *Store) makeRoomToOpen() {
	disk, err := diskOf(filepath.Dir(s.opts.Path))
	if s.opts.ReadOnly || s.opts.BallastBytes == 0 || err != nil || disk.Free >= 1<<20+s.WALBytes() || disk.ReadOnly {
		return
	}
	if os.Remove(s.ballastPath()) == nil {
		s.log.Error("the disk is full: the reserve was freed to open the database", "folder", filepath.Dir(s.opts.Path))
	}
}

// refuse starts to refuse ordinary writes, until watch finds that the disk
// accepts them again. On a full disk it frees the reserve.
func (s *Store) refuse(why error) {
	if old := s.guard.refusing.Swap(&why); old != nil && *old == why { //nolint:errorlint // the sentinels themselves
		return
	}
	if why == ErrFull { //nolint:errorlint // as above
		s.guard.mu.Lock()
		err := os.Remove(s.ballastPath())
		s.guard.mu.Unlock()
		s.log.Error("the disk is full: writes are refused until there is space", "folder", filepath.Dir(s.opts.Path), "reserve_freed", err == nil)
	} else {
		s.log.Error("the disk is read-only: writes are refused until it can be written", "folder", filepath.Dir(s.opts.Path))
	}
	select {
	case s.guard.wake <- struct{}{}:
	default:
	}
}

// takeAgain tests whether the disk accepts writes again. While it is full, the
// reserve provides space for a checkpoint of the WAL; writes resume once twice
// the reserve (at least 1 MiB) is free.
func (s *Store) takeAgain() {
	switch why := s.Refusing(); {
	case why == nil:
		return
	case errors.Is(why, ErrReadOnly):
		if tryWrite(s.probePath()) != nil {
			return
		}
	default:
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = s.checkpoint(ctx) // the next look tries again to move the rest
		disk, err := diskOf(filepath.Dir(s.opts.Path))
		if err != nil || disk.Free < s.roomNeeded() || s.makeBallast() != nil {
			return
		}
	}
	s.guard.refusing.Store(nil)
	s.log.Info("the disk can be written again: writes are taken")
}

// roomNeeded is how much must be free, in bytes, before a full disk counts as one with space again.
func (s *Store) roomNeeded() int64 { return max(2*s.opts.BallastBytes, 1<<20) }

// checkpoint moves the WAL into the database file and cuts it to zero length.
func (s *Store) checkpoint(ctx context.Context) error {
	var busy, frames, moved int
	return s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
}
