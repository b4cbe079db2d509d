package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const upsertRun = `INSERT INTO run (id, thing_no, organization_id, start_at, end_at, points_count, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (id) DO UPDATE SET start_at = excluded.start_at, end_at = excluded.end_at, points_count = excluded.points_count, updated_at = excluded.updated_at`

// SaveRun writes a run.
func (tx *Tx) SaveRun(ctx context.Context, r fleet.Run, at fleet.Instant) error {
	upsert, err := tx.prepared(ctx, hotRun)
	if err != nil {
		return err
	}
	defer func() { _ = upsert.Close() }()
	_, err = upsert.ExecContext(ctx, r.ID, r.ThingNo, r.OrganizationID, int64(r.StartAt), int64(r.EndAt), r.Points, int64(at))
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
	rows, err := r.QueryContext(ctx, runsBetween, thingNo, int64(to), int64(from))
	if err != nil {
		return nil, err
	}
	return collect(rows, scanRun)
}

const lastRuns = `SELECT id, thing_no, organization_id, start_at, end_at, points_count FROM run WHERE thing_no = $1 ORDER BY start_at DESC LIMIT $2`

// LastRuns reads one asset's newest runs, newest first.
func LastRuns(ctx context.Context, r Reader, thingNo int64, n int) ([]fleet.Run, error) {
	rows, err := r.QueryContext(ctx, lastRuns, thingNo, n)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanRun)
}

func scanRun(rows *sql.Rows) (r fleet.Run, err error) {
	err = rows.Scan(&r.ID, &r.ThingNo, &r.OrganizationID, &r.StartAt, &r.EndAt, &r.Points)
	return r, err
}
