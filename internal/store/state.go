package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"lightbar/internal/fleet"
)

// upsertState is the SQLite text of the second statement that differs by engine.
const upsertState = `INSERT INTO thing_state (thing_no, at, doc) VALUES ($1, $2, $3)
ON CONFLICT (thing_no) DO UPDATE SET at = excluded.at, doc = excluded.doc`

// upsertStatesPG sorts by key, so that writers in different order cannot deadlock.
const upsertStatesPG = `INSERT INTO thing_state (thing_no, at, doc)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS v(thing_no, at, doc) ORDER BY 1
ON CONFLICT (thing_no) DO UPDATE SET at = excluded.at, doc = excluded.doc`

// SaveStates writes live states as of an instant. Assets must not repeat.
func (tx *Tx) SaveStates(ctx context.Context, engine Engine, states []*fleet.State, at fleet.Instant) error {
	if len(states) == 0 {
		return nil
	}
	nos, ats, docs := make([]int64, len(states)), make([]int64, len(states)), make([]string, len(states))
	for i, s := range states {
		doc, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("store: state of %d: %w", s.No, err)
		}
		nos[i], ats[i], docs[i] = s.No, int64(at), string(doc)
	}
	if engine == Postgres {
		_, err := tx.ExecContext(ctx, upsertStatesPG, nos, ats, docs)
		return err
	}
	upsert, err := tx.PrepareContext(ctx, upsertState)
	if err != nil {
		return err
	}
	defer func() { _ = upsert.Close() }()
	for i := range states {
		if _, err := upsert.ExecContext(ctx, nos[i], ats[i], docs[i]); err != nil {
			return err
		}
	}
	return nil
}

// SavedState is a live state as it was written.
type SavedState struct {
	At    fleet.Instant // when
	State fleet.State
}

const statesAfter = `SELECT thing_no, at, doc FROM thing_state WHERE thing_no > $1 ORDER BY thing_no LIMIT $2`

// EachState visits every saved live state, in pages.
func EachState(ctx context.Context, r Reader, visit func(SavedState)) error {
	after := int64(-1)
	for {
		rows, err := r.QueryContext(ctx, statesAfter, after, pointsPage)
		if err != nil {
			return err
		}
		page, err := collect(rows, func(rows *sql.Rows) (s SavedState, err error) {
			var doc string
			var no int64
			if err = rows.Scan(&no, &s.At, &doc); err != nil {
				return s, err
			}
			if err = json.Unmarshal([]byte(doc), &s.State); err != nil {
				return s, fmt.Errorf("store: state of %d: %w", no, err)
			}
			s.State.No = no
			return s, nil
		})
		if err != nil {
			return err
		}
		for i := range page {
			visit(page[i])
			after = page[i].State.No
		}
		if len(page) < pointsPage {
			return nil
		}
	}
}
