package live

import (
	"context"
	"maps"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// The journal of late reports. At startup, the reports received since states were written are read by their own instants and in
// that order. So a start would miss a report that is much older than its receipt, apply one that came after newer ones as if it had
// come before them, and skip one that was received no later than the newest report in its asset's state. A commit notes such
// reports in the journal, all in one row; the states of their assets are written when their turn comes, as all others are. A saved
// state has the number of the last row that it contains.

// journal tracks which rows the database must keep. Only the writer uses it.
type journal struct {
	since []int64 // beside entries: the first row with a report that the state's row lacks, 0 = none
	no    int64   // the newest number given; a number is never given twice, as its commit may have succeeded without our knowledge
	first int64   // no row before it is in the database
}

// note records that the newest row has a report of an asset whose state is not written.
func (j *journal) note(slot int32) {
	if j.since[slot] == 0 {
		j.since[slot] = j.no
	}
}

// oldest is the first row that is still needed.
func (j *journal) oldest() int64 {
	oldest := j.no + 1
	for _, no := range j.since {
		if no != 0 {
			oldest = min(oldest, no)
		}
	}
	return oldest
}

// saveLate notes the late reports of the change, unless the states of all their assets are written with it.
func (c *Change) saveLate(ctx context.Context, tx *store.Tx) error {
	if len(c.late) == 0 || !slices.ContainsFunc(c.touched, func(t touched) bool { return t.late && !t.saved }) {
		return nil
	}
	c.p.saving.journal.no++
	return tx.PutLate(ctx, c.p.saving.journal.no, c.late)
}

// lateReports are the journal's reports that the saved states lack, as they are replayed at startup.
type lateReports struct {
	of map[int32]*lateOf    // by slot
	at map[lateKey]struct{} // those that are also in the rest of the replay
}

// lateOf holds one asset's, each list in the order of arrival.
type lateOf struct{ ordered, late []points.Late }

type lateKey struct {
	no   int64
	kind fleet.SignalKind // 0 = a point
	at   fleet.Instant
}

func keyOf(l *points.Late) lateKey {
	if l.Signal != nil {
		return lateKey{l.Signal.ThingNo, l.Signal.Kind, l.Signal.At}
	}
	return lateKey{l.Point.ThingNo, 0, l.Point.At}
}

// readJournal reads what the states lack; since is the instant from which other reports are replayed.
func (p *Picture) readJournal(ctx context.Context, r store.Reader, states savedStates, since fleet.Instant) (*lateReports, error) {
	out := &lateReports{of: map[int32]*lateOf{}, at: map[lateKey]struct{}{}}
	last, err := store.LastLate(ctx, r)
	if err != nil {
		return nil, err
	}
	j := &p.saving.journal
	j.no, j.first = last, 1
	err = store.EachLate(ctx, r, func(no int64, l *points.Late) {
		slot, ok := p.byNo[l.ThingNo()]
		if !ok || no <= states.late[slot] {
			return
		}
		of := out.of[slot]
		if of == nil {
			of = &lateOf{}
			out.of[slot] = of
		}
		if l.Ordered {
			of.ordered = append(of.ordered, *l)
		} else {
			of.late = append(of.late, *l)
		}
		if k := keyOf(l); k.at >= since.Add(-time.Minute) { // what is read begins with a whole minute
			out.at[k] = struct{}{}
		}
	}, func(err error) {
		p.log.Error("live: late reports cannot be read, the states of some assets start without them", "error", err)
	})
	return out, err
}

func (l *lateReports) has(no int64, kind fleet.SignalKind, at fleet.Instant) bool {
	if len(l.at) == 0 {
		return false
	}
	_, ok := l.at[lateKey{no, kind, at}]
	return ok
}

// before applies what came before a report that an asset sent in order.
func (l *lateReports) before(c *Change, no int64, at, received fleet.Instant) {
	if len(l.of) == 0 {
		return
	}
	slot, ok := c.p.byNo[no]
	of := l.of[slot]
	if !ok || of == nil {
		return
	}
	for len(of.ordered) > 0 && of.ordered[0].EffectiveAt() <= at {
		next := &of.ordered[0]
		of.came(c, slot, next.ReceivedAt())
		c.takeLate(slot, next)
		of.ordered = of.ordered[1:]
	}
	of.came(c, slot, received)
}

// came applies the late reports that came before an instant, and after a newer one.
func (o *lateOf) came(c *Change, slot int32, before fleet.Instant) {
	for len(o.late) > 0 && o.late[0].ReceivedAt() < before && o.late[0].EffectiveAt() < c.touch(slot).state.HeartbeatAt {
		c.takeLate(slot, &o.late[0])
		o.late = o.late[1:]
	}
}

// finish applies the rest.
func (l *lateReports) finish(c *Change) {
	for _, slot := range slices.Sorted(maps.Keys(l.of)) {
		of := l.of[slot]
		for i := range of.ordered {
			of.came(c, slot, of.ordered[i].ReceivedAt())
			c.takeLate(slot, &of.ordered[i])
		}
		for i := range of.late {
			c.takeLate(slot, &of.late[i])
		}
	}
}

func (c *Change) takeLate(slot int32, l *points.Late) {
	if !l.Ordered {
		c.touch(slot).late = true
	}
	if l.Signal != nil {
		c.applySignal(l.Signal)
	} else {
		c.Point(&l.Point)
	}
}

// tookLate reports whether a replayed asset has a report that came after a newer one.
func (c *Change) tookLate(no int64) bool {
	i, ok := c.index[c.p.byNo[no]]
	return ok && c.touched[i].late
}
