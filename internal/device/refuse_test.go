package device

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// Whatever a database says went wrong, a device is told to come again: any other
// answer would make it drop what it holds. A connection that is lost has the same
// names on both sides of the server, so each is tried as it comes and wrapped.
func TestNoFaultOfTheDatabaseIsTheSendersFault(t *testing.T) {
	faults := []error{
		io.ErrUnexpectedEOF, io.EOF, io.ErrClosedPipe, io.ErrNoProgress, os.ErrDeadlineExceeded, os.ErrClosed, net.ErrClosed,
		context.DeadlineExceeded, context.Canceled,
		sql.ErrNoRows, sql.ErrTxDone, sql.ErrConnDone, driver.ErrBadConn, pgx.ErrNoRows, pgx.ErrTxClosed, pgx.ErrTxCommitRollback,
		syscall.ECONNRESET, syscall.EPIPE, syscall.ENOSPC, syscall.EROFS, syscall.EIO,
		&net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)},
		&net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded},
		&net.DNSError{Err: "no such host", Name: "db"},
		&pgconn.ConnectError{},
		engine.ErrFull, engine.ErrReadOnly, engine.ErrStorage, engine.ErrDamaged, engine.ErrOutcomeUnknown, engine.ErrBusy, engine.ErrLockLost, store.ErrNotFound,
		errors.New("anything else"),
	}
	for _, code := range []string{"08006", "25006", "40001", "42P01", "53100", "53300", "57014", "57P01", "57P04", "58030", "XX000", "XX001", "22021", ""} {
		faults = append(faults, &pgconn.PgError{Code: code})
	}
	for _, fault := range faults {
		for _, err := range []error{fault, fmt.Errorf("store: read: %w", fault), errors.Join(errors.New("store: rollback"), fault), engine.Classify(fault)} {
			w := httptest.NewRecorder()
			refuse(w, err)
			if w.Code != 503 || w.Header().Get("Retry-After") == "" {
				t.Errorf("%T %v: answered %d %s", err, err, w.Code, w.Body)
			}
		}
	}
}

// What went wrong with the body itself keeps its own name, whatever the connection calls it.
func TestAFaultOfTheBodyIsNamed(t *testing.T) {
	for _, cause := range []error{io.ErrUnexpectedEOF, syscall.ECONNRESET, errors.New("flate: corrupt input")} {
		err := readError(cause)
		if !errors.Is(err, errBody) || errors.Is(err, cause) {
			t.Errorf("%v became %v", cause, err)
		}
		w := httptest.NewRecorder()
		refuse(w, err)
		if w.Code != 400 {
			t.Errorf("%v: answered %d", cause, w.Code)
		}
	}
}
