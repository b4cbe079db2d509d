package engine

import (
	"context"
	"database/sql"
	"errors"
)

// List reads all rows of a query.
func List[T any](ctx context.Context, r Reader, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := r.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return Collect(rows, scan)
}

// Collect scans every row and closes the cursor.
func Collect[T any](rows *sql.Rows, scan func(*sql.Rows) (T, error)) ([]T, error) {
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// Text scans the only column.
func Text(rows *sql.Rows) (text string, err error) {
	err = rows.Scan(&text)
	return text, err
}

// Changed reports whether a statement hit a row.
func Changed(res sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// OrNotFound turns the driver's "no rows" into ErrNotFound.
func OrNotFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}
