package points

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"lightbar/internal/store/engine"
)

const (
	// mergeAt is how many points make a generation: more of them share the pages of the table, and more memory (some 100 bytes each).
	mergeAt = 250_000
	// mergeAfter is how long points of a quiet fleet wait to be merged.
	mergeAfter = 10 * time.Second
	// mergeLook is how often the clock looks after both.
	mergeLook = time.Second
	// mergeSlice is how many points are merged in one transaction: some milliseconds.
	mergeSlice = 1000
	// mergePace is how many points are merged for each new one: enough to finish before the next generation is full.
	mergePace = 1.25
	// mergeRows is how many rows of the intake one transaction deletes.
	mergeRows = 256
)

// Unmerged counts the points that this process has stored and not merged yet.
func (s *Store) Unmerged() (points int) {
	in := &s.intake
	in.mu.RLock()
	defer in.mu.RUnlock()
	if !in.known {
		return 0
	}
	for _, g := range in.generations() {
		points += len(g.rows)
	}
	return points
}

// startMerging starts the timer that merges what is not merged together with
// commits.
func (s *Store) startMerging() {
	ctx, stop := context.WithCancel(context.Background())
	in := &s.intake
	in.stop, in.finished = stop, make(chan struct{})
	go func() {
		defer close(in.finished)
		tick := time.NewTicker(mergeLook)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-in.full:
			case <-tick.C:
				in.begin(s.intake.now().Add(-mergeAfter))
				s.mergeAlone(ctx)
				continue
			}
			in.begin(time.Time{})
		}
	}()
}

func (s *Store) stopMerging() {
	if s.intake.stop != nil {
		s.intake.stop()
		<-s.intake.finished
	}
}

// begin starts to merge the filling generation if it is full, or no younger
// than by.
func (in *intake) begin(by time.Time) {
	in.turn.Lock()
	in.mu.Lock()
	g := in.filling
	due := in.known && in.merging == nil && len(g.rows) > 0 && (len(g.rows) >= in.mergeAt || !g.since.After(by))
	if due {
		next := in.idle
		if in.idle = nil; next == nil {
			next = newGeneration(0)
		}
		clear(next.last)
		clear(next.at)
		in.filling = &generation{rows: next.rows[:0], at: next.at, prev: next.prev[:0], order: next.order[:0], last: next.last,
			first: math.MaxInt64, from: g.upTo, upTo: g.upTo}
		in.merging = g
	}
	in.mu.Unlock()
	in.turn.Unlock()
	if !due {
		return
	}
	// Sorted with nobody waiting: its rows do not change any more.
	order := g.order[:0]
	for i := range g.rows {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int { return inTableOrder(&g.rows[a], &g.rows[b]) })
	in.turn.Lock()
	g.order, g.sorted = order, true
	in.turn.Unlock()
}

// mergeAlone merges in its own transactions while no commits come that could do
// it. After a failure the next tick tries again; until then all points remain
// in the intake.
func (s *Store) mergeAlone(ctx context.Context) {
	for ctx.Err() == nil {
		in := &s.intake
		in.turn.Lock()
		g := in.merging
		rides := g == nil || !in.known || !g.sorted || g.seen != g.merged
		if g != nil {
			g.seen = g.merged
		}
		in.turn.Unlock()
		if rides {
			return
		}
		if err := s.Write(ctx, func(tx *Tx) error {
			if err := tx.enter(ctx); err != nil {
				return err
			}
			return tx.merge(ctx, s.Engine(), mergeSlice)
		}); err != nil {
			return
		}
		in.turn.Lock()
		g.seen = g.merged
		in.turn.Unlock()
	}
}

// mergeBeside merges within a commit of n points, a slice at a time, as many points as mergePace requires. So a small commit seldom
// waits for it, and no extra sync is needed.
func (tx *Tx) mergeBeside(ctx context.Context, on engine.Name, n int) error {
	g := tx.intake.merging
	if g == nil || !g.sorted {
		return nil
	}
	if g.owed += int(mergePace*float64(n)) + 1; g.owed < mergeSlice {
		return nil
	}
	owed := g.owed
	g.owed = 0
	return tx.merge(ctx, on, owed)
}

// merge puts the next points of the merging generation into their table; when
// all are there it deletes their rows of the intake.
func (tx *Tx) merge(ctx context.Context, on engine.Name, n int) error {
	in := tx.intake
	g := in.merging
	if g == nil || !g.sorted {
		return nil
	}
	if g.merged < len(g.order) {
		some := g.order[g.merged:min(g.merged+n, len(g.order))]
		if err := tx.insertRows(ctx, on, g, some); err != nil {
			return err
		}
		g.merged += len(some)
		return nil
	}
	to := min(g.from+mergeRows, g.upTo)
	if _, err := tx.ExecContext(ctx, deleteIntake, to); err != nil {
		return err
	}
	g.from = to
	return nil
}

const deleteIntake = `DELETE FROM point_intake WHERE no <= $1`

// rowsAtOnce is how many points one statement inserts on SQLite.
const rowsAtOnce = 8

// insertPoints is the text for rowsAtOnce points. Its parameters are nameless: the driver queries SQLite for the name of each,
// which it looks up one by one.
var insertPoints = `INSERT INTO point (` + pointColumns + `) VALUES ` +
	strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?), ", rowsAtOnce), ", ") + orNothing

var hotPoint, hotPoints = engine.NewHot(insertPoint), engine.NewHot(insertPoints)

// insertRows puts points into their table; those that are there already stay as they are.
func (tx *Tx) insertRows(ctx context.Context, on engine.Name, g *generation, order []int32) error {
	if on == engine.Postgres {
		return tx.insertRowsPG(ctx, g, order)
	}
	for _, step := range []struct {
		which engine.Hot
		rows  int
	}{{hotPoints, rowsAtOnce}, {hotPoint, 1}} {
		insert := tx.Prepared(ctx, step.which)
		args := make([]any, 0, step.rows*len(pointRow{}))
		for ; len(order) >= step.rows; order = order[step.rows:] {
			args = args[:0]
			for _, i := range order[:step.rows] {
				for _, v := range g.rows[i] {
					args = append(args, v)
				}
			}
			if _, err := insert.Exec(ctx, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// insertRowsPG handles conflicts only where there may be some, because that
// costs a third of the time. If an unexpected conflict occurs, the transaction
// fails, the intake is read again, and its points are inserted with conflict
// handling.
func (tx *Tx) insertRowsPG(ctx context.Context, g *generation, order []int32) error {
	var columns [len(pointRow{})][]int64
	for k := range columns {
		columns[k] = make([]int64, len(order))
	}
	for i, at := range order {
		for k, v := range g.rows[at] {
			columns[k][i] = v
		}
	}
	args := make([]any, len(columns))
	for k := range columns {
		args[k] = columns[k]
	}
	text := insertPointsPG
	if g.again {
		text += orNothing
	}
	_, err := tx.ExecContext(ctx, text, args...)
	return err
}
