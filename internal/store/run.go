package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const upsertRun = `INSERT INTO run (id, thing_no, organization_id, start_at, end_at, points_count, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (id) DO UPDATE SET start_at = excluded.start_at, end_at = excluded.end_at, points_count = excluded.points_count,
updated_at = excluded.updated_at`

const upsertRunsPG = `INSERT INTO run (id, thing_no, organization_id, start_at, end_at, points_count, updated_at)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
	AS v(id, thing_no, organization_id, start_at, end_at, points_count, updated_at) ORDER BY 1
ON CONFLICT (id) DO UPDATE SET start_at = excluded.start_at, end_at = excluded.end_at, points_count = excluded.points_count,
updated_at = excluded.updated_at`

var hotRun = engine.NewHot(upsertRun)

// SaveRuns writes runs. Of those with the same id the last one counts.
func (tx *Tx) SaveRuns(ctx context.Context, on engine.Name, runs []fleet.Run, at fleet.Instant) error {
	if len(runs) == 0 {
		return nil
	}
	if on == engine.Postgres {
		return tx.saveRunsPG(ctx, runs, at)
	}
	upsert := tx.Prepared(ctx, hotRun)
	for _, r := range runs {
		if _, err := upsert.Exec(ctx, r.ID, r.ThingNo, r.OrganizationID, int64(r.StartAt), int64(r.EndAt), r.Points, int64(at)); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) saveRunsPG(ctx context.Context, runs []fleet.Run, at fleet.Instant) error {
	var ids, owners []string
	var nos, starts, ends, counts, ats []int64
	last := make(map[string]int, len(runs)) // one statement may not meet a row twice
	for i := range runs {
		last[runs[i].ID] = i
	}
	for i, r := range runs {
		if last[r.ID] != i {
			continue
		}
		ids, nos, owners = append(ids, r.ID), append(nos, r.ThingNo), append(owners, r.OrganizationID)
		starts, ends, counts = append(starts, int64(r.StartAt)), append(ends, int64(r.EndAt)), append(counts, r.Points)
		ats = append(ats, int64(at))
	}
	_, err := tx.ExecContext(ctx, upsertRunsPG, ids, nos, owners, starts, ends, counts, ats)
	return err
}

const deleteRun = `DELETE FROM run WHERE id = $1`

// DeleteRun removes a run that late points have joined to another.
func (tx *Tx) DeleteRun(ctx context.Context, id string) error {
	_, err := tx.ExecContext(ctx, deleteRun, id)
	return err
}

const runsBetween = `SELECT id, thing_no, organization_id, start_at, end_at, points_count FROM run
WHERE thing_no = $1 AND start_at <= $2 AND end_at >= $3 ORDER BY start_at`

// RunsBetween reads one asset's runs that touch a stretch of time, oldest first.
func RunsBetween(ctx context.Context, r Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Run, error) {
	return engine.List(ctx, r, scanRun, runsBetween, thingNo, int64(to), int64(from))
}

const lastRuns = `SELECT id, thing_no, organization_id, start_at, end_at, points_count FROM run WHERE thing_no = $1
	ORDER BY start_at DESC LIMIT $2`

// LastRuns reads one asset's newest runs, newest first.
func LastRuns(ctx context.Context, r Reader, thingNo int64, n int) ([]fleet.Run, error) {
	return engine.List(ctx, r, scanRun, lastRuns, thingNo, n)
}

func scanRun(rows *sql.Rows) (r fleet.Run, err error) {
	err = rows.Scan(&r.ID, &r.ThingNo, &r.OrganizationID, &r.StartAt, &r.EndAt, &r.Points)
	return r, err
}
