package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// waitingPoints limits how many reports wait for a commit; beyond it devices must retry later.
const waitingPoints = 200_000

var (
	errIngestFull    = errors.New("app: too many reports wait for the database")
	errIngestStopped = errors.New("app: ingest has stopped")
)

// submission is one request's reports on their way into a commit.
type submission struct {
	points  []fleet.Point
	signals []fleet.Signal
	before  []int // beside signals: how many of the points came before each, because the order determines incidents
	// halves are the signals that are left of refused reports, or that only show that the device is alive: not counted as stored
	halves     []int
	refused    map[int64]refusedReports // by asset number
	configs    map[int64]configClaim    // by asset number
	at         fleet.Instant            // of receipt
	device     int64                    // the asset whose own key sent it; 0 = an organization's key did
	alive      bool                     // the device is alive, whatever instants its reports have
	source     fleet.Source             // how it arrived
	accepted   int
	duplicates int
	done       chan error
}

func (s *submission) size() int { return len(s.points) + len(s.signals) }

// ingest is the natural group commit: one committer takes whatever waits (no timer), at most 5000 reports, into one transaction;
// while it commits, the next group gathers. On a fast disk the groups are smaller: see measure.
type ingest struct {
	once    sync.Once
	mu      sync.Mutex
	queue   []*submission
	waiting int
	stopped bool
	wake    chan struct{}
	ended   chan struct{}

	most int // reports in the next group

	committed atomic.Int64 // time of the last group, ms since 1970; 0 = none

	// the committer's own buffers
	points  []fleet.Point
	signals []fleet.Signal
	taken   []points.Taken
	takenS  []points.Taken
	unknown bool // the outcome of a commit was once unknown: repeats may be new to the picture
}

func (g *ingest) start(a *App) {
	g.once.Do(func() {
		g.wake, g.ended, g.most = make(chan struct{}, 1), make(chan struct{}), pointsPerCommit
		go g.run(a)
	})
}

// submit waits until the submission's commit has been answered. A caller that gives up does not stop the commit.
func (g *ingest) submit(ctx context.Context, a *App, s *submission) error {
	g.start(a)
	g.mu.Lock()
	switch {
	case g.stopped:
		g.mu.Unlock()
		return errIngestStopped
	case g.waiting > 0 && g.waiting+s.size() > waitingPoints:
		g.mu.Unlock()
		return errIngestFull
	}
	g.queue = append(g.queue, s)
	g.waiting += s.size()
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default:
	}
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done(): // the commit continues without its caller
		return fmt.Errorf("%w: %w", engine.ErrOutcomeUnknown, ctx.Err())
	}
}

// next takes what waits: at least one submission, then more while they fit. ok is false at the end.
func (g *ingest) next(group []*submission) (_ []*submission, ok bool) {
	for {
		g.mu.Lock()
		if len(g.queue) > 0 {
			n, size := 1, g.queue[0].size()
			for n < len(g.queue) && size+g.queue[n].size() <= g.most {
				size += g.queue[n].size()
				n++
			}
			group = append(group, g.queue[:n]...)
			rest := copy(g.queue, g.queue[n:])
			clear(g.queue[rest:])
			g.queue = g.queue[:rest]
			g.waiting -= size
			g.mu.Unlock()
			return group, true
		}
		stopped := g.stopped
		g.mu.Unlock()
		if stopped {
			return nil, false
		}
		<-g.wake
	}
}

func (g *ingest) run(a *App) {
	defer close(g.ended)
	var group []*submission
	for {
		var ok bool
		if group, ok = g.next(group[:0]); !ok {
			return
		}
		g.settle(a, group)
		clear(group)
	}
}

// settle commits a group and answers its submissions. A submission that the database refuses fails the whole group, including other
// organizations' reports: then each is committed by itself, unless the storage was the reason.
func (g *ingest) settle(a *App, group []*submission) {
	err := g.commit(a, group)
	single := err != nil && len(group) > 1
	for i, s := range group {
		if single && !storageFailed(err) {
			err = g.commit(a, group[i:i+1])
		}
		s.done <- err
	}
}

// storageFailed reports whether an error has nothing to do with the content to be stored.
func storageFailed(err error) bool {
	return slices.ContainsFunc([]error{engine.ErrBusy, engine.ErrFull, engine.ErrReadOnly, engine.ErrStorage, engine.ErrLockLost,
		engine.ErrOutcomeUnknown}, func(of error) bool {
		return errors.Is(err, of)
	})
}

