package store

import (
	"context"

	"lightbar/internal/store/engine"
)

const getSetting = `SELECT value FROM setting WHERE name = $1`

// Setting reads one setting; ErrNotFound when nobody has set it.
func Setting(ctx context.Context, r Reader, name string) (string, error) {
	var v string
	err := r.QueryRowContext(ctx, getSetting, name).Scan(&v)
	return v, engine.OrNotFound(err)
}

const listSettings = `SELECT name, value FROM setting WHERE name LIKE $1 ORDER BY name`

// Settings reads every setting whose name begins with the prefix.
func Settings(ctx context.Context, r Reader, prefix string) (map[string]string, error) {
	rows, err := r.QueryContext(ctx, listSettings, prefix+"%")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, rows.Err()
}

const putSetting = `INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

// PutSetting writes one setting.
func (tx *Tx) PutSetting(ctx context.Context, name, value string) error {
	_, err := tx.ExecContext(ctx, putSetting, name, value)
	return err
}
