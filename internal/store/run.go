package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
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

const (
	deleteRun    = `DELETE FROM run WHERE id = $1`
	deleteRunsPG = `DELETE FROM run WHERE id IN (SELECT unnest($1::text[]))`
)

var hotDeleteRun = engine.NewHot(deleteRun)

// DeleteRuns removes runs that late points have joined to others.
func (tx *Tx) DeleteRuns(ctx context.Context, on engine.Name, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if on == engine.Postgres {
		_, err := tx.ExecContext(ctx, deleteRunsPG, ids)
		return err
	}
	drop := tx.Prepared(ctx, hotDeleteRun)
	for _, id := range ids {
		if _, err := drop.Exec(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

const runsBetween = `SELECT id, thing_no, organization_id, start_at, end_at, points_count FROM run
WHERE thing_no = $1 AND start_at <= $2 AND end_at >= $3 ORDER BY start_at`

// runsBetweenPG is the same of many assets.
const runsBetweenPG = `SELECT k.i, r.id, r.thing_no, r.organization_id, r.start_at, r.end_at, r.points_count
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS k(i, thing_no, since, until)
JOIN run r ON r.thing_no = k.thing_no AND r.start_at <= k.until AND r.end_at >= k.since ORDER BY k.i, r.start_at`

var hotRuns = engine.NewHot(runsBetween)

// RunsBetween reads one asset's runs that touch a period, oldest first.
func RunsBetween(ctx context.Context, r Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Run, error) {
	return engine.ListHot(ctx, r, hotRuns, scanRun, thingNo, int64(to), int64(from))
}

// RunsOf reads the runs that touch each of many stretches, as RunsBetween does: on PostgreSQL in one question.
func RunsOf(ctx context.Context, r Reader, on engine.Name, asked []points.Stretch) (out [][]fleet.Run, err error) {
	out = make([][]fleet.Run, len(asked))
	if on == engine.Postgres {
		var in points.Stretches
		for i, s := range asked {
			in.Add(i, s.ThingNo, int64(s.From), int64(s.To))
		}
		return out, runsInto(ctx, r, out, runsBetweenPG, in.I, in.Nos, in.Froms, in.Tos)
	}
	for i, s := range asked {
		if out[i], err = RunsBetween(ctx, r, s.ThingNo, s.From, s.To); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const lastRuns = `SELECT id, thing_no, organization_id, start_at, end_at, points_count FROM run WHERE thing_no = $1
	ORDER BY start_at DESC LIMIT $2`

const lastRunsPG = `SELECT k.i, r.id, r.thing_no, r.organization_id, r.start_at, r.end_at, r.points_count
FROM unnest($1::bigint[], $2::bigint[]) AS k(i, thing_no)
CROSS JOIN LATERAL (SELECT * FROM run AS x WHERE x.thing_no = k.thing_no ORDER BY x.start_at DESC LIMIT $3) AS r
ORDER BY k.i, r.start_at DESC`

var hotLastRuns = engine.NewHot(lastRuns)

// LastRuns reads the newest runs of each of many assets, newest first: on PostgreSQL in one question.
func LastRuns(ctx context.Context, r Reader, on engine.Name, things []int64, n int) (out [][]fleet.Run, err error) {
	out = make([][]fleet.Run, len(things))
	if on == engine.Postgres {
		is := make([]int64, len(things))
		for i := range is {
			is[i] = int64(i)
		}
		return out, runsInto(ctx, r, out, lastRunsPG, is, things, n)
	}
	for i, no := range things {
		if out[i], err = engine.ListHot(ctx, r, hotLastRuns, scanRun, no, n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// runsInto puts runs into the slot that the first column names.
func runsInto(ctx context.Context, r Reader, out [][]fleet.Run, query string, args ...any) error {
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (_ struct{}, err error) {
		var i int
		var run fleet.Run
		err = rows.Scan(&i, &run.ID, &run.ThingNo, &run.OrganizationID, &run.StartAt, &run.EndAt, &run.Points)
		if err == nil {
			out[i] = append(out[i], run)
		}
		return struct{}{}, err
	}, query, args...)
	return err
}

func scanRun(rows *sql.Rows) (r fleet.Run, err error) {
	err = rows.Scan(&r.ID, &r.ThingNo, &r.OrganizationID, &r.StartAt, &r.EndAt, &r.Points)
	return r, err
}
