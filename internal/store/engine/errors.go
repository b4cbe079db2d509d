package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The errors that a caller must distinguish. Errors of this package wrap one of
// them where it applies; test with errors.Is.
var (
	// ErrNotFound means that no row matched.
	ErrNotFound = errors.New("store: not found")
	// ErrFull means that the disk is full. Nothing of the transaction was stored; reading still works.
	ErrFull = errors.New("store: the disk is full")
	// ErrReadOnly means that the file system no longer accepts writes. Nothing of the transaction was stored; reading still works.
	ErrReadOnly = errors.New("store: the disk is read-only")
	// ErrStorage means that the disk or the file failed. The store acknowledges nothing any more: the process must end and start
	// again.
	ErrStorage = errors.New("store: the storage failed")
	// ErrDamaged is an ErrStorage caused by a damaged file: restore a backup.
	ErrDamaged = fmt.Errorf("%w: the database is damaged", ErrStorage)
	// ErrOutcomeUnknown means that a COMMIT was sent and its answer was lost: the rows may or may not be there. Send the same write
	// again, with the same ids.
	ErrOutcomeUnknown = errors.New("store: the outcome of the commit is not known")
	// ErrBusy means that the database cannot accept this right now. Nothing was stored; try again.
	ErrBusy = errors.New("store: the database is busy")
	// ErrNone means that there is no database where one must be.
	ErrNone = errors.New("store: there is no database")
	// ErrLockLost means that this server no longer owns the database: another one took over.
	ErrLockLost = errors.New("store: another server owns this database now")
)

// errWrite is a write that failed for a reason that SQLite does not report; see nameWriteError.
var errWrite = errors.New("store: a write failed")

// Unusable is a refusal to open a database. Sentence is one clear sentence for
// the operator; nothing was changed on disk.
type Unusable struct {
	Sentence string
	Cause    error
	Restore  bool // a backup is the way out
}

// Error implements error.
func (u *Unusable) Error() string { return u.Sentence }

// Unwrap returns the cause.
func (u *Unusable) Unwrap() error { return u.Cause }

// Unusablef makes a refusal of one sentence.
func Unusablef(cause error, format string, args ...any) *Unusable {
	return &Unusable{Sentence: fmt.Sprintf(format, args...), Cause: cause}
}

// Classify wraps a driver's error in the sentinel that shows what to do about it. Errors that need no special treatment are
// returned unchanged.
func Classify(err error) error {
	if err == nil || isClassified(err) {
		return err
	}
	if kind := kindOf(err); kind != nil {
		return fmt.Errorf("%w: %w", kind, err)
	}
	return err
}

func isClassified(err error) bool {
	for _, known := range []error{ErrFull, ErrReadOnly, errWrite, ErrStorage, ErrOutcomeUnknown, ErrBusy, ErrNotFound, ErrLockLost} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

func kindOf(err error) error {
	if errors.Is(err, sql.ErrNoRows) || errors.Is(err, pgx.ErrNoRows) {
		return ErrNotFound
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return sqliteKind(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return postgresKind(pg.Code)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.EIO):
		return ErrStorage
	case errors.Is(err, sql.ErrConnDone), errors.As(err, &connect), errors.As(err, &network), pgconn.Timeout(err), pgconn.SafeToRetry(err),
		errors.Is(err, driver.ErrBadConn),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return ErrBusy // the connection was lost before a COMMIT was sent: nothing is stored
	}
	return nil
}

// sqliteKind sorts result codes. 778 is a failed write: a file-size limit, a
// quota, a disk that became read-only, or a disk fault. 4874 (the index of the
// journal cannot grow) is what opening a database on a full disk returns; 1034
// is a failed fsync.
func sqliteKind(code int) error {
	switch code {
	case sqlite3.SQLITE_IOERR_WRITE:
		return errWrite
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		return ErrFull
	case sqlite3.SQLITE_IOERR_NOMEM:
		return ErrBusy
	}
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY:
		return ErrStorage
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_CANTOPEN:
		return ErrBusy
	}
	return nil
}

// postgresKind sorts SQLSTATE codes (PostgreSQL documentation, appendix A).
func postgresKind(code string) error {
	switch code {
	case "53100": // disk_full
		return ErrFull
	case "25006": // read_only_sql_transaction: a standby, or default_transaction_read_only
		return ErrReadOnly
	case "58030": // io_error
		return ErrStorage
	case "XX001", "XX002": // data_corrupted, index_corrupted
		return ErrDamaged
	case "40001", "40P01", "55P03", "57014": // serialization, deadlock, lock and statement time-out
		return ErrBusy
	case "57P01", "57P02", "57P03", "57P05": // shutting down, crashed, starting, idle session
		return ErrBusy
	}
	switch code[:min(2, len(code))] {
	case "08", "53": // connection, resources
		return ErrBusy
	}
	return nil
}

// commitError sorts the error of a COMMIT, where "failed" and "not known" differ.
func commitError(engine Name, err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, pgx.ErrTxCommitRollback) {
		return Classify(err)
	}
	if engine == SQLite {
		// After a failed fsync the rows may or may not be there when the file is reopened.
		kind := kindOf(err)
		if errors.Is(kind, ErrStorage) {
			return fmt.Errorf("%w: %w: %w", ErrOutcomeUnknown, kind, err)
		}
		return Classify(err)
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] != "08" && pg.Code[:3] != "57P" {
		return Classify(err)
	}
	return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
}
