package engine

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"lightbar/internal/durable"
)

// Disk describes the file system of a folder.
type Disk struct {
	Kind     string // "ext", "nfs", …; "other" when not known by name
	Network  bool   // SQLite must not run there: locks and memory maps do not work
	ReadOnly bool
	Total    int64 // bytes
	Free     int64 // bytes a normal user may still take
}

// DiskOf describes the file system of a folder.
func DiskOf(dir string) (Disk, error) { return diskOf(dir) }

// identify returns a file's identity without opening it: closing a second
// handle of a SQLite file would drop the process's locks on it.
func identify(path string) (fileID, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return fileID{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return fileIDOf(st), nil
}

func fileIDOf(st unix.Stat_t) fileID {
	return fileID{dev: uint64(st.Dev), ino: st.Ino} //nolint:unconvert // Dev is signed on some systems
}

// fileLock is an advisory lock on a file beside the database, freed by the
// kernel when the process ends in whatever way.
type fileLock struct{ f *os.File }

var errLocked = errors.New("store: locked by another process")

// takeFileLock takes the lock or waits for it at most wait. The holder's words
// are readable by others; see fileLockHolder.
func takeFileLock(path, holder string, wait time.Duration) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flockWithin(f, unix.LOCK_EX, wait); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt([]byte(holder+"\n"), 0)
	}
	return &fileLock{f}, nil
}

// fileLocked reports whether somebody holds the lock. It writes nothing, so it also works on a read-only file system. A file that
// cannot be opened counts as not locked; code that needs the file will report the error.
func fileLocked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	err = flockWithin(f, unix.LOCK_SH, 0)
	_ = f.Close()
	return errors.Is(err, errLocked)
}

// at reports whether the lock's file is still the one at path.
func (l *fileLock) at(path string) bool {
	have, err := identify(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) // unknown counts as unchanged; the next check decides
	}
	var st unix.Stat_t
	return unix.Fstat(int(l.f.Fd()), &st) != nil || fileIDOf(st) == have
}

func (l *fileLock) release() error {
	if l == nil || l.f == nil {
		return nil
	}
	err := l.f.Truncate(0)
	return errors.Join(err, l.f.Close())
}

// fileLockHolder reads the name of the lock's holder.
func fileLockHolder(path string) string {
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 || len(b) > 200 {
		return "another process"
	}
	return string(b[:len(b)-1])
}

// MakeFolder makes the database's folder (0700) and checks that it may be written.
func MakeFolder(dir string) error {
	if err := durable.MakeFolder(dir); err != nil {
		return Unusablef(err, "The folder %s cannot be made: %s.", dir, Reason(err))
	}
	disk, err := diskOf(dir)
	if err != nil {
		return Unusablef(err, "The folder %s cannot be examined: %s.", dir, Reason(err))
	}
	if disk.ReadOnly {
		return Unusablef(nil, "The folder %s is on a read-only file system; the database needs one it can write.", dir)
	}
	if disk.Network {
		return Unusablef(nil, "The folder %s is on a network file system (%s), where SQLite loses data; use a local disk, "+
			"or PostgreSQL by --database.", dir, disk.Kind)
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return Unusablef(err, "The folder %s cannot be written by this user.", dir)
	}
	return nil
}

// Reason is the system's words without the path that the sentence already has.
func Reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	switch kind := kindOf(err); { // in place of SQLite's "disk I/O error"
	case errors.Is(kind, ErrFull):
		return "the disk is full"
	case errors.Is(kind, ErrReadOnly):
		return "the disk is read-only"
	case errors.Is(kind, errWrite):
		return "a write to the disk failed"
	}
	return fmt.Sprint(err)
}
