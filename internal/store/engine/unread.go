package engine

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// ErrUnreadable means that a row exists and one of its columns has content that nobody wrote there.
var ErrUnreadable = errors.New("store: a row cannot be read")

// UnreadRow is a row that cannot be read. It contains nothing of the row's content.
type UnreadRow struct{ Table, Key, Column string }

// Error implements error.
func (u UnreadRow) Error() string {
	return fmt.Sprintf("%v: %s %s, column %s", ErrUnreadable, u.Table, u.Key, u.Column)
}

// Unwrap returns the sentinel.
func (UnreadRow) Unwrap() error { return ErrUnreadable }

// unreadKept bounds how many rows a process remembers: a disk that loses more has been named by then.
const unreadKept = 1000

// unreadRows are the rows that could not be read since the start; the zero value works.
type unreadRows struct {
	mu   sync.Mutex
	rows map[UnreadRow]struct{}
}

// isNew reports whether a row was not noted yet, and notes it.
func (u *unreadRows) isNew(row UnreadRow) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.rows[row]; known || len(u.rows) >= unreadKept {
		return false
	}
	if u.rows == nil {
		u.rows = map[UnreadRow]struct{}{}
	}
	u.rows[row] = struct{}{}
	return true
}

// UnreadRows counts the rows that could not be read since the start, each once.
func (s *Store) UnreadRows() int {
	s.unread.mu.Lock()
	defer s.unread.mu.Unlock()
	return len(s.unread.rows)
}

func (s *Store) noteUnread(row UnreadRow) {
	if s != nil && s.unread.isNew(row) {
		s.log.Error("a row of the database cannot be read and is left out; a backup made before may have it",
			"noun", row.Table, "id", row.Key, "column", row.Column)
	}
}

// NoteUnread notes that a row cannot be read, where the reader belongs to an open store.
func NoteUnread(r Reader, row UnreadRow) {
	if of, ok := r.(interface{ NoteUnread(row UnreadRow) }); ok {
		of.NoteUnread(row)
	}
}

// snapshot is a Reader that sees the same rows in all its reads.
type snapshot struct {
	*sql.Tx
	of *Store
}

// NoteUnread notes a row in the store.
func (s snapshot) NoteUnread(row UnreadRow) { s.of.noteUnread(row) }

// NoteUnread notes a row in the store.
func (r reader) NoteUnread(row UnreadRow) { r.of.noteUnread(row) }

// NoteUnread notes a row in the store.
func (tx *Tx) NoteUnread(row UnreadRow) { tx.of.noteUnread(row) }

// UnreadColumn returns which column a driver's error is about; false for one that is about no column.
func UnreadColumn(err error) (index int, is bool) {
	n, _ := fmt.Sscanf(err.Error(), "sql: Scan error on column index %d,", &index)
	return index, n == 1
}
