package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// probeBytes is more than a full disk gives away by rounding.
const probeBytes = 64 << 10

func (s *Store) probePath() string { return s.opts.Path + ".probe" }

// tryWrite writes a small file, syncs and removes it; the error is the system's own.
func tryWrite(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeBytes))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(path))
}

// nameWriteError finds out why SQLite could not write, since its result code does not show it, by writing a file beside the
// database. It returns ErrReadOnly; ErrFull for a full disk, a quota and a limit of file sizes; else ErrStorage. The driver's error
// is included only as text.
func (s *Store) nameWriteError(err error) error {
	kind := ErrStorage
	switch probe := tryWrite(s.probePath()); {
	case errors.Is(probe, syscall.EROFS):
		kind = ErrReadOnly
	case errors.Is(probe, syscall.ENOSPC), errors.Is(probe, syscall.EDQUOT), errors.Is(probe, syscall.EFBIG):
		kind = ErrFull
	case probe == nil && (s.shortOfRoom() || atFileLimit(s.opts.Path)):
		kind = ErrFull
	}
	return fmt.Errorf("%w: %v", kind, err) //nolint:errorlint // see above
}

func (s *Store) shortOfRoom() bool {
	disk, err := diskOf(filepath.Dir(s.opts.Path))
	return err == nil && disk.Free < s.roomNeeded()
}

// atFileLimit reports whether the database or its journal is about as large as
// this process may make a file (setrlimit, RLIMIT_FSIZE).
func atFileLimit(path string) bool {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil || limit.Cur == unix.RLIM_INFINITY {
		return false
	}
	for _, p := range []string{path, path + "-wal"} {
		if st, err := os.Stat(p); err == nil && uint64(st.Size())+probeBytes >= limit.Cur {
			return true
		}
	}
	return false
}

// readFailedFor is how long one failed read counts against the disk.
const readFailedFor = time.Minute

// noteRead notes a read that the disk failed. It does not stop the server: it
// may be an old page that one question needed, and reports must not be lost for it.
func (s *Store) noteRead(err error) {
	now := s.now()
	if before := s.guard.readsAt.Swap(now.UnixMilli()); now.Sub(time.UnixMilli(before)) >= readFailedFor {
		s.log.Error("the disk failed a read", "error", err)
	}
}

// ReadsFail reports whether the disk failed a read within the last minute.
func (s *Store) ReadsFail() bool {
	return s.now().Sub(time.UnixMilli(s.guard.readsAt.Load())) < readFailedFor
}
