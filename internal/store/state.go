package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// upsertState is the SQLite text of the second statement that differs by engine.
const upsertState = `INSERT INTO thing_state (thing_no, at, doc, body, late) VALUES ($1, $2, '', $3, $4)
ON CONFLICT (thing_no) DO UPDATE SET at = excluded.at, doc = '', body = excluded.body, late = excluded.late`

// upsertStatesPG sorts by key, so that writers in different order cannot deadlock.
const upsertStatesPG = `INSERT INTO thing_state (thing_no, at, doc, body, late)
SELECT v.thing_no, v.at, '', v.body, CAST($1 AS BIGINT)
FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS v(thing_no, at, body) ORDER BY 1
ON CONFLICT (thing_no) DO UPDATE SET at = excluded.at, doc = '', body = excluded.body, late = excluded.late`

var hotState = engine.NewHot(upsertState)

// statesAtOnce bounds what one statement carries to PostgreSQL.
const statesAtOnce = 2000

// SaveStates writes live states as of an instant; they have the late reports up
// to a number of the journal. Assets must not repeat.
func (tx *Tx) SaveStates(ctx context.Context, on engine.Name, states []*fleet.State, at fleet.Instant, late int64) error {
	if len(states) == 0 {
		return nil
	}
	if on == engine.Postgres {
		return tx.saveStatesPG(ctx, states, at, late)
	}
	upsert := tx.Prepared(ctx, hotState)
	var body []byte
	for _, s := range states {
		body = appendState(body[:0], s)
		if _, err := upsert.Exec(ctx, s.No, int64(at), body, late); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) saveStatesPG(ctx context.Context, states []*fleet.State, at fleet.Instant, late int64) error {
	for some := range slices.Chunk(states, statesAtOnce) {
		nos, ats, bodies := make([]int64, len(some)), make([]int64, len(some)), make([][]byte, len(some))
		var all []byte // one allocation for most of them
		for i, s := range some {
			from := len(all)
			all = appendState(all, s)
			nos[i], ats[i], bodies[i] = s.No, int64(at), all[from:len(all):len(all)]
		}
		if _, err := tx.ExecContext(ctx, upsertStatesPG, late, nos, ats, bodies); err != nil {
			return err
		}
	}
	return nil
}

// SavedState is a live state as it was written.
type SavedState struct {
	At    fleet.Instant // when
	Late  int64         // it has the late reports up to this number of the journal
	State fleet.State
}

const statesPage = 5000

const statesAfter = `SELECT thing_no, at, doc, body, late FROM thing_state WHERE thing_no > $1 ORDER BY thing_no LIMIT $2`

// EachState visits every saved live state, in pages. One that cannot be read stops nothing: unreadable is called with the number of
// its asset, and why.
func EachState(ctx context.Context, r Reader, visit func(*SavedState), unreadable func(no int64, err error)) error {
	type row struct {
		SavedState
		err error
	}
	after := int64(-1)
	for {
		rows, err := r.QueryContext(ctx, statesAfter, after, statesPage)
		if err != nil {
			return err
		}
		page, err := engine.Collect(rows, func(rows *sql.Rows) (s row, err error) {
			var doc, body sql.RawBytes
			var no int64
			if err = rows.Scan(&no, &s.At, &doc, &body, &s.Late); err != nil {
				return s, err
			}
			if len(body) > 0 {
				s.err = readState(body, &s.State)
			} else { // an earlier version wrote it
				s.err = json.Unmarshal(doc, &s.State)
			}
			s.State.No = no
			return s, nil
		})
		if err != nil {
			return err
		}
		for i := range page {
			s := &page[i]
			if after = s.State.No; s.err != nil {
				unreadable(after, s.err)
				continue
			}
			visit(&s.SavedState)
		}
		if len(page) < statesPage {
			return nil
		}
	}
}

// savedToName is the setting that holds how far states are written.
const savedToName = "live.saved_to"

// SavedTo reads how far live states are written: every report that was received
// before is in them. ErrNotFound before the first time.
func SavedTo(ctx context.Context, r Reader) (fleet.Instant, error) {
	text, err := Setting(ctx, r, savedToName)
	if err != nil {
		return 0, err
	}
	at, err := fleet.ParseInstant(text)
	if err != nil {
		return 0, fmt.Errorf("the setting %s cannot be read: %.40q is no instant", savedToName, text)
	}
	return at, nil
}

// PutSavedTo writes how far live states are written.
func (tx *Tx) PutSavedTo(ctx context.Context, at fleet.Instant) error {
	return tx.PutSetting(ctx, savedToName, at.String())
}
