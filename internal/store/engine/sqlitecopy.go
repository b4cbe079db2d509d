package engine

import (
	"context"
	"database/sql"
	"errors"
)

// CopySQLite writes a compact copy of one snapshot; writers go on meanwhile.
func CopySQLite(ctx context.Context, from, to string) error {
	db, err := sql.Open("sqlite", copierDSN(from))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, "VACUUM INTO "+quoteSQLite(to))
	return errors.Join(err, db.Close())
}

const litePages = `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)`

// SQLiteBytes is the size of the open database's pages, including those in its journal.
func (s *Store) SQLiteBytes(ctx context.Context) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, litePages).Scan(&n)
	return n, Classify(err)
}

func quoteSQLite(text string) string {
	out := []byte{'\''}
	for _, c := range []byte(text) {
		if c == '\'' {
			out = append(out, '\'')
		}
		out = append(out, c)
	}
	return string(append(out, '\''))
}
