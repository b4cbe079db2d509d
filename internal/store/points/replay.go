package points

import (
	"context"
	"math"
	"slices"
	"sort"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// reportsPage is how many reports a replay holds of each kind at a time.
const reportsPage = 10000

const pointsReceived = `SELECT ` + pointColumns + ` FROM point
WHERE (minute, thing_no, at) > ($1, $2, $3) AND received_at >= $4 ORDER BY minute, thing_no, at LIMIT $5`

const signalsReceived = `SELECT ` + signalColumns + ` FROM signal
WHERE (minute, thing_no, kind, at) > ($1, $2, $3, $4) AND received_at >= $5 ORDER BY minute, thing_no, kind, at LIMIT $6`

// EachReport visits the stored reports that do not rest yet: those received at or after an
// instant and whose own instants are in a minute or later: minute by minute,
// within a minute asset by asset, an asset's reports by their own instants. One
// call of visit brings one asset's reports of one minute; the slices are valid
// until it returns. It reads in pages, so that memory does not grow with the
// reports and no cursor stays open.
func EachReport(ctx context.Context, r engine.Reader, since, received fleet.Instant, visit func([]fleet.Point, []fleet.Signal)) error {
	points, err := pagePoints(ctx, r, since, received)
	if err != nil {
		return err
	}
	signals := pager[fleet.Signal]{more: func(last *fleet.Signal) ([]fleet.Signal, error) {
		minute, no, kind, at := minuteOf(since), int64(math.MinInt64), int64(0), int64(0)
		if last != nil {
			minute, no, kind, at = minuteOf(last.At), last.ThingNo, int64(last.Kind), int64(last.At)
		}
		return engine.List(ctx, r, scanSignal, signalsReceived, minute, no, kind, at, int64(received), reportsPage)
	}}
	pointOf := func(p *pointRow) group { return group{p[0], p[1]} }
	signalOf := func(g *fleet.Signal) group { return group{minuteOf(g.At), g.ThingNo} }
	var rows []pointRow
	var ps []fleet.Point
	var gs []fleet.Signal
	for {
		at, there, err := points.head(pointOf)
		if err != nil {
			return err
		}
		other, more, err := signals.head(signalOf)
		if err != nil {
			return err
		}
		if !there && !more {
			return nil
		}
		if more && (!there || other.before(at)) {
			at = other
		}
		if rows, err = points.take(rows[:0], at, pointOf); err != nil {
			return err
		}
		ps = ps[:0]
		for i := range rows {
			ps = append(ps, rows[i].point())
		}
		if gs, err = signals.take(gs[:0], at, signalOf); err != nil {
			return err
		}
		visit(ps, gs)
	}
}

// pagePoints reads the points of the table in pages, with those of the intake between them.
func pagePoints(ctx context.Context, r engine.Reader, since, received fleet.Instant) (pager[pointRow], error) {
	in, err := intakePoints(ctx, r, 0, math.MinInt64, math.MaxInt64)
	in = slices.DeleteFunc(in, func(p pointRow) bool { return p[0] < minuteOf(since) || p[3] < int64(received) })
	slices.SortFunc(in, func(a, b pointRow) int { return inTableOrder(&a, &b) })
	return pager[pointRow]{more: func(last *pointRow) ([]pointRow, error) {
		after := pointRow{minuteOf(since), math.MinInt64, 0}
		if last != nil {
			after = *last
		}
		rows, err := r.QueryContext(ctx, pointsReceived, after[0], after[1], after[2], int64(received), reportsPage)
		if err != nil {
			return nil, err
		}
		page, err := engine.Collect(rows, scanPointRow)
		n := len(in)
		if len(page) == reportsPage { // those after it come with a later page
			n = sort.Search(n, func(i int) bool { return inTableOrder(&in[i], &page[len(page)-1]) > 0 })
		}
		page, in = withIntake(page, in[:n]), in[n:]
		return page, err
	}}, err
}

// group is the content of one call of EachReport.
type group struct{ minute, no int64 }

func (g group) before(o group) bool {
	return g.minute < o.minute || g.minute == o.minute && g.no < o.no
}

// pager reads rows in the order of their key, a page at a time.
type pager[T any] struct {
	more func(last *T) ([]T, error)
	page []T
	next int
	end  bool
}

// head returns the group of the next row; false when there is none.
func (p *pager[T]) head(of func(*T) group) (g group, ok bool, err error) {
	if p.next == len(p.page) && !p.end {
		var last *T
		if p.next > 0 {
			last = &p.page[p.next-1]
		}
		if p.page, err = p.more(last); err != nil {
			return g, false, err
		}
		p.next, p.end = 0, len(p.page) < reportsPage
	}
	if p.next == len(p.page) {
		return g, false, nil
	}
	return of(&p.page[p.next]), true, nil
}

// take adds the rows of a group that come next.
func (p *pager[T]) take(to []T, g group, of func(*T) group) ([]T, error) {
	for {
		h, ok, err := p.head(of)
		if err != nil || !ok || h != g {
			return to, err
		}
		to = append(to, p.page[p.next])
		p.next++
	}
}