// commit stores a group, advances the picture and sends the messages.
func (g *ingest) commit(a *App, group []*submission) error {
	g.points, g.signals = g.points[:0], g.signals[:0]
	for _, s := range group {
		g.points = append(g.points, s.points...)
		g.signals = append(g.signals, s.signals...)
	}
	g.taken = grow(g.taken, len(g.points))
	g.takenS = grow(g.takenS, len(g.signals))
	change := a.Live.Begin()
	defer change.Abort()
	ctx := WithinCall(context.Background())
	var begun, worked time.Time
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		begun = time.Now()
		if err := tx.InsertPoints(ctx, a.Store.Engine(), g.points, g.taken); err != nil {
			return err
		}
		if err := tx.InsertSignals(ctx, g.signals, g.takenS); err != nil {
			return err
		}
		if err := countRefused(ctx, tx, group); err != nil {
			return err
		}
		g.advance(change, group)
		err := change.Save(ctx, tx)
		if err == nil {
			err = change.SaveDue(ctx, tx)
		}
		worked = time.Now()
		return err
	})
	if err != nil {
		g.unknown = g.unknown || errors.Is(err, engine.ErrOutcomeUnknown)
		a.Log.Error("ingest: a commit failed", "error", err, "points", len(g.points))
		return err
	}
	g.committed.Store(time.Now().UnixMilli())
	g.measure(len(g.points)+len(g.signals), worked.Sub(begun), time.Since(worked))
	change.Apply(a.Bus.Publish)
	g.withdraw(ctx, a)
	g.answer(group)
	return nil
}

// quietFor returns for how long no reports were committed.
func (g *ingest) quietFor(now time.Time) time.Duration {
	return now.Sub(time.UnixMilli(g.committed.Load())).Abs()
}

// countRefused counts the refused reports of assets for the monthly reports.
func countRefused(ctx context.Context, tx *store.Tx, group []*submission) error {
	for _, s := range group {
		for no, r := range s.refused {
			if err := tx.AddRefused(ctx, no, r.count, s.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// withdraw ends stopped traffic that units have driven through, after the commit of their points: those are stored even if this
// fails.
func (g *ingest) withdraw(ctx context.Context, a *App) {
	drives := a.Live.Drives(g.points, func(i int) bool { return g.taken[i] == points.TakenRepeat })
	if len(drives) == 0 {
		return
	}
	if err := a.withdrawHazards(ctx, drives); err != nil {
		a.Log.Error("ingest: stopped traffic that units drove through still stands", "error", err, "hazards", len(drives))
	}
}

// advance applies the group's reports to the picture in the order in which they were sent, so that one batch has the same effect as
// its items one by one.
func (g *ingest) advance(change *live.Change, group []*submission) {
	p, q := 0, 0
	advanceTo := func(to int) {
		for ; p < to; p++ {
			switch {
			case g.taken[p] != points.TakenRepeat:
				change.Point(&g.points[p])
			case g.unknown: // perhaps stored by a commit that the picture does not know about
				change.Repeated(&g.points[p])
			default:
				change.Known(&g.points[p])
			}
		}
	}
	first := 0
	for _, s := range group {
		for _, n := range s.before {
			advanceTo(first + n)
			if g.takenS[q] != points.TakenRepeat || g.unknown {
				change.Signal(&g.signals[q])
			}
			q++
		}
		first += len(s.points)
		advanceTo(first)
		for no, r := range s.refused {
			change.Refused(no, r.code, r.count, s.at)
		}
		for no, said := range s.configs {
			change.ClaimConfig(no, said.version, said.at)
		}
	}
}

const (
	smallestGroup = 500
	groupWork     = 10 * time.Millisecond
)

// measure chooses the size of the next groups. All waiting reports take the same time either way, but with smaller groups they are
// committed in the order in which they arrived: a report that just missed a group does not wait for the whole next one. So a group
// is 10 ms of work, or eight times what the COMMIT takes where the disk is slow, so that at most about a ninth of the time goes
// into waiting for the disk.
func (g *ingest) measure(size int, work, commit time.Duration) {
	if size < smallestGroup/2 || work <= 0 {
		return
	}
	fit := float64(size) * float64(max(groupWork, 8*commit)) / float64(work)
	fit = min(max(fit, smallestGroup), float64(pointsPerCommit))
	g.mu.Lock()
	g.most = (3*g.most + int(fit)) / 4
	g.mu.Unlock()
}

// answer counts the results of each submission's reports.
func (g *ingest) answer(group []*submission) {
	p, q := 0, 0
	count := func(s *submission, t points.Taken) {
		if t == points.TakenRepeat {
			s.duplicates++
		} else {
			s.accepted++
		}
	}
	for _, s := range group {
		for range s.points {
			count(s, g.taken[p])
			p++
		}
		halves := s.halves
		for i := range s.signals {
			if len(halves) > 0 && halves[0] == i {
				halves = halves[1:]
			} else {
				count(s, g.takenS[q])
			}
			q++
		}
	}
}

func grow(t []points.Taken, n int) []points.Taken {
	if cap(t) < n {
		return make([]points.Taken, n)
	}
	return t[:n]
}

// IngestWaiting counts the reports that wait for a commit, for the operator's metrics.
func (a *App) IngestWaiting() int {
	a.ingest.mu.Lock()
	defer a.ingest.mu.Unlock()
	return a.ingest.waiting
}

// StopIngest refuses new reports, waits until everything accepted for a commit has been answered and writes all live states. Call
// it after the listeners have stopped.
func (a *App) StopIngest(ctx context.Context) error {
	a.stopCuts()
	g := &a.ingest
	g.start(a)
	g.mu.Lock()
	g.stopped = true
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default:
	}
	select {
	case <-g.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return a.Live.Flush(ctx)
}
