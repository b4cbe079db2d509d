package store

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

// guard watches over the files: it stops acknowledging when the storage failed
// and keeps a reserve for the day the disk is full.
type guard struct {
	failed   chan struct{}
	failOnce sync.Once
	cause    atomic.Pointer[error]
	full     atomic.Bool
	wake     chan struct{}

	mu      sync.Mutex // ballast and identities
	files   map[string]fileID
	stopped chan struct{}
	done    chan struct{}
}

// fileID is a file's identity on its disk.
type fileID struct{ dev, ino uint64 }

type reserveKey struct{}

// WithReserve marks a write that may use the reserve of a full disk: deleting
// old rows or recording a sign-in, never ordinary traffic.
func WithReserve(ctx context.Context) context.Context {
	return context.WithValue(ctx, reserveKey{}, true)
}

func (g *guard) init() {
	g.failed = make(chan struct{})
	g.wake = make(chan struct{}, 1)
	g.files = map[string]fileID{}
}

// Failed is closed when the storage failed: the server must end (and say Cause).
func (s *Store) Failed() <-chan struct{} { return s.guard.failed }

// Cause says why Failed was closed; nil while all is well.
func (s *Store) Cause() error {
	if p := s.guard.cause.Load(); p != nil {
		return *p
	}
	return nil
}

// Full tells whether writes are refused because the disk is full.
func (s *Store) Full() bool { return s.guard.full.Load() }

// admit refuses a write at once when it cannot be kept.
func (s *Store) admit(ctx context.Context) error {
	if cause := s.Cause(); cause != nil {
		return cause
	}
	if s.guard.full.Load() && ctx.Value(reserveKey{}) == nil {
		return ErrFull
	}
	return s.lock.alive()
}

// writeFailed notes what an error means for the writes to come and returns it.
func (s *Store) writeFailed(err error) error {
	switch {
	case errors.Is(err, ErrLockLost):
		s.fail(err)
	case errors.Is(err, ErrStorage) && s.engine == SQLite:
		s.fail(err)
	case errors.Is(err, ErrFull) && s.engine == SQLite:
		s.enterFull()
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
		s.log.Error("storage failed, nothing is acknowledged any more", "error", err)
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
		s.leaveFull()
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
	if st, err := os.Stat(s.ballastPath()); err == nil && st.Size() >= s.opts.BallastBytes {
		return nil
	}
	f, err := os.OpenFile(s.ballastPath(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	err = allocate(f, s.opts.BallastBytes)
	if err := errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(s.ballastPath())
		return err
	}
	return nil
}

// enterFull frees the reserve and refuses ordinary writes until there is space again.
func (s *Store) enterFull() {
	if s.guard.full.Swap(true) {
		return
	}
	s.guard.mu.Lock()
	err := os.Remove(s.ballastPath())
	s.guard.mu.Unlock()
	s.log.Error("the disk is full: writes are refused until there is space", "folder", filepath.Dir(s.opts.Path),
		"reserve_freed", err == nil)
	select {
	case s.guard.wake <- struct{}{}:
	default:
	}
}

// leaveFull folds the WAL while the reserve lasts and takes writes again once
// the disk has twice the reserve (at least 1 MiB).
func (s *Store) leaveFull() {
	if !s.guard.full.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.checkpoint(ctx); err != nil {
		s.log.Warn("the journal could not be folded", "error", err)
	}
	disk, err := diskOf(filepath.Dir(s.opts.Path))
	if err != nil || disk.Free < max(2*s.opts.BallastBytes, 1<<20) {
		return
	}
	if err := s.makeBallast(); err != nil {
		return
	}
	s.guard.full.Store(false)
	s.log.Info("there is space again: writes are taken", "free_bytes", disk.Free)
}

// checkpoint folds the WAL into the database file and cuts it to zero length.
func (s *Store) checkpoint(ctx context.Context) error {
	var busy, frames, moved int
	return s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
}
