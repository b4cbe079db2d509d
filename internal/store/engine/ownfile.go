package engine

import (
	"errors"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// The owner of a SQLite database locks two files: lightbar.db.lock, which contains the owner in words, and the database itself,
// whose lock nobody can remove by tidying up. flock(2) and SQLite's own locks (fcntl) do not see each other on Linux.

// openHere knows the database files this process has open: closing another
// handle of such a file would drop SQLite's locks (sqlite.org/howtocorrupt.html,
// 2.2). Handles of ours are closed after the last store.
var openHere = struct {
	sync.Mutex
	files map[fileID]*openFile
}{files: map[fileID]*openFile{}}

type openFile struct {
	stores int
	ours   []*os.File
}

func isOpenHere(id fileID) bool {
	openHere.Lock()
	defer openHere.Unlock()
	return openHere.files[id] != nil
}

func openedHere(id fileID) {
	openHere.Lock()
	defer openHere.Unlock()
	if openHere.files[id] == nil {
		openHere.files[id] = &openFile{}
	}
	openHere.files[id].stores++
}

func closedHere(id fileID) {
	openHere.Lock()
	defer openHere.Unlock()
	file := openHere.files[id]
	if file.stores--; file.stores > 0 {
		return
	}
	delete(openHere.files, id)
	for _, f := range file.ours {
		_ = f.Close()
	}
}

// leaveHandle closes a handle of a database file as soon as that drops no lock of SQLite's.
func leaveHandle(f *os.File) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return errors.Join(err, f.Close())
	}
	openHere.Lock()
	defer openHere.Unlock()
	file := openHere.files[fileIDOf(st)]
	if file == nil {
		return f.Close()
	}
	file.ours = append(file.ours, f)
	return nil
}

// databaseLock is the lock on the database file itself; the zero value is none.
type databaseLock struct{ f *os.File }

// takeDatabaseLock takes the lock or waits for it at most wait; errLocked when another process has it.
func takeDatabaseLock(path string, wait time.Duration) (databaseLock, error) {
	if !flockBesideSQLite {
		return databaseLock{}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return databaseLock{}, err
	}
	if err := flockWithin(f, unix.LOCK_EX, wait); err != nil {
		return databaseLock{}, errors.Join(err, leaveHandle(f))
	}
	return databaseLock{f}, nil
}

func (l *databaseLock) release() error {
	if l.f == nil {
		return nil
	}
	err := errors.Join(unix.Flock(int(l.f.Fd()), unix.LOCK_UN), leaveHandle(l.f))
	l.f = nil
	return err
}

// databaseLocked reports whether somebody has the lock; two such checks do not block each other. A file that cannot be opened
// counts as not locked; code that needs it will report the error.
func databaseLocked(path string) bool {
	if !flockBesideSQLite {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	l := databaseLock{f}
	err = flockWithin(f, unix.LOCK_SH, 0)
	_ = l.release()
	return errors.Is(err, errLocked)
}

// flockWithin takes the lock of an open file or waits for it at most wait.
func flockWithin(f *os.File, how int, wait time.Duration) error {
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		if time.Now().After(end) {
			return errLocked
		}
	}
}
